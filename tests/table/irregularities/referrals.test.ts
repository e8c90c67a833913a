import { expect, test } from 'vitest';
import { publicView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
  managers,
  afterSettlement,
  natural,
} from '../tableScenario.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('[ETG 6.1] a referral freezes the table until the Gaming Shift Manager decides, with a reason', () => {
  const scenario = dealt('9S 2C');
  expect(scenario.do('Refer', { reason: 'a dispute about a chip' })).toMatchObject([
    { type: 'Referred', by: 'ETG 6.1' },
  ]);
  expect(publicView(scenario.table!).referred).toEqual({ by: 'ETG 6.1' });
  const frozen = { refused: 'awaiting-decision', by: 'ETG 6.1' };
  expect(scenario.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject(frozen);
  expect(scenario.refusal('Settle', {})).toMatchObject(frozen);
  expect(scenario.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'incomplete-deal',
  });
  expect(scenario.refusal('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-ruling',
  });
  const decided = scenario.do('DecideReferral', { decision: 'continue', reason: 'the chip was in time' }, shiftManager);
  expect(decided).toMatchObject([
    { type: 'ReferralDecided', decision: 'continue', by: 'ETG 6.1', reason: 'the chip was in time' },
  ]);
  expect(scenario.refusal('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'not-now',
  });
  scenario.deal('9H 4D').settle();
});

test('[HOUSE 1] no timer runs while a table is frozen', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  scenario.wait(20_000).do('CallClose', {});
  const { deadline } = scenario.table!.round!;
  scenario.do('Refer', { reason: 'a dispute' });
  expect(scenario.refusal('SetSlip', { round: scenario.round, slip: {}, credit: 0 }, { terminal: 'T1' })).toMatchObject(
    {
      refused: 'awaiting-decision',
      by: 'HOUSE 1',
    },
  );
  scenario.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(scenario.table!.round!.deadline).toBe(deadline! + 60_000);
  const result = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  const { resultAt } = result.table!.round!;
  result.do('Refer', { reason: 'a dispute' });
  result.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(result.table!.round!.resultAt).toBe(resultAt! + 60_000);
});

test('[HOUSE 1] a decision to stand settles a complete round at once; without a round it does nothing', () => {
  const scenario = dealt('9S 2C 9H 4D', 'baccarat');
  scenario.do('Refer', { reason: 'a dispute' });
  const events = scenario.do('DecideReferral', { decision: 'stand', reason: 'as dealt' }, shiftManager);
  expect(events).toMatchObject([
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundSettled' },
    { type: 'SettlementPosted' },
  ]);
  scenario.do('Refer', { reason: 'a complaint' });
  expect(scenario.do('DecideReferral', { decision: 'stand', reason: 'explained' }, shiftManager)).toHaveLength(1);
});

test('[HOUSE 1] a decision to void returns the stakes, after settlement by reversal; the shoe is locked if its cards are doubtful', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  scenario.do('Refer', { reason: 'a dispute' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'nobody can tell' }, shiftManager);
  expect(scenario.table).toMatchObject({
    phase: 'idle',
    round: { ending: { voidBy: 'HOUSE 1' } },
    shoe: { lockedBy: null },
  });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 0]);
  scenario.do('Refer', { reason: 'another', round: scenario.round });
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'over' }, shiftManager);
  scenario.playRound('9S 2C 9H 4D', stakes).do('Refer', { reason: 'a complaint', round: scenario.round });
  expect(() => scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement)).toThrow(
    'missing-credits',
  );
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'agreed', lock: true }, afterSettlement, { T2: 1000 });
  expect(scenario.table).toMatchObject({ shoe: { lockedBy: 'HOUSE 1' } });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 0]);
});

