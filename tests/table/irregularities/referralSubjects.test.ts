import { expect, test } from 'vitest';
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
