import { expect, test } from 'vitest';
import { baccarat } from '../../../src/games/baccarat.ts';
import { type Card } from '../../../src/rules/card.ts';
import { decidedWagers } from '../../../src/rules/decidedWagers.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { earlierRoundsStand } from '../../rulebook/liveClaims.ts';
import {
  type TableScenario,
  afterSettlement,
  cardsIn,
  floor,
  gameOf,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// Steps of the house procedures that their scenarios leave out.

const stakes = { T1: { player: 1000, 'player-pair': 500 }, T2: { banker: 2000 } };
const dealt = (cards: string): TableScenario => readyTable('baccarat').bets(stakes).close().deal(cards);
const interrupted = (scenario: TableScenario): TableScenario => {
  const since = scenario.at;
  scenario.wait(60_000).do('ReportInterruption', { since, stateLost: false }, floor);
  return scenario;
};

test.each([
  ['TC TD 9S 9D', 'tie', 'player banker'],
  ['4H 2H KS QH 7H 2C', 'banker-fabulous-4', 'banker'],
])('[HOUSE 6] a push is neither won nor lost: after %s %s has won, and %s is undecided', (cards, winner, pushed) => {
  const game = gameOf('fabulous-4');
  const decided = decidedWagers(game, Object.keys(game.wagers), cardsIn(cards));
  expect(decided.won).toContain(winner);
  for (const wager of pushed.split(' ')) expect([...decided.won, ...decided.lost]).not.toContain(wager);
});

test('[HOUSE 6] the cards left in the shoe are not looked at: a pair that they cannot make is still open', () => {
  const scenario = dealt('9S 2C');
  // All nines are out, so that no card of this shoe pairs with the first one.
  Object.assign(scenario.table!.shoe!.seen, { '9C': 8, '9D': 8, '9H': 8, '9S': 8 });
  interrupted(scenario).confirmFelt();
  expect(scenario.do('ConfirmRuling', {}, supervisor)).toMatchObject([{ type: 'RoundVoided', by: 'HOUSE 6' }, {}]);
});

test('[HOUSE 6] a settlement that is interrupted is completed under its own id, each amount once', () => {
  const scenario = readyTable('baccarat', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  const { settlement } = scenario.events('RoundSettled')[0]!;
  const since = scenario.at;
  expect(scenario.wait(60_000).do('ReportInterruption', { since, stateLost: true }, floor)).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
  scenario.do('PostSettlement', {}, floor);
  expect(scenario.events('SettlementPosted')).toMatchObject([
    { settlement, from: 0, count: 1 },
    { settlement, from: 1, count: 1, last: true },
  ]);
  expect(scenario.submit('PostSettlement', {}, floor)).toHaveProperty('refused');
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([1000 + 11 * 500, -2000]);
});

test('[HOUSE 6] terminals that fail, be it all of them, interrupt no round', () => {
  const scenario = dealt('9S 2C');
  scenario.do('ReportTerminals', { terminals: ['T1', 'T2'], disconnected: true }, floor);
  expect(scenario.table!.openIrregularities).toEqual([]);
  scenario.deal('KH 4D').settle();
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([1000 - 500, -2000]);
});

for (const kind of ['extra-card', 'missing-card', 'unshuffled-cards'] as const) {
  earlierRoundsStand('HOUSE 7', baccarat, kind);
}

test.each([
  ['foreign-card', 'void', 'BAC 5.1.1'],
  ['order-altered', 'void', 'BAC 5.4'],
  ['order-altered', 'restore', null],
] as const)('[HOUSE 7] after %s and the ruling %s the shoe is locked by %s', (kind, ruling, lockedBy) => {
  const scenario = dealt('9S 2C');
  scenario.do('ReportIrregularity', { kind });
  scenario.doByTwo(ruling === 'void' ? 'VoidRound' : 'RestoreOrder', { reason: 'as ruled' });
  expect(publicView(scenario.table!).shoe).toMatchObject({ lockedBy });
  if (lockedBy !== null) {
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: lockedBy });
    return;
  }
  scenario.deal('KH 4D').settle();
  expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened' }]);
});

/** The supervisor's view of a proposed correction of the round. */
function correctionPreview(cards: string, place: number, card: Card) {
  const scenario = dealt(cards);
  scenario.do('CorrectCard', { round: scenario.round, place, card, reason: 'misread' });
  const { rulings, proposal } = buildSupervisorView(scenario.table!);
  return { columns: rulings!.columns, rows: rulings!.rows, round: proposal!.effects.round };
}

test('[HOUSE 9] the preview of a correction shows totals and money before and after', () => {
  expect(correctionPreview('9S 2C KH 4D', 4, '7D')).toMatchObject({
    columns: [
      { ruling: 'correct', totals: { player: 9, banker: 9 }, winner: 'tie' },
      { ruling: 'stand', totals: { player: 9, banker: 6 }, winner: 'player' },
    ],
    rows: [
      { terminal: 'T1', back: { correct: 1000, stand: 2000 } },
      { terminal: 'T2', back: { correct: 2000, stand: 0 } },
    ],
  });
});

/** Cards with their slots: "P1 9S, B1 2C". */
const cardsBySlot = (text: string): readonly object[] =>
  text.split(', ').map((one) => ({ slot: one.slice(0, 2), card: one.slice(3) }));

