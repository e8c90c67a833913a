import { expect, test } from 'vitest';
import { type TableScenario, afterSettlement, natural, readyTable, shiftManager } from '../tableScenario.ts';

// Decisions of the Gaming Shift Manager at the edge: one terminal, another round, a shoe that is gone.

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('a decision to continue about a reported settled round changes nothing, and the shift manager makes it alone', () => {
  const scenario = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  const go = { decision: 'continue', reason: 'look again' } as const;
  expect(scenario.do('DecideReferral', go, shiftManager)).toMatchObject([{ type: 'ReferralDecided' }]);
  expect(scenario.table).toMatchObject({ referrals: [], openIrregularities: [{ kind: 'wrong-number' }] });
});

test('a decision that the result stands for one terminal is made by the shift manager alone and dismisses no report', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  const decided = scenario.do('DecideReferral', { decision: 'stand', terminal: 'T1', reason: 'x' }, shiftManager);
  expect(decided).toMatchObject([{ type: 'ReferralDecided', terminal: 'T1' }]);
  expect(scenario.table).toMatchObject({ referrals: [], openIrregularities: [{ kind: 'wrong-number' }] });
  const dealing = dealt('9S 2C', 'baccarat');
  dealing.do('Refer', { reason: 'x', terminal: 'T1' });
  const other = { decision: 'stand', terminal: 'T2', reason: 'x' } as const;
  expect(dealing.refusal('DecideReferral', other, shiftManager)).toMatchObject({
    refused: 'no-such-slip',
    message: 'The referral is about T1; leave the terminal out.',
  });
  expect(dealing.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)).toHaveLength(1);
});

test('a decision to void a round whose shoe has left the table locks no other shoe', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.shoe('S2').do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  const decided = scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement, { T1: 5000 });
  expect(decided.map(({ type }) => type)).toEqual([
    'Approved',
    'ReferralDecided',
    'RoundResettled',
    'SettlementPosted',
  ]);
  expect(scenario.table!.shoe).toMatchObject({ id: 'S2', lockedBy: null });
});

test('a decision on an earlier round takes no account of a report about the round in play', () => {
  const scenario = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  const { slips } = structuredClone(scenario.table!.round!);
  scenario
    .bets({ T2: { banker: 500 } })
    .close()
    .deal('9S');
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('Refer', { reason: 'the patron of the first round', round: first });
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x', slips }, afterSettlement, { T1: 5000 });
  expect(scenario.table).toMatchObject({
    openIrregularities: [{ kind: 'order-altered' }],
    shoe: { lockedBy: null },
    history: [{ id: first, ending: { voidBy: 'HOUSE 1' } }],
    round: { ending: null },
  });
});

test('a round with an unreadable card is void by decision, without a confirmation of the felt', () => {
  const scenario = dealt('9S', 'baccarat');
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  scenario.do('Refer', { reason: 'x' });
  const events = scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  expect(events[1]).toMatchObject({ type: 'RoundVoided', by: 'HOUSE 9' });
});

test('a decision to burn a card is for the whole table', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  const burn = { decision: 'burn', terminal: 'T1', reason: 'seen' } as const;
  expect(scenario.refusal('DecideReferral', burn, shiftManager)).toMatchObject({ refused: 'bad-request' });
});

test('a decision to void a round with a foreign card locks the shoe once, whether or not it says so', () => {
  for (const lock of [true, false]) {
    const scenario = dealt('9S 2C');
    scenario.do('ReportIrregularity', { kind: 'foreign-card' });
    scenario.do('Refer', { reason: 'x' });
    const events = scenario.do('DecideReferral', { decision: 'void', lock, reason: 'x' }, shiftManager);
    expect(events).toMatchObject([
      { type: 'ReferralDecided' },
      { type: 'RoundVoided' },
      { type: 'SettlementPosted' },
      { type: 'ShoeLocked', by: 'ETG 5.1.1' },
    ]);
  }
});
