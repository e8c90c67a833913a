import { expect, test } from 'vitest';
import { meter, noMeters } from '../../src/ledger/meters.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import {
  type TableScenario,
  afterSettlement,
  managers,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from './tableScenario.ts';

// A settled round that is reopened while it is still being paid.

const stakes = { T1: { player: 1000 }, T2: { player: 1000 }, T3: { banker: 1000 } };
const paying = (): TableScenario => {
  const sit = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  return sit;
};
const balances = (sit: TableScenario) => Object.keys(stakes).map((terminal) => sit.balance(terminal));
const rich = { T1: 9000, T2: 9000, T3: 9000 };

/** A two instead of the nine: one against six, and the Player draws. */
const takenUp = (): TableScenario => {
  const sit = paying();
  sit.doByTwo('CorrectCard', { round: sit.round, place: 1, card: '2S', reason: 'a two' }, afterSettlement, rich);
  return sit;
};

test('[READING 52] a reopened round is disputed, and nothing more is paid by its old result', () => {
  const sit = takenUp();
  expect(sit.table).toMatchObject({
    phase: 'dealing',
    pendingSettlements: [{ settlement: `${sit.round}#1`, done: 1 }],
  });
  expect(terminalView(sit.table!, 'T1').frozen).toBe(true);
  expect(terminalView(sit.table!, 'T2').frozen).toBe(true);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  expect(balances(sit)).toEqual([1000, -1000, -1000]);
});

test('[READING 52] settled again, it pays the rest of its first settlement once, by the new result', () => {
  const sit = takenUp();
  // One and five are six against six: both hands are complete.
  sit.deal('5C').wait(2_000);
  while (sit.table!.phase === 'dealing') sit.deal('KS').wait(2_000);
  expect(buildDealerView(sit.table!).next).toEqual(['Settle']);
  expect(sit.do('Settle', { credits: rich })).toMatchObject([{ type: 'RoundResettled', reverses: `${sit.round}#1` }]);
  expect(terminalView(sit.table!, 'T1').frozen).toBe(false);
  expect(sit.table!.pendingSettlements).toMatchObject([
    { settlement: `${sit.round}#2`, order: ['T1', 'T2', 'T3'], done: 0 },
  ]);
  const meters = noMeters();
  while (sit.table!.pendingSettlements.length > 0) {
    const before = structuredClone(sit.table!);
    const [event] = sit.do('PostSettlement', { credits: { T1: 1000 } });
    meter(meters, event as Parameters<typeof meter>[1], before);
  }
  expect(balances(sit)).toEqual([0, 0, 0]);
  expect([sit.account('stakes'), sit.account('house')]).toEqual([0, 0]);
  expect(sit.table!.shortfalls).toEqual({});
  expect(meters.terminals['T1']).toMatchObject({ resettled: 1, reversed: 2000, coinIn: 0 });
  expect(meters.terminals['T2']).toMatchObject({ resettled: 0, reversed: 0, coinIn: 1000, played: 1, level: 1 });
});

test('[READING 52] a reopened round that is voided takes back payments and returns the other stakes', () => {
  const sit = takenUp();
  sit.do('Refer', { reason: 'it cannot be put right' });
  sit.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement, { T1: 0 });
  while (sit.table!.pendingSettlements.length > 0) sit.do('PostSettlement', { credits: { T1: 400 } });
  // T1 had been paid 2000, keeps its stake of 1000 and returns 400 of the rest.
  expect(balances(sit)).toEqual([600, 0, 0]);
  expect(sit.table!.shortfalls).toEqual({ T1: { [sit.round]: 600 } });
  expect(sit.account('stakes')).toBe(0);
});

test('[READING 52] corrected twice while it is being paid, a round ends for everyone by its last result', () => {
  const sit = paying();
  const correct = (card: string) =>
    sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card, reason: 'the scan' }, afterSettlement, rich);
  correct('7D');
  sit.do('PostSettlement', { credits: rich });
  sit.do('PostSettlement', { credits: rich });
  // Paid by the second result: T1 after the first, T2 at once, T3 nothing.
  expect(balances(sit)).toEqual([-1000, -1000, -1000]);
  correct('6D');
  expect(sit.table!.pendingSettlements).toMatchObject([{ settlement: `${sit.round}#3`, behind: { T3: null } }]);
  while (sit.table!.pendingSettlements.length > 0) sit.do('PostSettlement', { credits: rich });
  expect(balances(sit)).toEqual([0, 0, 0]);
  expect([sit.account('stakes'), sit.account('house'), sit.account('commission')]).toEqual([0, 0, 0]);
});