test.each(['READING 29', 'HOUSE 1'])('[%s] a void that a clause commands cannot be decided otherwise', () => {
  const scenario = dealt('9S 2C 9H 4D');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.do('Refer', { reason: 'the patron insists' });
  const decide = (decision: 'stand' | 'continue' | 'void') => ({ decision, reason: 'looked at' });
  expect(scenario.refusal('DecideReferral', decide('stand'), shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'ETG 5.1',
  });
  scenario.do('DecideReferral', decide('continue'), shiftManager);
  expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'awaiting-ruling', by: 'ETG 5.1' });
  scenario.do('Refer', { reason: 'again' });
  scenario.do('DecideReferral', decide('void'), shiftManager);
  expect(scenario.table).toMatchObject({ openIrregularities: [], shoe: { lockedBy: 'ETG 5.1.1' } });
});

test('[HOUSE 4] a burned card counts as out; if it is one too many, the table stops, or the shoe is locked', () => {
  const burn = (scenario: TableScenario) => {
    scenario.do('ReportIrregularity', { kind: 'face-up-card' });
    scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return scenario.doByTwo('BurnCard', { card: 'KS', reason: 'decided' });
  };
  const kings = () => readyTable('baccarat').playRound('KS KS KS KS 9S 9H').playRound('KS KS KS KS 9D 9C');
  const between = [{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: false }, { type: 'ShoeLocked' }];
  expect(burn(kings())).toMatchObject(between);
  expect(burn(kings().bets())).toMatchObject([{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: true }]);
});

test('a ruling needs a report that offers it', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  const none = { refused: 'no-such-ruling', by: 'HOUSE 1' };
  expect(scenario.refusal('BurnCard', { card: 'KD', reason: 'x' })).toMatchObject(none);
  expect(scenario.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject(none);
  expect(scenario.refusal('RestoreOrder', { reason: 'x' })).toMatchObject(none);
});

test('a report about the last round can be dismissed when its shoe is gone', () => {
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D');
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('DismissReport', { reason: 'counted again' }, afterSettlement);
  expect(scenario.table!.openIrregularities).toEqual([]);
});

test('before the first round a referral voids nothing; a commanded ruling is refused with the allowed ones', () => {
  const scenario = readyTable('tiger');
  scenario.do('Refer', { reason: 'x' });
  const decide = (decision: 'void' | 'stand') =>
    scenario.refusal('DecideReferral', { decision, reason: 'x' }, shiftManager);
  expect(decide('void')).toMatchObject({ refused: 'no-such-round' });
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.bets().close().deal('9S');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.do('Refer', { reason: 'x' });
  expect(decide('stand').message).toBe(
    'The open irregularity does not allow that decision; decide "continue", then send VoidRound, DismissReport, Refer.',
  );
});

test('a count by the table itself cannot be decided otherwise', () => {
  const scenario = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets()
    .close()
    .deal('KS');
  scenario.do('Refer', { reason: 'x' });
  const refused = scenario.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(refused.message).toBe(
    'The open irregularity does not allow that decision; decide "continue", then send CorrectCard, VoidRound, Refer.',
  );
});

test('[HOUSE 1] the shift manager may let a reported round stand, if no clause commands a void', () => {
  const scenario = readyTable('baccarat')
    .bets({ T1: { player: 1000 } })
    .close()
    .deal(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('Refer', { reason: 'the camera shows nothing wrong' });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  expect(scenario.do('DecideReferral', stand, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'RoundSettled',
    'SettlementPosted',
  ]);
  expect(scenario.table!.openIrregularities).toEqual([]);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  scenario.doByTwo('DecideReferral', stand, afterSettlement);
  expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'idle' });
});

test('[READING 54] a decision to let a settled round stand dismisses its report, and so needs the same two persons; without a report the shift manager decides alone', () => {
  const scenario = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  expect(scenario.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  expect(scenario.table!.openIrregularities).toMatchObject([{ kind: 'wrong-number' }]);
  scenario.doByTwo('DecideReferral', stand, afterSettlement);
  expect(scenario.table!.openIrregularities).toEqual([]);
  scenario.do('Refer', { reason: 'x', round: scenario.round });
  expect(scenario.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'ReferralDecided' }]);
});