test('[HOUSE 9] the preview of a correction shows the third cards that it changes', () => {
  // The fifth card was the third of the Banker; the Player, with 5, is due it.
  expect(correctionPreview('6S 2C KH 3D 5C', 1, '5S').round).toMatchObject({
    cards: { after: cardsBySlot('P1 5S, B1 2C, P2 KH, B2 3D, P3 5C'), burned: [] },
    after: { type: 'due', slot: 'B3' },
  });
  // With a natural no third card is due: the fifth is left over.
  expect(correctionPreview('6S 2C KH 3D 5C', 1, '9S').round).toMatchObject({
    cards: { after: cardsBySlot('P1 9S, B1 2C, P2 KH, B2 3D'), burned: ['5C'] },
    after: { type: 'result', winner: 'player' },
  });
});

test('[HOUSE 9] a correction keeps both cards, both persons and the reason, and rebuilds roads and counters', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  expect(publicView(scenario.table!)).toMatchObject({ statistics: { player: 1, banker: 0 } });
  const fix = { round: scenario.round, place: 4, card: '7D', reason: 'a seven was read as a four' } as const;
  scenario.doByTwo('CorrectCard', fix, afterSettlement, { T1: 10_000, T2: 0 });
  const [first, second] = afterSettlement;
  expect(scenario.events('CardCorrected')).toMatchObject([
    { was: '4D', card: '7D', reason: fix.reason, actor: first, second },
  ]);
  expect(publicView(scenario.table!)).toMatchObject({
    statistics: { player: 0, banker: 1 },
    roads: { bead: [{ winner: 'banker' }] },
  });
});

test('[HOUSE 11] a slip within the grace is accepted; a later one moves no credit', () => {
  const scenario = readyTable('baccarat').bets().wait(20_000);
  scenario.do('CallClose', {});
  scenario.do('ReportTerminals', { terminals: ['T1', 'T2'], disconnected: true }, floor);
  scenario.wait(500).slip('T1', { player: 1000 });
  scenario.wait(1);
  const late = { round: scenario.round, slip: { player: 1000 }, credit: 5000 };
  expect(scenario.refusal('SetSlip', late, { terminal: 'T2' })).toMatchObject({ refused: 'bets-closed' });
  scenario.do('CloseBets', {});
  scenario.deal(natural).settle();
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([1000, 0]);
  expect(terminalView(scenario.table!, 'T1')).toMatchObject({ inRound: true, disconnected: { by: 'HOUSE 11' } });
  expect(terminalView(scenario.table!, 'T2')).toMatchObject({ inRound: false, disconnected: { by: 'HOUSE 11' } });
});

test('[HOUSE 11] a single case is decided otherwise by referral: the slip of one terminal is void', () => {
  const scenario = dealt('9S 2C');
  scenario.do('ReportTerminals', { terminals: ['T1'], disconnected: true }, floor);
  scenario.do('Refer', { reason: 'T1 was dark before the close', terminal: 'T1' });
  scenario.do('DecideReferral', { decision: 'void', terminal: 'T1', reason: 'it was dark' }, shiftManager);
  scenario.deal('KH 4D').settle();
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, -2000]);
});

test('[HOUSE 12] after the close a void by decision returns every stake once, decided or not, and the shoe goes on', () => {
  const scenario = dealt('9S 2C 9H');
  expect(scenario.do('VoidRound', { reason: 'fire alarm' })).toMatchObject([
    { type: 'Referred', proposed: 'void', proposedBy: 'HOUSE 12' },
  ]);
  expect(scenario.balance('T1')).toBe(-1500);
  scenario.do('DecideReferral', { decision: 'void', reason: 'the hall is empty' }, shiftManager);
  expect(scenario.events('RoundVoided')).toMatchObject([{ by: 'HOUSE 12' }]);
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')]).toEqual([0, 0, 0]);
  expect(scenario.table!.shoe!.lockedBy).toBeNull();
  expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened' }]);
});

test('[HOUSE 12] before the close the dealer voids alone, with the supervisor where a card lies ready from an earlier draw', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  expect(scenario.do('VoidRound', { reason: 'fire alarm' })[0]).toMatchObject({ type: 'RoundVoided', by: 'HOUSE 12' });
  const carried = dealt('9S 2C KH 4D');
  carried.do('ReportIrregularity', { kind: 'wrong-number' });
  carried.doByTwo('ReconstructRound', { cards: carried.table!.round!.cards, unseen: true, reason: 'one lies ready' });
  carried.settle().bets(stakes);
  expect(carried.do('VoidRound', { reason: 'fire alarm' })).toMatchObject([{ type: 'Proposed' }]);
  const { id: proposal, hash } = carried.table!.proposal!;
  expect(carried.refusal('Approve', { proposal, hash })).toMatchObject({ refused: 'same-person' });
  expect(carried.do('Approve', { proposal, hash }, supervisor)[1]).toMatchObject({
    type: 'RoundVoided',
    by: 'HOUSE 12',
  });
  expect(carried.table!.shoe!.lockedBy).toBeNull();
});

test.each([
  ['foreign-card', 'BAC 5.1.1'],
  ['order-altered', 'BAC 5.4'],
  ['unshuffled-cards', 'HOUSE 7'],
] as const)('[HOUSE 12] a round with %s is void by %s, which comes first', (kind, by) => {
  const scenario = readyTable('baccarat').bets(stakes);
  scenario.do('ReportIrregularity', { kind });
  expect(scenario.do('VoidRound', { reason: 'as found' })[0]).toMatchObject({ type: 'RoundVoided', by });
});
