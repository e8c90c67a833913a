import { describe, expect, test } from 'vitest';
import { isRefused } from '../../../src/base/refusal.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import {
  type PreviewRequest,
  type PreviewContext,
  type CommandPreview,
  previewCommand,
} from '../../../src/table/views/commandPreview.ts';
import { type RulingMatrixColumn, rulingMatrix } from '../../../src/table/views/rulingMatrix.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import {
  type TableScenario,
  openedTable,
  cardsIn,
  dealer,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// Previews of commands before they are proposed.

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };
const stopped = (): TableScenario => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  return scenario;
};
function preview(
  scenario: TableScenario,
  request: PreviewRequest,
  context: PreviewContext = { actor: dealer },
): CommandPreview {
  const result = previewCommand(request, scenario.table!, context);
  if (isRefused(result)) throw new Error(result.message);
  return result;
}
const column = (result: { readonly columns: readonly RulingMatrixColumn[] }, ruling: string) =>
  result.columns.find((one) => one.ruling === ruling);

test('the preview of a reconstruction shows its effects, the approving role and the returns per terminal', () => {
  const scenario = stopped();
  const before = structuredClone(scenario.table);
  const result = preview(scenario, {
    type: 'ReconstructRound',
    cards: cardsIn('2C 9S 4D 9H'),
    unseen: false,
    reason: 'video',
  });
  expect(result).toMatchObject({ effects: [{ type: 'RoundReconstructed', phase: 'result' }], second: 'supervisor' });
  expect(result.rulings!.columns.map(({ ruling }) => ruling)).toEqual(['reconstruct', 'void', 'refer', 'stand']);
  expect(column(result.rulings!, 'reconstruct')).toEqual({
    ruling: 'reconstruct',
    winner: 'banker',
    totals: { player: 6, banker: 8 },
    by: 'HOUSE 5',
    round: 'replayed',
    shoe: 'goes on',
    first: 'dealer',
    second: 'supervisor',
    not: null,
    house: { sign: 1, amount: 250 },
  });
  expect(column(result.rulings!, 'void')).toMatchObject({
    by: 'BAC 5.4',
    shoe: 'locked',
    house: { sign: 0, amount: 0 },
  });
  expect(column(result.rulings!, 'stand')).toMatchObject({
    winner: 'player',
    by: null,
    not: 'no-such-ruling',
    house: { sign: 1, amount: 200 },
  });
  expect(column(result.rulings!, 'refer')).toMatchObject({ by: 'HOUSE 1', round: 'frozen', house: null });
  expect(result.rulings!.rows).toMatchObject([
    { terminal: 'T1', back: { reconstruct: 0, void: 1000, refer: null, stand: 2000 } },
    { terminal: 'T2', back: { reconstruct: 1950, void: 1200, refer: null, stand: 0 } },
  ]);
  // A card still to be drawn leaves the result open.
  const due = preview(scenario, {
    type: 'ReconstructRound',
    cards: cardsIn('2C 9S 9H 4D'),
    unseen: false,
    reason: 'x',
  });
  expect(column(due.rulings!, 'reconstruct')).toMatchObject({ winner: null, totals: null, house: null });
  expect(
    previewCommand({ type: 'ReconstructRound', cards: ['2C'], unseen: false, reason: 'x' }, scenario.table!, {
      actor: dealer,
    }),
  ).toMatchObject({ refused: 'wrong-cards' });
  expect(scenario.table).toEqual(before);
});

test('the preview of a command for one person shows its effects, and a forbidden one its refusal', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  expect(preview(scenario, { type: 'VoidRound', reason: 'x' })).toMatchObject({
    effects: [{ type: 'RoundVoided', by: 'HOUSE 12' }, { type: 'SettlementPosted' }],
    second: null,
    rulings: { rows: [{ back: { void: 1000 } }, { back: { void: 1200 } }] },
  });
  expect(
    previewCommand({ type: 'DecideReferral', decision: 'void', reason: 'x' }, scenario.table!, { actor: dealer }),
  ).toMatchObject({
    refused: 'not-your-role',
  });
  // A referral instead changes no round.
  const dealt = readyTable('baccarat').bets(stakes).close().deal('9S');
  expect(preview(dealt, { type: 'VoidRound', reason: 'x' })).toMatchObject({
    effects: [{ type: 'Referred' }],
    rulings: null,
  });
  expect(preview(readyTable('baccarat'), { type: 'CorrectCut', behind: 20, reason: 'x' }).rulings).toBeNull();
});

