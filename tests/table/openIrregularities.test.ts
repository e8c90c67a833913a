import { expect, test } from 'vitest';
import { disputedRounds, isDisputed } from '../../src/table/irregularities.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import {
  type TableScenario,
  dealer,
  floor,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from './tableScenario.ts';

// Several irregularities at one table: which leads, which waits, and which settlements they block.

const stakes = { T1: { player: 1000 }, T2: { banker: 500 } };
const dealt = (cards = '9S 2C'): TableScenario => readyTable('baccarat').bets(stakes).close().deal(cards);
const kinds = (sit: TableScenario) => sit.table!.openIrregularities.map(({ kind }) => kind);

test('[READING 59] a more serious report leads while a ruling is pending; dismissed, it leaves the earlier one', () => {
  const sit = dealt();
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(sit.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({
    refused: 'awaiting-ruling',
    by: 'HOUSE 5',
  });
  expect(sit.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({ refused: 'awaiting-ruling' });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('ReportIrregularity', { kind: 'drawn-together' });
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  sit.do('ReportIrregularity', { kind: 'too-few-cards' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('ReportIrregularity', { kind: 'extra-card' });
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(kinds(sit)).toEqual([
    'foreign-card',
    'extra-card',
    'order-altered',
    'too-few-cards',
    'interruption',
    'drawn-together',
    'wrong-number',
    'wrong-order',
  ]);
  expect(buildDealerView(sit.table!)).toMatchObject({
    stopped: { kind: 'foreign-card', round: sit.round },
    waiting: [{ kind: 'extra-card' }, {}, {}, {}, {}, {}, {}],
    next: ['VoidRound', 'DismissReport', 'Refer'],
  });
  // As serious as the leading one.
  expect(sit.refusal('ReportIrregularity', { kind: 'missing-card' })).toMatchObject({ refused: 'awaiting-ruling' });
  expect(sit.do('ReportInterruption', { since: 0, stateLost: true })).toMatchObject([{ type: 'InterruptionLogged' }]);
  for (let n = 0; n < 4; n++) sit.doByTwo('DismissReport', { reason: 'looked at' });
  expect(kinds(sit)[0]).toBe('interruption');
});

test('[READING 59] a report during a referral is ruled on before the decision', () => {
  const sit = dealt();
  sit.do('Refer', { reason: 'a patron touched the shoe' });
  expect(sit.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'awaiting-decision', by: 'HOUSE 1' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  const decide = { decision: 'continue', reason: 'x' } as const;
  for (const refused of [
    sit.refusal('DecideReferral', decide, shiftManager),
    sit.refusal('DealCard', { slot: 'P2', card: '9H' }),
    sit.refusal('ReportIrregularity', { kind: 'wrong-order' }),
  ]) {
    expect(refused).toMatchObject({ refused: 'awaiting-ruling', by: 'BAC 5.4' });
  }
  expect(buildDealerView(sit.table!).next).toEqual(['RestoreOrder', 'VoidRound', 'DismissReport', 'Refer']);
  expect(buildSupervisorView(sit.table!).rulings!.rows).toMatchObject([{ terminal: 'T1' }, { terminal: 'T2' }]);
  sit.doByTwo('RestoreOrder', { reason: 'put back' });
  // The referral is still open.
  expect(buildDealerView(sit.table!).next).toEqual(['DecideReferral']);
  expect(sit.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', decide, shiftManager);
  sit.deal('9H');
});

test('[READING 59] a report that is referred itself waits for its decision, and is ruled on where that is to continue', () => {
  const sit = dealt();
  sit.do('Refer', { reason: 'x', round: sit.round, terminal: 'T1' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  // A referral about one terminal does not refer the report.
  sit.do('Refer', { reason: 'x', terminal: 'T2' });
  expect(buildDealerView(sit.table!).next).toContain('RestoreOrder');
  sit.do('Refer', { reason: 'nobody knows how it lay' });
  expect(sit.refusal('RestoreOrder', { reason: 'x' })).toMatchObject({ refused: 'awaiting-decision' });
  // A more serious report leads again, and changes nothing else.
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(buildDealerView(sit.table!).next).toEqual(['VoidRound', 'DismissReport', 'Refer']);
  sit.doByTwo('DismissReport', { reason: 'a stain' });
  expect(buildDealerView(sit.table!).next).toEqual(['DecideReferral']);
  for (let n = 0; n < 2; n++) sit.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(sit.table).toMatchObject({ openIrregularities: [], referrals: [], stoppedSince: null });
});

test('[READING 59] a report of this round is ruled on first, whatever is referred of an earlier one meanwhile', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = sit.round;
  sit
    .bets({ T2: { banker: 500 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'a complaint' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('Refer', { reason: 'the patron of the first round', round: first });
  expect(buildDealerView(sit.table!).next).toContain('RestoreOrder');
  sit.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(sit.table!.referrals.map(({ round }) => round)).toEqual([sit.round, first]);
});

test('[READING 52] the refund of a void during a referral waits for the decision and is paid once', () => {
  const sit = dealt();
  sit.do('Refer', { reason: 'x' });
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.doByTwo('VoidRound', { reason: 'a blue card' });
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  expect(sit.balance('T1')).toBe(-1000);
  sit.do('DecideReferral', { decision: 'stand', reason: 'it is void' }, shiftManager);
  sit.do('PostSettlement', {});
  expect([sit.balance('T1'), sit.balance('T2'), sit.account('stakes')]).toEqual([0, 0, 0]);
});

test('[READING 59] after the ruling on a more serious irregularity the earlier one stays open if it still applies', () => {
  const sit = dealt('9S 2C 9H');
  sit.do('ReportIrregularity', { kind: 'unreadable-card' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(kinds(sit)).toEqual(['unreadable-card']);
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  sit.confirmFelt().do('ConfirmRuling', {}, supervisor);
  expect(kinds(sit)).toEqual(['unreadable-card']);
  sit.doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'by eye' });
  expect(kinds(sit)).toEqual([]);
  // A void closes every irregularity of the round.
  const over = dealt();
  over.do('ReportIrregularity', { kind: 'wrong-order' });
  over.do('ReportIrregularity', { kind: 'too-few-cards' });
  over.doByTwo('VoidRound', { reason: 'none left' });
  expect(over.table).toMatchObject({ openIrregularities: [], phase: 'idle', round: { ending: { voidBy: 'BAC 5.5' } } });
});

test('[READING 59] a reconstruction closes every irregularity about the card order', () => {
  const sit = dealt('9S 2C');
  sit.do('ReportIrregularity', { kind: 'unreadable-card' });
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.do('ReportIrregularity', { kind: 'drawn-together' });
  sit.doByTwo('ReconstructRound', { cards: ['9S', '2C', '8H'], unseen: false, reason: 'the upper card first' });
  expect(kinds(sit)).toEqual(['unreadable-card']);
  sit.do('ReportIrregularity', { kind: 'drawn-together' });
  sit.doByTwo('ReconstructRound', { cards: ['9S', '2C', '9H', '4D', '8H'], unseen: false, reason: 'x' }).at(-1);
  expect(sit.table).toMatchObject({ openIrregularities: [], phase: 'result' });
});

test('[READING 59] a loose shoe and a settled round are two irregularities: the shoe is locked, the round still needs a ruling', () => {
  const sit = readyTable('baccarat').playRound(natural, stakes);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  expect(sit.table!.openIrregularities).toMatchObject([
    { kind: 'order-altered', round: null },
    { kind: 'wrong-number', round: sit.round },
  ]);
  sit.doByTwo('VoidRound', { reason: 'cannot be restored' });
  expect(sit.table).toMatchObject({ shoe: { lockedBy: 'BAC 5.4' }, round: { ending: { results: {} } } });
  expect(kinds(sit)).toEqual(['wrong-number']);
  // A foreign card between rounds locks the shoe and leaves the irregularity of the round.
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(kinds(sit)).toEqual(['wrong-number']);
});

test('[READING 59] the stopped time counts once, however many irregularities are open', () => {
  const sit = readyTable('baccarat').bets(stakes);
  const { closesAt } = sit.table!.round!;
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.wait(1000).do('ReportIrregularity', { kind: 'foreign-card' });
  sit.wait(1000).doByTwo('DismissReport', { reason: 'x' });
  expect(sit.table!.round!.closesAt).toBe(closesAt);
  sit.wait(1000).do('Refer', { reason: 'x' });
  sit.wait(1000).do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.wait(1000).doByTwo('RestoreOrder', { reason: 'x' });
  expect(sit.table!.round!.closesAt).toBe(closesAt + 5000);
  // The pause after the result runs from the resumption of the table.
  const entered = dealt('9S 2C 9H');
  entered.do('ReportInterruption', { since: 0, stateLost: true });
  entered.wait(5000).doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'on the felt' });
  entered.wait(5000).do('ConfirmRuling', {}, supervisor);
  expect(entered.table!.round!.resultAt).toBe(entered.at);
});

test('[READING 59] referrals wait in a line; the first leads, any of them may be decided, and an unknown one is refused', () => {
  const sit = dealt();
  sit.do('Refer', { reason: 'one' });
  sit.do('Refer', { reason: 'two' }, supervisor);
  sit.do('Refer', { reason: 'three' });
  const go = { decision: 'continue', reason: 'x' } as const;
  expect(sit.refusal('DecideReferral', { ...go, referral: 'R9' }, shiftManager)).toMatchObject({ refused: 'not-now' });
  expect(sit.do('DecideReferral', { ...go, referral: 'R2' }, shiftManager)).toMatchObject([{ referral: 'R2' }]);
  expect(sit.do('DecideReferral', go, shiftManager)).toMatchObject([{ referral: 'R1' }]);
  expect(sit.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject({ refused: 'awaiting-decision' });
  expect(sit.do('DecideReferral', go, shiftManager)).toMatchObject([{ referral: 'R3' }]);
  sit.deal('9H 4D').settle();
});

test('[READING 52] postings of a disputed round wait, and posted amounts are frozen', () => {
  const sit = readyTable('baccarat', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-ruling', by: 'BAC 5.2' });
  expect(disputedRounds(sit.table!)).toEqual([{ round: sit.round, terminals: null }]);
  expect(buildSupervisorView(sit.table!).frozen).toEqual([{ round: sit.round, terminals: null }]);
  expect(terminalView(sit.table!, 'T1').frozen).toBe(true);
  expect(terminalView(sit.table!, 'T3').frozen).toBe(false);
  sit.do('Refer', { reason: 'x' });
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision', by: 'HOUSE 1' });
  sit.doByTwo('DecideReferral', { decision: 'stand', reason: 'x' }, afterSettlement);
  expect([disputedRounds(sit.table!), isDisputed(sit.table!, sit.round, 'T1')]).toEqual([[], false]);
  expect(sit.do('PostSettlement', {})).toMatchObject([{ last: true }]);
});

test('[READING 52] settlements of other rounds are posted to their end', () => {
  const sit = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('PostSettlement', {});
  const first = sit.round;
  const { slips } = sit.table!.round!;
  sit.bets(stakes).close().deal('9S 2C 9H 4C').wait(2_000);
  sit.do('Settle', {});
  sit.doByTwo('CorrectCard', { round: first, place: 4, card: '5D', reason: 'x', slips }, afterSettlement);
  expect(sit.table!.pendingSettlements.map(({ round }) => round)).toEqual([sit.round, first]);
  sit.do('Refer', { reason: 'about the last one', round: sit.round });
  expect(sit.do('PostSettlement', {})).toMatchObject([{ round: first, from: 0 }]);
  expect(sit.do('PostSettlement', {})).toMatchObject([{ round: first, last: true }]);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
});

test('[READING 52] a referral about one terminal freezes that terminal and its posting only', () => {
  const sit = readyTable('baccarat', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('Refer', { reason: 'posted already', round: sit.round, terminal: 'T1' });
  expect([terminalView(sit.table!, 'T1').frozen, terminalView(sit.table!, 'T2').frozen]).toEqual([true, false]);
  sit.do('Refer', { reason: 'not yet posted', round: sit.round, terminal: 'T2' });
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', { decision: 'stand', referral: 'R2', reason: 'x' }, shiftManager);
  expect(sit.do('PostSettlement', {})).toMatchObject([{ last: true }]);
});

test('[READING 52] a round with two referrals is paid once both are decided', () => {
  const sit = dealt(natural);
  sit.do('Refer', { reason: 'one' });
  sit.do('Refer', { reason: 'two' });
  const stand = { decision: 'stand', reason: 'x' } as const;
  expect(sit.do('DecideReferral', stand, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'RoundSettled',
  ]);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', stand, shiftManager);
  expect(sit.do('PostSettlement', {}, floor)).toMatchObject([{ last: true }]);
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([1000, -500]);
});

test('[READING 52] a referral about no round freezes no terminal', () => {
  const sit = readyTable('baccarat').playRound(natural, stakes);
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('Refer', { reason: 'about the shoe' });
  expect(disputedRounds(sit.table!)).toEqual([]);
  expect(terminalView(sit.table!, 'T1').frozen).toBe(false);
});

test('[READING 59] a report that is only noted also waits while a ruling is pending', () => {
  const sit = dealt();
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(sit.refusal('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({ refused: 'awaiting-ruling' });
});

test('[READING 54] a report on a settled round is dismissed by the roles that would rule on it', () => {
  const sit = readyTable('baccarat').playRound(natural, stakes);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(sit.refusal('DismissReport', { reason: 'x' }, dealer)).toMatchObject({ refused: 'not-your-role' });
  sit.do('DismissReport', { reason: 'x' }, supervisor);
  const { id, hash } = sit.table!.proposal!;
  const other = { person: 's2', role: 'supervisor' } as const;
  expect(sit.refusal('Approve', { proposal: id, hash }, other)).toMatchObject({ refused: 'not-your-role' });
  sit.do('Approve', { proposal: id, hash }, shiftManager);
  // Between rounds, about the shoe alone, the roles of a shoe change are enough.
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.doByTwo('DismissReport', { reason: 'x' });
  expect(sit.table!.openIrregularities).toEqual([]);
});