test('[READING 52] a payment to a terminal never overtakes an earlier one', () => {
  const sit = paying();
  sit.do('Refer', { reason: 'a', round: sit.round, terminal: 'T3' });
  sit.do('Refer', { reason: 'b', round: sit.round, terminal: 'T2' });
  sit.doByTwo('DecideReferral', { decision: 'void', reason: 'x', referral: 'R1' }, afterSettlement, { T3: 0 });
  expect(sit.table!.pendingSettlements.map(({ settlement, order }) => [settlement.split('#')[1], order])).toEqual([
    ['1', ['T1', 'T2']],
    ['slip1', ['T3']],
  ]);
  expect(sit.do('PostSettlement', {})).toMatchObject([{ settlement: `${sit.round}#slip1`, last: true }]);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(sit.do('PostSettlement', {})).toMatchObject([{ settlement: `${sit.round}#1`, last: true }]);
  expect(balances(sit)).toEqual([1000, 1000, 0]);
  expect(sit.table!.shortfalls).toEqual({});
});

test('[READING 13] a terminal that is out of the round by decision stakes again in the next one', () => {
  const sit = readyTable('tiger').bets({ T1: { player: 1000 } });
  sit.do('Refer', { reason: 'x', terminal: 'T1' });
  sit.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  const again = { round: sit.round, slip: { player: 500 }, credit: 5000 };
  expect(sit.refusal('SetSlip', again, { terminal: 'T1' })).toMatchObject({ refused: 'bets-closed', by: 'ETG 3.2' });
  expect(sit.slip('T2', { player: 500 })).toHaveLength(1);
});

// A round that ended before its table was closed.

const closed = (game = 'tiger'): TableScenario => {
  const sit = readyTable(game).playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  sit.doByTwo('CloseTable', { reason: 'the end of the night' }, managers);
  return sit;
};

test.each([
  ['tiger', 'ETG 5.7', 'ETG 6.3'],
  ['baccarat', 'BAC 5.2', 'HOUSE 9'],
])('[READING 28] %s: a closed table takes no round up again; it is opened first', (game, replayed, corrected) => {
  const sit = closed(game);
  const correct = { round: sit.round, place: 1, card: '2S', reason: 'a two' };
  const refused = { refused: 'table-closed', message: expect.stringContaining('open the table first') as string };
  expect(sit.refusal('CorrectCard', correct, supervisor)).toMatchObject({ ...refused, by: corrected });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  const cards = { cards: ['2C', '9S', '9H', '4D'], unseen: false, reason: 'as they came' };
  expect(sit.refusal('ReconstructRound', cards, supervisor)).toMatchObject({ ...refused, by: replayed });
  expect(sit.table).toMatchObject({ phase: 'idle', closed: true });
  // Opened while the report is open, so that a true report need not be dismissed.
  sit.doByTwo('ReopenTable', { reason: 'a round is put right' }, managers);
  sit.doByTwo('ReconstructRound', cards, afterSettlement, rich);
  expect(sit.table).toMatchObject({ phase: 'dealing', closed: false });
});

test('[READING 28] a correction without a further card is possible at a closed table', () => {
  const sit = closed();
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, rich);
  expect(sit.table).toMatchObject({ phase: 'idle', closed: true });
  expect(sit.balance('T1')).toBe(-1000);
});

test('[READING 17] a round that is played while its table is closed draws on', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { player: 1000 } })
    .close()
    .deal('2S 2C');
  sit.doByTwo('CloseTable', { reason: 'the end of the night' }, managers);
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.doByTwo('ReconstructRound', { cards: ['2C', '2S'], unseen: false, reason: 'the other way round' });
  expect(sit.table).toMatchObject({ phase: 'dealing', closed: true });
  sit.deal('7H 7D').settle();
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'table-closed' });
});