test('[HOUSE 9] the preview corrects a settled round, and an earlier one with its slips', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  const fix = { type: 'CorrectCard', round: scenario.round, place: 4, card: '7D', reason: 'x' } as const;
  const result = preview(scenario, fix, { actor: supervisor, credits: { T1: 300 } });
  expect(result).toMatchObject({
    effects: [
      { type: 'CardCorrected' },
      { type: 'RoundResettled' },
      { type: 'SettlementPosted', shortfalls: { T1: 1700 } },
    ],
    second: 'gaming-shift-manager',
    rulings: { round: scenario.round, rows: [{ paid: 2000, back: { correct: 0, stand: 2000 } }, {}] },
  });
  const { slips } = structuredClone(scenario.table!.round!);
  scenario.bets();
  expect(previewCommand(fix, scenario.table!, { actor: supervisor })).toMatchObject({ refused: 'slips-differ' });
  // It is the next gaming day by then.
  const tomorrow = scenario.at + 86_400_000;
  expect(previewCommand(fix, scenario.table!, { actor: supervisor, at: tomorrow })).toMatchObject({
    refused: 'no-such-round',
  });
  expect(preview(scenario, fix, { actor: supervisor, slips }).rulings).toMatchObject({
    round: fix.round,
    columns: [{ ruling: 'correct', winner: 'banker', by: 'HOUSE 9' }, { ruling: 'stand' }],
    rows: [{ terminal: 'T1', back: { correct: 0, stand: 2000 } }, { terminal: 'T2' }],
  });
});

describe('the possible decisions of the Gaming Shift Manager', () => {
  test('[ETG 6.1] are compared with clause, roles and returns', () => {
    const scenario = readyTable('tiger').bets(stakes).close().deal(natural);
    scenario.do('Refer', { reason: 'x' });
    const result = rulingMatrix(scenario.table!)!;
    expect(result.columns).toMatchObject([
      { ruling: 'void', by: 'ETG 6.1', round: 'void', first: 'gaming-shift-manager', second: null, not: null },
      { ruling: 'stand', winner: 'player', totals: { player: 8, banker: 6 }, round: 'none', not: null },
      { ruling: 'continue', round: 'goes on', house: null, not: null },
    ]);
    expect(result.rows[0]).toMatchObject({ back: { void: 1000, stand: 2000, continue: null } });
    const dealing = readyTable('tiger').bets(stakes).close().deal('9S');
    dealing.do('VoidRound', { reason: 'evacuation' });
    expect(rulingMatrix(dealing.table!)!.columns).toMatchObject([
      { ruling: 'void', by: 'HOUSE 12' },
      { ruling: 'stand', not: 'incomplete-deal', winner: null },
      {},
    ]);
    dealing.do('ReportIrregularity', { kind: 'foreign-card' });
    dealing.do('Refer', { reason: 'a joker' });
    // A clause that orders the void comes before the procedure that was proposed. [READING 65]
    expect(column(rulingMatrix(dealing.table!)!, 'void')).toMatchObject({ by: 'ETG 5.1.1', shoe: 'locked', not: null });
    const up = readyTable('tiger').bets(stakes);
    up.do('ReportIrregularity', { kind: 'face-up-card' });
    expect(column(rulingMatrix(up.table!)!, 'burn')).toMatchObject({ not: null, house: null });
  });

  test('of a settled round needs two persons, of an earlier one its slips; for one terminal it shows that one', () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const first = scenario.round;
    const { slips } = structuredClone(scenario.table!.round!);
    scenario.do('Refer', { reason: 'x', round: first, terminal: 'T1' });
    const decide = { type: 'DecideReferral', decision: 'void', reason: 'x', terminal: 'T1' } as const;
    const result = preview(scenario, decide, { actor: supervisor });
    expect(result).toMatchObject({ effects: [{ type: 'ReferralDecided' }, { type: 'SlipVoided' }, {}] });
    expect(column(result.rulings!, 'void')).toMatchObject({ house: null, second: 'gaming-shift-manager' });
    expect(result.rulings!.rows.map(({ back }) => back['void'])).toEqual([1000, null]);
    scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
    scenario.bets().do('Refer', { reason: 'x', round: first });
    expect(rulingMatrix(scenario.table!)).toBeNull();
    expect(rulingMatrix(scenario.table!, undefined, slips)).toMatchObject({
      columns: [{ ruling: 'void', not: null, second: 'gaming-shift-manager' }, { ruling: 'stand' }, {}],
      rows: [{ paid: 2000, back: { void: 1000 } }, {}],
    });
    // The slips are shown with any decision, and sent with a void only.
    const standPreview = preview(
      scenario,
      { type: 'DecideReferral', decision: 'stand', reason: 'x' },
      { actor: shiftManager, slips },
    );
    expect(standPreview).toMatchObject({
      effects: [{ type: 'ReferralDecided' }],
      rulings: { rows: [{ paid: 2000 }, {}] },
    });
    scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
    expect(scenario.table!.referrals).toEqual([]);
  });
});

