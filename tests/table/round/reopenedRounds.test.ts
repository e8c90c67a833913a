import { expect, test } from 'vitest';
import { addToTableMeters, emptyTableMeters } from '../../../src/ledger/meters.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  afterSettlement,
  managers,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// A settled round that is reopened while it is still being paid.

const stakes = { T1: { player: 1000 }, T2: { player: 1000 }, T3: { banker: 1000 } };
const paying = (): TableScenario => {
  const scenario = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  return scenario;
};
const balances = (scenario: TableScenario) => Object.keys(stakes).map((terminal) => scenario.balance(terminal));
const rich = { T1: 9000, T2: 9000, T3: 9000 };

/** A two instead of the nine: one against six, and the Player draws. */
const reopened = (): TableScenario => {
  const scenario = paying();
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 1, card: '2S', reason: 'a two' },
    afterSettlement,
    rich,
  );
  return scenario;
};

test('[READING 52] a reopened round is disputed, and nothing more is paid by its old result', () => {
  const scenario = reopened();
  expect(scenario.table).toMatchObject({
    phase: 'dealing',
    pendingSettlements: [{ settlement: `${scenario.round}#1`, done: 1 }],
  });
  expect(terminalView(scenario.table!, 'T1').frozen).toBe(true);
  expect(terminalView(scenario.table!, 'T2').frozen).toBe(true);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  expect(balances(scenario)).toEqual([1000, -1000, -1000]);
});

test('[READING 52] a reopened round pays the rest of its first settlement once, by the new result', () => {
  const scenario = reopened();
  // One and five are six against six: both hands are complete.
  scenario.deal('5C').wait(2_000);
  while (scenario.table!.phase === 'dealing') scenario.deal('KS').wait(2_000);
  expect(buildDealerView(scenario.table!).next).toEqual(['Settle']);
  expect(scenario.do('Settle', { credits: rich })).toMatchObject([
    { type: 'RoundResettled', reverses: `${scenario.round}#1` },
  ]);
  expect(terminalView(scenario.table!, 'T1').frozen).toBe(false);
  expect(scenario.table!.pendingSettlements).toMatchObject([
    { settlement: `${scenario.round}#2`, order: ['T1', 'T2', 'T3'], done: 0 },
  ]);
  const meters = emptyTableMeters();
  while (scenario.table!.pendingSettlements.length > 0) {
    const before = structuredClone(scenario.table!);
    const [event] = scenario.do('PostSettlement', { credits: { T1: 1000 } });
    addToTableMeters(meters, event as Parameters<typeof addToTableMeters>[1], before);
  }
  expect(balances(scenario)).toEqual([0, 0, 0]);
  expect([scenario.account('stakes'), scenario.account('house')]).toEqual([0, 0]);
  expect(scenario.table!.shortfalls).toEqual({});
  expect(meters.terminals['T1']).toMatchObject({ resettled: 1, reversed: 2000, coinIn: 0 });
  expect(meters.terminals['T2']).toMatchObject({ resettled: 0, reversed: 0, coinIn: 1000, played: 1, level: 1 });
});

test('[READING 52] a reopened round that is voided takes back payments and returns the other stakes', () => {
  const scenario = reopened();
  scenario.do('Refer', { reason: 'it cannot be put right' });
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement, { T1: 0 });
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', { credits: { T1: 400 } });
  // T1 had been paid 2000, keeps its stake of 1000 and returns 400 of the rest.
  expect(balances(scenario)).toEqual([600, 0, 0]);
  expect(scenario.table!.shortfalls).toEqual({ T1: { [scenario.round]: 600 } });
  expect(scenario.account('stakes')).toBe(0);
});

test('[READING 52] a round corrected twice while it is being paid ends for every terminal by its last result', () => {
  const scenario = paying();
  const correct = (card: string) =>
    scenario.doByTwo(
      'CorrectCard',
      { round: scenario.round, place: 4, card, reason: 'the scan' },
      afterSettlement,
      rich,
    );
  correct('7D');
  scenario.do('PostSettlement', { credits: rich });
  scenario.do('PostSettlement', { credits: rich });
  // Paid by the second result: T1 after the first, T2 at once, T3 nothing.
  expect(balances(scenario)).toEqual([-1000, -1000, -1000]);
  correct('6D');
  expect(scenario.table!.pendingSettlements).toMatchObject([
    { settlement: `${scenario.round}#3`, behind: { T3: null } },
  ]);
  while (scenario.table!.pendingSettlements.length > 0) scenario.do('PostSettlement', { credits: rich });
  expect(balances(scenario)).toEqual([0, 0, 0]);
  expect([scenario.account('stakes'), scenario.account('house'), scenario.account('commission')]).toEqual([0, 0, 0]);
});

