import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import {
  type TableScenario,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// Staff are offered what the table would decide now, in states that are rarely reached.

const stakes = { T1: { player: 1000 }, T2: { banker: 500 } };
const dealt = (cards = '9S 2C', game = 'baccarat'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);
const optionOf = (scenario: TableScenario, ruling: string) =>
  buildDealerView(scenario.table!).stopped!.options.find((option) => option.ruling === ruling);

test.each(['READING 25', 'READING 55'])(
  '[%s] between rounds the void of an altered order is shown as what it does: no round and no stake, the shoe locked',
  (row) => {
    const scenario = readyTable(row === 'READING 25' ? 'baccarat' : 'tiger').playRound(natural, stakes);
    const before = [scenario.balance('T1'), scenario.balance('T2')];
    scenario.do('ReportIrregularity', { kind: 'order-altered' });
    expect(optionOf(scenario, 'void')).toMatchObject({ round: 'unchanged', money: 'unchanged', shoe: 'locked' });
    expect(optionOf(scenario, 'restore')).toMatchObject({ round: 'goes on', money: 'unchanged', shoe: 'goes on' });
    expect(scenario.doByTwo('VoidRound', { reason: 'x' }).map(({ type }) => type)).toEqual(['Approved', 'ShoeLocked']);
    expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual(before);
    // During a round the same ruling voids it.
    const inRound = dealt();
    inRound.do('ReportIrregularity', { kind: 'order-altered' });
    expect(optionOf(inRound, 'void')).toMatchObject({ round: 'void', money: 'returned', shoe: 'locked' });
  },
);

test('a void of the last round is shown to lock its shoe only while that shoe is at the table', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(optionOf(scenario, 'void')).toMatchObject({ round: 'void', shoe: 'locked' });
  scenario.doByTwo('DismissReport', { reason: 'x' }, afterSettlement);
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.shoe('S2').do('ReportIrregularity', { kind: 'wrong-number' });
  expect(optionOf(scenario, 'void')).toMatchObject({ round: 'void', shoe: 'goes on' });
});

test('[READING 54] the roles of a dismissal are shown: dealer and supervisor or, after settlement, those who would rule', () => {
  const scenario = dealt(natural);
  const dismiss = () => buildDealerView(scenario.table!).stopped!.dismiss;
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(dismiss()).toEqual({ first: 'dealer', second: 'supervisor' });
  scenario.do('Refer', { reason: 'x' });
  expect(dismiss()).toBeNull();
  scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(dismiss()).toEqual({ first: 'supervisor', second: 'gaming-shift-manager' });
});

test('[HOUSE 9] the last card is offered for taking back only while the table would take it back', () => {
  const scenario = dealt();
  const mayTakeBack = () => buildDealerView(scenario.table!).round!.mayTakeBack;
  expect(mayTakeBack()).toBe(true);
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  expect([mayTakeBack(), scenario.refusal('TakeBackCard', {}).refused]).toEqual([false, 'awaiting-ruling']);
  scenario.do('Refer', { reason: 'x' });
  expect([mayTakeBack(), scenario.refusal('TakeBackCard', {}).refused]).toEqual([false, 'awaiting-decision']);
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.doByTwo('RestoreOrder', { reason: 'x' });
  expect(mayTakeBack()).toBe(true);
  scenario.do('TakeBackCard', {});
});

test('[READING 67] no card is asked for when the shoe has none left: too few cards are reported, or the round is referred', () => {
  const scenario = dealt('2C 3D 2H KS');
  scenario.table!.shoe!.drawn = scenario.table!.shoe!.size;
  expect(buildDealerView(scenario.table!).next).toEqual(['ReportIrregularity', 'Refer']);
  expect(scenario.refusal('DealCard', { slot: 'P3', card: '6D' }).refused).toBe('shoe-over');
  scenario.do('ReportIrregularity', { kind: 'too-few-cards' });
});

test('the report menu shows a further interruption as noted while one is open', () => {
  const scenario = dealt();
  const does = () => buildDealerView(scenario.table!).reports.find(({ kind }) => kind === 'interruption')!.does;
  expect(does()).toBe('stops');
  scenario.do('ReportInterruption', { since: scenario.at, stateLost: true });
  expect(does()).toBe('noted');
});

test('[READING 61] after an interruption a void is refused with the commands that end it', () => {
  const scenario = dealt();
  scenario.do('ReportInterruption', { since: scenario.at, stateLost: true });
  expect(scenario.refusal('VoidRound', { reason: 'x' }).message).toBe(
    'VoidRound is not possible for interruption; send EnterCard, ConfirmFelt, Refer.',
  );
  scenario.confirmFelt();
  expect(scenario.refusal('VoidRound', { reason: 'x' }).message).toBe(
    'VoidRound is not possible for interruption; send ConfirmRuling, EnterCard, Refer.',
  );
});

test('[READING 65] a proposed decision to void shows the clause that orders the void, as the table will cite it', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, supervisor);
  const { rulings, proposal } = buildSupervisorView(scenario.table!);
  expect(rulings!.columns.find(({ ruling }) => ruling === 'void')).toMatchObject({ by: 'BAC 5.2' });
  expect(proposal!.effects).toMatchObject({ by: 'BAC 5.2', changes: [{ type: 'referral-decide' }, {}] });
  const { id, hash } = scenario.table!.proposal!;
  const credits = { T1: 5000, T2: 5000 };
  expect(scenario.do('Approve', { proposal: id, hash, credits }, shiftManager)).toMatchObject([
    { type: 'Approved' },
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundResettled', by: 'BAC 5.2' },
    { type: 'SettlementPosted' },
  ]);
});

test('[READING 51] a proposed void of one terminal shows the clause that the referral proposed for a void', () => {
  const scenario = readyTable('tiger').bets(stakes).close().deal('9S');
  scenario.do('VoidRound', { reason: 'x' }, shiftManager);
  scenario.do('DecideReferral', { decision: 'void', terminal: 'T1', reason: 'x' }, supervisor);
  const { rulings, proposal } = buildSupervisorView(scenario.table!);
  expect(rulings!.columns.find(({ ruling }) => ruling === 'void')).toMatchObject({ by: 'HOUSE 12' });
  expect(proposal!.effects).toMatchObject({ by: 'HOUSE 12' });
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.do('Approve', { proposal: id, hash, credits: { T1: 5000 } }, shiftManager)).toMatchObject([
    { type: 'Approved' },
    { type: 'ReferralDecided', by: 'ETG 6.1' },
    { type: 'SlipVoided', by: 'HOUSE 12' },
  ]);
});