test('[ETG 5.9] after an interruption are void and resume, of which one is allowed', () => {
  const scenario = readyTable('tiger').bets(stakes).close().deal('9S 9C 7H');
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  const result = () =>
    Object.fromEntries(buildSupervisorView(scenario.table!).rulings!.columns.map(({ ruling, not }) => [ruling, not]));
  expect(result()).toMatchObject({ enter: null, void: 'felt-first', resume: 'felt-first', felt: null });
  scenario.confirmFelt();
  expect(result()).toMatchObject({ enter: null, void: 'not-computed', resume: null, stand: 'no-such-ruling' });
  const whole = readyTable('tiger').bets(stakes).close().deal(natural);
  whole.do('ReportInterruption', { since: 0, stateLost: true });
  expect(rulingMatrix(whole.table!)!.columns[0]).toMatchObject({ ruling: 'enter', not: 'card-after-deal' });
});

test('[READING 55] about the shoe alone show no rulings for the round before it', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  expect(rulingMatrix(scenario.table!)).toBeNull();
});

test('of thousands of slips are shown like those of a few', () => {
  const scenario = readyTable('tiger').bets();
  const { round } = scenario.table!;
  for (let n = 0; n < 5_000; n++) {
    round!.slips[`T${n}`] = { player: 1000, banker: 500, tie: 100, tiger: 100 };
  }
  round!.terminals = 5_000;
  scenario.close().deal('KS 2C 5H 4D KD');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const { rulings } = buildSupervisorView(scenario.table!);
  expect(rulings!.rows).toHaveLength(5_000);
  expect(column(rulings!, 'void')!.house).toEqual({ sign: 0, amount: 0 });
});

describe('the source of each card, with dealer and time', () => {
  const sourcesOf = (scenario: TableScenario) =>
    buildDealerView(scenario.table!).round!.cards.map(({ card, slot, how, dealer: by }) =>
      [card, slot, how, by].join(' '),
    );

  test('is keyed, scanned, by eye, afterwards, carried, or a virtual shoe', () => {
    const scenario = readyTable('tiger', { dealing: 'scanned' }).bets().close().deal('9S');
    scenario.do('DealCard', { slot: 'B1', card: '2C', keyed: true }, { person: 'd2', role: 'dealer' });
    scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
    scenario.doByTwo('EnterCard', { slot: 'P2', card: '3H', reason: 'x' });
    scenario.do('ReportInterruption', { since: 0, stateLost: true });
    scenario.doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'x' });
    scenario.doByTwo('ConfirmFelt', { unseen: true });
    scenario.do('ConfirmRuling', {}, supervisor);
    scenario.deal('5C');
    expect(sourcesOf(scenario)).toEqual([
      '9S P1 scanned d1',
      '2C B1 keyed d2',
      '3H P2 by-eye d1',
      '4D B2 afterwards d1',
      '5C P3 carried d1',
    ]);
    const keyed = readyTable('tiger').bets().close().deal('9S');
    expect(sourcesOf(keyed)).toEqual(['9S P1 keyed d1']);
    expect(buildDealerView(keyed.table!).round!.mayTakeBack).toBe(true);
    keyed.do('TakeBackCard', {});
    expect(sourcesOf(keyed)).toEqual([]);
    const virtual = openedTable('tiger', { dealing: 'virtual' });
    const shoe = virtual.virtualShoe(natural);
    virtual.bets().close();
    virtual.do('DealCard', { slot: 'P1', ...shoe.at(0) });
    expect(sourcesOf(virtual)).toEqual(['9S P1 virtual d1']);
    expect(buildDealerView(virtual.table!).round!.mayTakeBack).toBe(false);
  });

  test('is corrected for a corrected card; a replayed card keeps its time and dealer', () => {
    const scenario = readyTable('baccarat').bets().close().deal('9S');
    scenario.wait(1_000).do('DealCard', { slot: 'B1', card: '2C' }, { person: 'd2', role: 'dealer' });
    scenario.wait(1_000).deal('9S 4D');
    scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '5D', reason: 'x' });
    expect(sourcesOf(scenario)).toEqual(['9S P1 keyed d1', '2C B1 keyed d2', '9S P2 keyed d1', '5D B2 corrected d1']);
    const times = buildDealerView(scenario.table!).round!.cards.map((one) => one.at);
    scenario.do('ReportIrregularity', { kind: 'wrong-order' });
    scenario.doByTwo('ReconstructRound', { cards: cardsIn('9S 9S 2C 5D AH'), unseen: false, reason: 'x' });
    expect(sourcesOf(scenario)).toEqual([
      '9S P1 keyed d1',
      '9S B1 replayed d1',
      '2C P2 replayed d2',
      '5D B2 corrected d1',
      'AH P3 replayed d1',
    ]);
    expect(buildDealerView(scenario.table!).round!.cards.map((one) => one.at)).toEqual([
      times[0],
      times[2],
      times[1],
      times[3],
      scenario.at,
    ]);
    const earlier = readyTable('baccarat').playRound(natural);
    const first = earlier.round;
    earlier.bets().close().deal('9S');
    earlier.doByTwo('CorrectCard', { round: first, place: 4, card: '3D', reason: 'x', slips: {} }, afterSettlement);
    expect(sourcesOf(earlier)).toEqual(['9S P1 keyed d1']);
  });
});
