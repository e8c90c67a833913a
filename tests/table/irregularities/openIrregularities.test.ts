import { expect, test } from 'vitest';
import { disputedRounds, isDisputedForTerminal } from '../../../src/table/irregularities.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  dealer,
  floor,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// Several irregularities at one table: which leads, which waits, and which settlements they block.

const stakes = { T1: { player: 1000 }, T2: { banker: 500 } };
const dealt = (cards = '9S 2C'): TableScenario => readyTable('baccarat').bets(stakes).close().deal(cards);
const kinds = (scenario: TableScenario) => scenario.table!.openIrregularities.map(({ kind }) => kind);

test('[READING 59] a more serious report leads while a ruling is pending; dismissed, it leaves the earlier one', () => {
  const scenario = dealt();
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(scenario.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({
    refused: 'awaiting-ruling',
    by: 'HOUSE 5',
  });
  expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({ refused: 'awaiting-ruling' });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('ReportIrregularity', { kind: 'drawn-together' });
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  scenario.do('ReportIrregularity', { kind: 'too-few-cards' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('ReportIrregularity', { kind: 'extra-card' });
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(kinds(scenario)).toEqual([
    'foreign-card',
    'extra-card',
    'order-altered',
    'too-few-cards',
    'interruption',
    'drawn-together',
    'wrong-number',
    'wrong-order',
  ]);
  expect(buildDealerView(scenario.table!)).toMatchObject({
    stopped: { kind: 'foreign-card', round: scenario.round },
    waiting: [{ kind: 'extra-card' }, {}, {}, {}, {}, {}, {}],
    next: ['VoidRound', 'DismissReport', 'Refer'],
  });
  // As serious as the leading one.
  expect(scenario.refusal('ReportIrregularity', { kind: 'missing-card' })).toMatchObject({
    refused: 'awaiting-ruling',
  });
  expect(scenario.do('ReportInterruption', { since: 0, stateLost: true })).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
  for (let n = 0; n < 4; n++) scenario.doByTwo('DismissReport', { reason: 'looked at' });
  expect(kinds(scenario)[0]).toBe('interruption');
});

const bySeriousness = [
  ['foreign-card', 'missing-card', 'unshuffled-cards'],
  ['extra-card'],
  ['order-altered'],
  ['too-few-cards'],
  ['interruption'],
  ['drawn-together'],
  ['wrong-number'],
  ['wrong-order'],
  ['unreadable-card'],
] as const;

test('[READING 59] of every two kinds the more serious is taken above the other, and never the reverse', () => {
  const ranked = bySeriousness.flatMap((equal, rank) => equal.map((kind) => ({ kind, rank })));
  for (const game of ['baccarat', 'tiger']) {
    for (const one of ranked) {
      for (const other of ranked) {
        const scenario = readyTable(game).bets(stakes).close().deal('9S 2C');
        const report = (kind: (typeof one)['kind']) =>
          kind === 'interruption'
            ? scenario.submit('ReportInterruption', { since: 0, stateLost: true })
            : scenario.submit('ReportIrregularity', { kind });
        expect(report(one.kind), one.kind).toMatchObject([{}]);
        report(other.kind);
        // An interruption is no report that could be refused: below a more serious kind it waits.
        const waits = other.kind === 'interruption' && one.rank < other.rank ? [other.kind] : [];
        const expected = other.rank < one.rank ? [other.kind, one.kind] : [one.kind, ...waits];
        expect(kinds(scenario), `${game}: ${one.kind}, then ${other.kind}`).toEqual(expected);
      }
    }
    // A face-up card ahead of a round is the least serious: each other kind that concerns the shoe leads it.
    for (const kind of ['foreign-card', 'extra-card', 'order-altered'] as const) {
      const scenario = readyTable(game).bets(stakes);
      scenario.do('ReportIrregularity', { kind: 'face-up-card' });
      scenario.do('ReportIrregularity', { kind });
      expect(kinds(scenario)[0], kind).toBe(kind);
      const reverse = readyTable(game).bets(stakes);
      reverse.do('ReportIrregularity', { kind });
      expect(reverse.submit('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({
        refused: 'awaiting-ruling',
      });
    }
  }
});

test.each(['READING 59', 'HOUSE 1'])('[%s] a report during a referral is ruled on before the decision', () => {
  const scenario = dealt();
  scenario.do('Refer', { reason: 'a patron touched the shoe' });
  expect(scenario.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'awaiting-decision', by: 'HOUSE 1' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  const decide = { decision: 'continue', reason: 'x' } as const;
  for (const refused of [
    scenario.refusal('DecideReferral', decide, shiftManager),
    scenario.refusal('DealCard', { slot: 'P2', card: '9H' }),
    scenario.refusal('ReportIrregularity', { kind: 'wrong-order' }),
  ]) {
    expect(refused).toMatchObject({ refused: 'awaiting-ruling', by: 'BAC 5.4' });
  }
  expect(buildDealerView(scenario.table!).next).toEqual(['RestoreOrder', 'VoidRound', 'DismissReport', 'Refer']);
  expect(buildSupervisorView(scenario.table!).rulings!.rows).toMatchObject([{ terminal: 'T1' }, { terminal: 'T2' }]);
  scenario.doByTwo('RestoreOrder', { reason: 'put back' });
  // The referral is still open.
  expect(buildDealerView(scenario.table!).next).toEqual(['DecideReferral']);
  expect(scenario.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', decide, shiftManager);
  scenario.deal('9H');
});

test('[READING 59] a report that is itself referred waits for its decision, and gets a ruling after a decision to continue', () => {
  const scenario = dealt();
  scenario.do('Refer', { reason: 'x', round: scenario.round, terminal: 'T1' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  // A referral about one terminal does not refer the report.
  scenario.do('Refer', { reason: 'x', terminal: 'T2' });
  expect(buildDealerView(scenario.table!).next).toContain('RestoreOrder');
  scenario.do('Refer', { reason: 'nobody knows how it lay' });
  expect(scenario.refusal('RestoreOrder', { reason: 'x' })).toMatchObject({ refused: 'awaiting-decision' });
  // A more serious report leads again, and changes nothing else.
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(buildDealerView(scenario.table!).next).toEqual(['VoidRound', 'DismissReport', 'Refer']);
  scenario.doByTwo('DismissReport', { reason: 'a stain' });
  expect(buildDealerView(scenario.table!).next).toEqual(['DecideReferral']);
  for (let n = 0; n < 2; n++) scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(scenario.table).toMatchObject({ openIrregularities: [], referrals: [], stoppedSince: null });
});

test('[READING 59] a report about this round gets its ruling first, whatever is referred about an earlier one meanwhile', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  scenario
    .bets({ T2: { banker: 500 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'a complaint' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('Refer', { reason: 'the patron of the first round', round: first });
  expect(buildDealerView(scenario.table!).next).toContain('RestoreOrder');
  scenario.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(scenario.table!.referrals.map(({ round }) => round)).toEqual([scenario.round, first]);
});

test('[READING 52] the refund of a void during a referral waits for the decision and is paid once', () => {
  const scenario = dealt();
  scenario.do('Refer', { reason: 'x' });
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.doByTwo('VoidRound', { reason: 'a blue card' });
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  expect(scenario.balance('T1')).toBe(-1000);
  scenario.do('DecideReferral', { decision: 'stand', reason: 'it is void' }, shiftManager);
  scenario.do('PostSettlement', {});
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')]).toEqual([0, 0, 0]);
});

test('[READING 59] after the ruling on a more serious irregularity the earlier one stays open if it still applies', () => {
  const scenario = dealt('9S 2C 9H');
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.doByTwo('RestoreOrder', { reason: 'put back' });
  expect(kinds(scenario)).toEqual(['unreadable-card']);
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  scenario.confirmFelt().do('ConfirmRuling', {}, supervisor);
  expect(kinds(scenario)).toEqual(['unreadable-card']);
  scenario.doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'by eye' });
  expect(kinds(scenario)).toEqual([]);
  // A void closes every irregularity of the round.
  const over = dealt();
  over.do('ReportIrregularity', { kind: 'wrong-order' });
  over.do('ReportIrregularity', { kind: 'too-few-cards' });
  over.doByTwo('VoidRound', { reason: 'none left' });
  expect(over.table).toMatchObject({ openIrregularities: [], phase: 'idle', round: { ending: { voidBy: 'BAC 5.5' } } });
});

test('[READING 59] a reconstruction closes every irregularity about the card order', () => {
  const scenario = dealt('9S 2C');
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('ReportIrregularity', { kind: 'drawn-together' });
  scenario.doByTwo('ReconstructRound', { cards: ['9S', '2C', '8H'], unseen: false, reason: 'the upper card first' });
  expect(kinds(scenario)).toEqual(['unreadable-card']);
  scenario.do('ReportIrregularity', { kind: 'drawn-together' });
  scenario.doByTwo('ReconstructRound', { cards: ['9S', '2C', '9H', '4D', '8H'], unseen: false, reason: 'x' }).at(-1);
  expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'result' });
});

test('[READING 59] a loose shoe and a settled round are two irregularities: the shoe is locked, the round still needs a ruling', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  expect(scenario.table!.openIrregularities).toMatchObject([
    { kind: 'order-altered', round: null },
    { kind: 'wrong-number', round: scenario.round },
  ]);
  scenario.doByTwo('VoidRound', { reason: 'cannot be restored' });
  expect(scenario.table).toMatchObject({ shoe: { lockedBy: 'BAC 5.4' }, round: { ending: { results: {} } } });
  expect(kinds(scenario)).toEqual(['wrong-number']);
  // A foreign card between rounds locks the shoe and leaves the irregularity of the round.
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(kinds(scenario)).toEqual(['wrong-number']);
});

test('[READING 59] the stopped time counts once, however many irregularities are open', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  const { closesAt } = scenario.table!.round!;
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.wait(1000).do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.wait(1000).doByTwo('DismissReport', { reason: 'x' });
  expect(scenario.table!.round!.closesAt).toBe(closesAt);
  scenario.wait(1000).do('Refer', { reason: 'x' });
  scenario.wait(1000).do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.wait(1000).doByTwo('RestoreOrder', { reason: 'x' });
  expect(scenario.table!.round!.closesAt).toBe(closesAt + 5000);
  // The pause after the result runs from the resumption of the table.
  const entered = dealt('9S 2C 9H');
  entered.do('ReportInterruption', { since: 0, stateLost: true });
  entered.wait(5000).doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'on the felt' });
  entered.wait(5000).do('ConfirmRuling', {}, supervisor);
  expect(entered.table!.round!.resultAt).toBe(entered.at);
});

test.each(['READING 59', 'HOUSE 1'])(
  '[%s] referrals wait in order; the first leads, any of them may be decided, and an unknown one is refused',
  () => {
    const scenario = dealt();
    scenario.do('Refer', { reason: 'one' });
    scenario.do('Refer', { reason: 'two' }, supervisor);
    scenario.do('Refer', { reason: 'three' });
    const go = { decision: 'continue', reason: 'x' } as const;
    expect(scenario.refusal('DecideReferral', { ...go, referral: 'R9' }, shiftManager)).toMatchObject({
      refused: 'not-now',
    });
    expect(scenario.do('DecideReferral', { ...go, referral: 'R2' }, shiftManager)).toMatchObject([{ referral: 'R2' }]);
    expect(scenario.do('DecideReferral', go, shiftManager)).toMatchObject([{ referral: 'R1' }]);
    expect(scenario.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject({ refused: 'awaiting-decision' });
    expect(scenario.do('DecideReferral', go, shiftManager)).toMatchObject([{ referral: 'R3' }]);
    scenario.deal('9H 4D').settle();
  },
);

test.each(['READING 52', 'HOUSE 1'])('[%s] postings of a disputed round wait, and posted amounts are frozen', () => {
  const scenario = readyTable('baccarat', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-ruling', by: 'BAC 5.2' });
  expect(disputedRounds(scenario.table!)).toEqual([{ round: scenario.round, terminals: null }]);
  expect(buildSupervisorView(scenario.table!).frozen).toEqual([{ round: scenario.round, terminals: null }]);
  expect(terminalView(scenario.table!, 'T1').frozen).toBe(true);
  expect(terminalView(scenario.table!, 'T3').frozen).toBe(false);
  scenario.do('Refer', { reason: 'x' });
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision', by: 'HOUSE 1' });
  scenario.doByTwo('DecideReferral', { decision: 'stand', reason: 'x' }, afterSettlement);
  expect([disputedRounds(scenario.table!), isDisputedForTerminal(scenario.table!, scenario.round, 'T1')]).toEqual([
    [],
    false,
  ]);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ last: true }]);
});