test('[HOUSE 4] a card that the shift manager decided to burn is burned, not dismissed', () => {
  const scenario = readyTable('baccarat').bets();
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  expect(scenario.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('a void round leaves nothing to rule on, whatever the table deals now', () => {
  const scenario = readyTable('tiger').bets({ T1: { tiger: 1000 } });
  scenario.do('VoidRound', { reason: 'x' });
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.doByTwo('ChangeSettings', { settings: defaultSettings('fabulous-4') }, managers);
  scenario.do('Refer', { reason: 'a complaint', round: scenario.round });
  expect(buildSupervisorView(scenario.table!).rulings!.rows).toMatchObject([
    { paid: 1000, back: { void: 1000, stand: 1000, continue: null } },
  ]);
});

test.each(['READING 55', 'HOUSE 1'])('[%s] a decision changes the round that the referral names, and no other', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  scenario.doByTwo('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 0 });
  const { slips } = scenario.table!.round!;
  scenario
    .bets({ T2: { banker: 500 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'the patron of the first round', round: first });
  const decide = { decision: 'void', reason: 'agreed' } as const;
  expect(scenario.refusal('DecideReferral', decide, supervisor)).toMatchObject({
    refused: 'slips-differ',
    by: 'ETG 6.1',
  });
  scenario.doByTwo('DecideReferral', { ...decide, slips }, afterSettlement, { T1: 0 });
  expect(scenario.table).toMatchObject({
    phase: 'dealing',
    round: { id: scenario.round, ending: null, cards: ['9S'] },
  });
  expect(scenario.table!.history[0]).toMatchObject({ id: first, ending: { voidBy: 'ETG 6.1' } });
  expect(scenario.table!.shortfalls).toEqual({ T1: { [first]: 2000 } });
  scenario.deal('2C 9H 4D').settle();
});

test('[READING 55] between rounds a referral is about no round unless it names one: it may lock the shoe, and voids nothing', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(scenario.table!.referrals[0]!.round).toBeNull();
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
    by: 'HOUSE 1',
  });
  expect(scenario.do('DecideReferral', { decision: 'burn', reason: 'x', lock: true }, shiftManager)).toMatchObject([
    { type: 'ShoeLocked', by: 'HOUSE 1' },
    { type: 'ReferralDecided', decision: 'burn' },
  ]);
  scenario.doByTwo('BurnCard', { card: 'KD', reason: 'decided' });
  expect(scenario.table).toMatchObject({
    openIrregularities: [],
    shoe: { lockedBy: 'HOUSE 1' },
    round: { ending: { results: {} } },
  });
  expect(scenario.refusal('Refer', { reason: 'x', round: 'sg1/B1/none' })).toMatchObject({ refused: 'no-such-round' });
  expect(scenario.refusal('Refer', { reason: 'x', terminal: 'T1' })).toMatchObject({ refused: 'no-such-round' });
});

test('[READING 55] a face-up card after a complete deal is no card of the round, and no decision on it voids the round', () => {
  const scenario = dealt(natural, 'baccarat');
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  scenario.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
  scenario.doByTwo('BurnCard', { card: 'KD', reason: 'decided' });
  scenario.settle();
});

test('[HOUSE 1] any decision may lock the shoe; without a shoe such a decision is refused', () => {
  for (const decision of ['stand', 'continue', 'void'] as const) {
    const scenario = dealt(natural, 'baccarat');
    scenario.do('Refer', { reason: 'x' });
    scenario.do('DecideReferral', { decision, lock: true, reason: 'a doubt about the shoe' }, shiftManager);
    expect(scenario.table!.shoe!.lockedBy).toBe('HOUSE 1');
    if (decision === 'continue') scenario.settle();
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'HOUSE 1' });
  }
  const shoeless = readyTable('baccarat').playRound(natural, stakes);
  shoeless.doByTwo('EndShoe', { seen: {} });
  shoeless.do('Refer', { reason: 'x' });
  expect(
    shoeless.refusal('DecideReferral', { decision: 'stand', lock: true, reason: 'x' }, shiftManager),
  ).toMatchObject({
    refused: 'shoe-not-ready',
    by: 'HOUSE 1',
  });
});