test('[READING 52] a payment to a terminal never overtakes an earlier one', () => {
  const scenario = paying();
  scenario.do('Refer', { reason: 'a', round: scenario.round, terminal: 'T3' });
  scenario.do('Refer', { reason: 'b', round: scenario.round, terminal: 'T2' });
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x', referral: 'R1' }, afterSettlement, { T3: 0 });
  expect(scenario.table!.pendingSettlements.map(({ settlement, order }) => [settlement.split('#')[1], order])).toEqual([
    ['1', ['T1', 'T2']],
    ['slip1', ['T3']],
  ]);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ settlement: `${scenario.round}#slip1`, last: true }]);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ settlement: `${scenario.round}#1`, last: true }]);
  expect(balances(scenario)).toEqual([1000, 1000, 0]);
  expect(scenario.table!.shortfalls).toEqual({});
});

test('[READING 13] a terminal that a decision took out of the round stakes again in the next one', () => {
  const scenario = readyTable('tiger').bets({ T1: { player: 1000 } });
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  const again = { round: scenario.round, slip: { player: 500 }, credit: 5000 };
  expect(scenario.refusal('SetSlip', again, { terminal: 'T1' })).toMatchObject({
    refused: 'bets-closed',
    by: 'ETG 3.2',
  });
  expect(scenario.slip('T2', { player: 500 })).toHaveLength(1);
});

// A round that ended before its table was closed.

const closed = (game = 'tiger'): TableScenario => {
  const scenario = readyTable(game).playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  scenario.doByTwo('CloseTable', { reason: 'the end of the night' }, managers);
  return scenario;
};

test.each([
  ['tiger', 'ETG 5.7', 'ETG 6.3'],
  ['baccarat', 'BAC 5.2', 'HOUSE 9'],
])('[READING 28] %s: a closed table reopens no round; the table is opened first', (game, replayed, corrected) => {
  const scenario = closed(game);
  const correct = { round: scenario.round, place: 1, card: '2S', reason: 'a two' };
  const refused = { refused: 'table-closed', message: expect.stringContaining('open the table first') as string };
  expect(scenario.refusal('CorrectCard', correct, supervisor)).toMatchObject({ ...refused, by: corrected });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  const cards = { cards: ['2C', '9S', '9H', '4D'], unseen: false, reason: 'as they came' };
  expect(scenario.refusal('ReconstructRound', cards, supervisor)).toMatchObject({ ...refused, by: replayed });
  expect(scenario.table).toMatchObject({ phase: 'idle', closed: true });
  // Opened while the report is open, so that a true report need not be dismissed.
  scenario.doByTwo('ReopenTable', { reason: 'a round is put right' }, managers);
  scenario.doByTwo('ReconstructRound', cards, afterSettlement, rich);
  expect(scenario.table).toMatchObject({ phase: 'dealing', closed: false });
});

test('[READING 28] a correction without a further card is possible at a closed table', () => {
  const scenario = closed();
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 4, card: '7D', reason: 'a seven' },
    afterSettlement,
    rich,
  );
  expect(scenario.table).toMatchObject({ phase: 'idle', closed: true });
  expect(scenario.balance('T1')).toBe(-1000);
});

test('[READING 17] a round that is played while its table is closed draws its remaining cards', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { player: 1000 } })
    .close()
    .deal('2S 2C');
  scenario.doByTwo('CloseTable', { reason: 'the end of the night' }, managers);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.doByTwo('ReconstructRound', { cards: ['2C', '2S'], unseen: false, reason: 'the other way round' });
  expect(scenario.table).toMatchObject({ phase: 'dealing', closed: true });
  scenario.deal('7H 7D').settle();
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed' });
});