test('[READING 52] settlements of other rounds are posted to their end', () => {
  const scenario = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  scenario.do('PostSettlement', {});
  const first = scenario.round;
  const { slips } = scenario.table!.round!;
  scenario.bets(stakes).close().deal('9S 2C 9H 4C').wait(2_000);
  scenario.do('Settle', {});
  scenario.doByTwo('CorrectCard', { round: first, place: 4, card: '5D', reason: 'x', slips }, afterSettlement);
  expect(scenario.table!.pendingSettlements.map(({ round }) => round)).toEqual([scenario.round, first]);
  scenario.do('Refer', { reason: 'about the last one', round: scenario.round });
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ round: first, from: 0 }]);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ round: first, last: true }]);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
});

test('[READING 52] a referral about one terminal freezes that terminal and its posting only', () => {
  const scenario = readyTable('baccarat', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  scenario.do('Refer', { reason: 'posted already', round: scenario.round, terminal: 'T1' });
  expect([terminalView(scenario.table!, 'T1').frozen, terminalView(scenario.table!, 'T2').frozen]).toEqual([
    true,
    false,
  ]);
  scenario.do('Refer', { reason: 'not yet posted', round: scenario.round, terminal: 'T2' });
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', { decision: 'stand', referral: 'R2', reason: 'x' }, shiftManager);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ last: true }]);
});

test('[READING 52] a round with two referrals is paid once both are decided', () => {
  const scenario = dealt(natural);
  scenario.do('Refer', { reason: 'one' });
  scenario.do('Refer', { reason: 'two' });
  const stand = { decision: 'stand', reason: 'x' } as const;
  expect(scenario.do('DecideReferral', stand, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'RoundSettled',
  ]);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', stand, shiftManager);
  expect(scenario.do('PostSettlement', {}, floor)).toMatchObject([{ last: true }]);
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([1000, -500]);
});

test('[READING 52] a referral about no round freezes no terminal', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('Refer', { reason: 'about the shoe' });
  expect(disputedRounds(scenario.table!)).toEqual([]);
  expect(terminalView(scenario.table!, 'T1').frozen).toBe(false);
});