test.each(['READING 53', 'HOUSE 1'])(
  '[%s] a decision that reverses paid money needs a supervisor and the Gaming Shift Manager',
  () => {
    const scenario = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
    scenario.do('Refer', { reason: 'a complaint', round: scenario.round });
    const decide = { decision: 'void', reason: 'agreed' } as const;
    expect(scenario.refusal('DecideReferral', decide)).toMatchObject({ refused: 'not-your-role', by: 'HOUSE 2' });
    expect(scenario.do('DecideReferral', decide, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
    const { id, hash } = scenario.table!.proposal!;
    expect(scenario.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'same-person' });
    expect(scenario.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({ refused: 'not-your-role' });
    scenario.doByTwo('DecideReferral', decide, afterSettlement, { T1: 1000 });
    expect(scenario.table).toMatchObject({ referrals: [], round: { ending: { voidBy: 'HOUSE 1' } } });
  },
);

test.each(['READING 53', 'HOUSE 1'])('[%s] the referrer does not decide alone', () => {
  const scenario = dealt('9S 2C');
  const go = { decision: 'continue', reason: 'x' } as const;
  scenario.do('Refer', { reason: 'x' }, shiftManager);
  expect(scenario.do('DecideReferral', go, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'same-person' });
  scenario.doByTwo('DecideReferral', go, afterSettlement);
  scenario.do('Refer', { reason: 'x' }, shiftManager);
  const another = { person: 'g2', role: 'gaming-shift-manager' } as const;
  expect(scenario.do('DecideReferral', go, another)).toMatchObject([{ type: 'ReferralDecided' }]);
  expect(scenario.refusal('DecideReferral', go, supervisor)).toMatchObject({ refused: 'not-your-role' });
  scenario.do('Refer', { reason: 'x' }, supervisor);
  const acting = { ...supervisor, acting: 'gaming-shift-manager', until: scenario.at + 1_000 } as const;
  expect(scenario.do('DecideReferral', go, acting)).toMatchObject([{ type: 'Proposed' }]);
});

test.each(['READING 13', 'HOUSE 1'])('[%s] a referral decided for one terminal stays open for the others', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 }, T2: { player: 500 } });
  scenario.do('Refer', { reason: 'x', round: scenario.round });
  scenario.doByTwo('DecideReferral', { decision: 'void', terminal: 'T1', reason: 'x' }, afterSettlement, { T1: 2000 });
  expect(scenario.table!.referrals).toMatchObject([{ id: 'R1', terminals: null }]);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(scenario.table!.referrals).toEqual([]);
});

test('[READING 18] a carried card that is burned has left the shoe once', () => {
  const scenario = dealt(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('ReconstructRound', { cards: scenario.table!.round!.cards, unseen: true, reason: 'one too many' });
  scenario.settle();
  expect(scenario.table!.shoe).toMatchObject({ drawn: 5, carried: true });
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  scenario.doByTwo('BurnCard', { card: '5C', reason: 'seen' });
  expect(scenario.table!.shoe).toMatchObject({ drawn: 5, carried: false });
});

test('[READING 18] a card to burn is burned even when the shoe is locked meanwhile', () => {
  const scenario = dealt(natural);
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.doByTwo('VoidRound', { reason: 'x' });
  expect(scenario.table).toMatchObject({
    openIrregularities: [{ kind: 'face-up-before' }],
    shoe: { lockedBy: 'ETG 5.1.1' },
  });
  scenario.doByTwo('BurnCard', { card: '5C', reason: 'seen' });
  expect(scenario.table).toMatchObject({ openIrregularities: [], shoe: { drawn: 5 } });
});

test('[READING 47] a round is referred by its own rulebook', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  scenario.doByTwo('EndShoe', { seen: {} });
  const { profile, ...settings } = defaultSettings('baccarat');
  const approved = [...profile.approved, scenario.table!.settings.game];
  scenario.doByTwo('ChangeSettings', { settings: { ...settings, profile: { ...profile, approved } } }, managers);
  scenario.shoe('S2').bets();
  expect(scenario.do('Refer', { reason: 'x', round: first })).toMatchObject([{ by: 'ETG 6.1' }]);
  const slips = { T1: { player: 1000 } };
  const events = scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x', slips }, afterSettlement, {
    T1: 0,
  });
  expect(events.slice(1)).toMatchObject([
    { type: 'ReferralDecided', by: 'ETG 6.1' },
    { type: 'RoundResettled', by: 'ETG 6.1' },
    { type: 'SettlementPosted', shortfalls: { T1: 1000 } },
  ]);
  expect(scenario.do('Refer', { reason: 'x' })).toMatchObject([{ by: 'HOUSE 1' }]);
});

test('[READING 55] the supervisor sees the returns of a decision on an earlier round, once its slips are loaded', () => {
  const early = readyTable('tiger');
  early.do('CorrectCut', { behind: 15, reason: 'x' });
  expect(buildSupervisorView(early.table!).rulings).toBeNull();
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  scenario.doByTwo('CorrectCut', { behind: 15, reason: 'x' });
  scenario.bets();
  scenario.do('Refer', { reason: 'x', round: first });
  expect(buildSupervisorView(scenario.table!).rulings).toBeNull();
  const decide = { decision: 'void', reason: 'x', slips: { T1: { player: 1000 } } } as const;
  scenario.do('DecideReferral', decide, supervisor);
  expect(buildSupervisorView(scenario.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', staked: 1000, paid: 2000, back: { void: 1000, stand: 2000 } },
  ]);
  scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  // A round without slips needs none.
  const bare = readyTable('tiger').playRound(natural);
  const earlier = bare.round;
  bare.bets().do('Refer', { reason: 'x', round: earlier });
  bare.do('DecideReferral', { decision: 'void', reason: 'x' }, supervisor);
  expect(buildSupervisorView(bare.table!).rulings!.rows).toEqual([]);
});

test('[READING 61] after an interruption the refusal names the commands that are possible then', () => {
  const stand = { decision: 'stand', reason: 'x' } as const;
  const summaryOf = (scenario: TableScenario, isSupervisor = false): string => {
    scenario.do('ReportInterruption', { since: scenario.at, stateLost: true });
    if (isSupervisor) scenario.confirmFelt();
    scenario.do('Refer', { reason: 'x' });
    return scenario.refusal('DecideReferral', stand, shiftManager).message;
  };
  expect(summaryOf(readyTable('baccarat').bets(stakes))).toContain('send ConfirmRuling, Refer.');
  expect(summaryOf(dealt('2S', 'baccarat'))).toContain('send EnterCard, ConfirmFelt, Refer.');
  expect(summaryOf(dealt('2S', 'baccarat'), true)).toContain('send ConfirmRuling, EnterCard, Refer.');
  expect(summaryOf(dealt(natural, 'baccarat'))).toContain('send ConfirmRuling, Refer.');
});

test('[READING 13] a terminal is referred in a round where it has stakes, at a table that has terminals', () => {
  const scenario = dealt('9S', 'baccarat');
  expect(scenario.refusal('Refer', { reason: 'x', terminal: 'T9' })).toMatchObject({
    refused: 'no-such-slip',
    by: 'HOUSE 1',
  });
  const chips = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(chips.refusal('Refer', { reason: 'x', terminal: 'T1' })).toMatchObject({ refused: 'no-terminals' });
});