test('a referral about an earlier round freezes no terminal of the round in play', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  const first = scenario.round;
  scenario.bets(stakes).do('Refer', { reason: 'x', round: first });
  expect(disputedRounds(scenario.table!)).toEqual([{ round: first, terminals: null }]);
  expect(terminalView(scenario.table!, 'T1')).toMatchObject({ inRound: true, frozen: false });
});

test('a decision about no round leaves a report about the shoe open', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('Refer', { reason: 'about the shoe' });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(scenario.table).toMatchObject({ referrals: [], openIrregularities: [{ kind: 'order-altered', round: null }] });
});

test('[READING 59] a report that is only noted also waits while a ruling is pending', () => {
  const scenario = dealt();
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(scenario.refusal('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({
    refused: 'awaiting-ruling',
  });
});

test('[READING 54] a report on a settled round is dismissed by the roles that would rule on it', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(scenario.refusal('DismissReport', { reason: 'x' }, dealer)).toMatchObject({ refused: 'not-your-role' });
  scenario.do('DismissReport', { reason: 'x' }, supervisor);
  const { id, hash } = scenario.table!.proposal!;
  const other = { person: 's2', role: 'supervisor' } as const;
  expect(scenario.refusal('Approve', { proposal: id, hash }, other)).toMatchObject({ refused: 'not-your-role' });
  scenario.do('Approve', { proposal: id, hash }, shiftManager);
  // Between rounds, about the shoe alone, the roles of a shoe change are enough.
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.doByTwo('DismissReport', { reason: 'x' });
  expect(scenario.table!.openIrregularities).toEqual([]);
});
