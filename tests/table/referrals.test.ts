import { expect, test } from 'vitest';
import { publicView } from '../../src/table/views/publicView.ts';
import {
  type TableScenario,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
  managers,
  afterSettlement,
  natural,
} from './tableScenario.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('[ETG 6.1] a referral freezes the table until the Gaming Shift Manager decides, with a reason', () => {
  const sit = dealt('9S 2C');
  expect(sit.do('Refer', { reason: 'a dispute about a chip' })).toMatchObject([{ type: 'Referred', by: 'ETG 6.1' }]);
  expect(publicView(sit.table!).referred).toEqual({ by: 'ETG 6.1' });
  const frozen = { refused: 'awaiting-decision', by: 'ETG 6.1' };
  expect(sit.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject(frozen);
  expect(sit.refusal('Settle', {})).toMatchObject(frozen);
  expect(sit.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'incomplete-deal',
  });
  expect(sit.refusal('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-ruling',
  });
  const decided = sit.do('DecideReferral', { decision: 'continue', reason: 'the chip was in time' }, shiftManager);
  expect(decided).toMatchObject([
    { type: 'ReferralDecided', decision: 'continue', by: 'ETG 6.1', reason: 'the chip was in time' },
  ]);
  expect(sit.refusal('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'not-now',
  });
  sit.deal('9H 4D').settle();
});

test('[HOUSE 1] no timer runs while a table is frozen', () => {
  const sit = readyTable('baccarat').bets(stakes);
  sit.wait(20_000).do('CallClose', {});
  const { deadline } = sit.table!.round!;
  sit.do('Refer', { reason: 'a dispute' });
  expect(sit.refusal('SetSlip', { round: sit.round, slip: {}, credit: 0 }, { terminal: 'T1' })).toMatchObject({
    refused: 'awaiting-decision',
    by: 'HOUSE 1',
  });
  sit.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(sit.table!.round!.deadline).toBe(deadline! + 60_000);
  const result = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  const { resultAt } = result.table!.round!;
  result.do('Refer', { reason: 'a dispute' });
  result.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(result.table!.round!.resultAt).toBe(resultAt! + 60_000);
});

test('[HOUSE 1] decided to stand, a complete round is settled at once; with no round there is nothing more to do', () => {
  const sit = dealt('9S 2C 9H 4D', 'baccarat');
  sit.do('Refer', { reason: 'a dispute' });
  const events = sit.do('DecideReferral', { decision: 'stand', reason: 'as dealt' }, shiftManager);
  expect(events).toMatchObject([
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundSettled' },
    { type: 'SettlementPosted' },
  ]);
  sit.do('Refer', { reason: 'a complaint' });
  expect(sit.do('DecideReferral', { decision: 'stand', reason: 'explained' }, shiftManager)).toHaveLength(1);
});

test('[HOUSE 1] decided to void, the stakes go back, after settlement by reversing; the shoe is locked if its cards are in doubt', () => {
  const sit = dealt('9S 2C', 'baccarat');
  sit.do('Refer', { reason: 'a dispute' });
  sit.do('DecideReferral', { decision: 'void', reason: 'nobody can tell' }, shiftManager);
  expect(sit.table).toMatchObject({
    phase: 'idle',
    round: { ending: { voidBy: 'HOUSE 1' } },
    shoe: { lockedBy: null },
  });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([0, 0]);
  sit.do('Refer', { reason: 'another', round: sit.round });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  sit.do('DecideReferral', { decision: 'stand', reason: 'over' }, shiftManager);
  sit.playRound('9S 2C 9H 4D', stakes).do('Refer', { reason: 'a complaint', round: sit.round });
  expect(() => sit.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement)).toThrow(
    'missing-credits',
  );
  sit.doByTwo('DecideReferral', { decision: 'void', reason: 'agreed', lock: true }, afterSettlement, { T2: 1000 });
  expect(sit.table).toMatchObject({ shoe: { lockedBy: 'HOUSE 1' } });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([0, 0]);
});

test('[READING 29] a void that a clause commands is not open to another decision', () => {
  const sit = dealt('9S 2C 9H 4D');
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.do('Refer', { reason: 'the patron insists' });
  const decide = (decision: 'stand' | 'continue' | 'void') => ({ decision, reason: 'looked at' });
  expect(sit.refusal('DecideReferral', decide('stand'), shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'ETG 5.1',
  });
  sit.do('DecideReferral', decide('continue'), shiftManager);
  expect(sit.refusal('Settle', {})).toMatchObject({ refused: 'awaiting-ruling', by: 'ETG 5.1' });
  sit.do('Refer', { reason: 'again' });
  sit.do('DecideReferral', decide('void'), shiftManager);
  expect(sit.table).toMatchObject({ openIrregularities: [], shoe: { lockedBy: 'ETG 6.1' } });
});

test('[HOUSE 4] a card that is burned counts as gone; if it is one too many, the table stops, or the shoe is locked', () => {
  const burn = (sit: TableScenario) => {
    sit.do('ReportIrregularity', { kind: 'face-up-card' });
    sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return sit.doByTwo('BurnCard', { card: 'KS', reason: 'decided' });
  };
  const kings = () => readyTable('baccarat').playRound('KS KS KS KS 9S 9H').playRound('KS KS KS KS 9D 9C');
  const between = [{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: false }, { type: 'ShoeLocked' }];
  expect(burn(kings())).toMatchObject(between);
  expect(burn(kings().bets())).toMatchObject([{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: true }]);
});

test('a ruling needs a report that leads to it', () => {
  const sit = dealt('9S 2C', 'baccarat');
  const none = { refused: 'no-such-ruling', by: 'HOUSE 1' };
  expect(sit.refusal('BurnCard', { card: 'KD', reason: 'x' })).toMatchObject(none);
  expect(sit.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject(none);
  expect(sit.refusal('RestoreOrder', { reason: 'x' })).toMatchObject(none);
});

test('a report about the last round can be dismissed when its shoe is gone', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D');
  sit.doByTwo('EndShoe', { seen: {} });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('DismissReport', { reason: 'counted again' }, afterSettlement);
  expect(sit.table!.openIrregularities).toEqual([]);
});

test('before the first round a referral voids nothing; a commanded ruling is refused with the allowed ones', () => {
  const sit = readyTable('tiger');
  sit.do('Refer', { reason: 'x' });
  const decide = (decision: 'void' | 'stand') => sit.refusal('DecideReferral', { decision, reason: 'x' }, shiftManager);
  expect(decide('void')).toMatchObject({ refused: 'no-such-round' });
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.bets().close().deal('9S');
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.do('Refer', { reason: 'x' });
  expect(decide('stand').message).toBe('What was reported is not open to that decision; the allowed rulings are void.');
});

test('a count that the table made itself is not open to another decision', () => {
  const sit = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets()
    .close()
    .deal('KS');
  sit.do('Refer', { reason: 'x' });
  const refused = sit.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(refused.message).toBe(
    'What was reported is not open to that decision; the allowed rulings are correct, void.',
  );
});

test('[HOUSE 1] the shift manager may leave a reported round as it is, if no clause commands a void', () => {
  const sit = readyTable('baccarat')
    .bets({ T1: { player: 1000 } })
    .close()
    .deal(natural);
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.do('Refer', { reason: 'the camera shows nothing wrong' });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  expect(sit.do('DecideReferral', stand, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'RoundSettled',
    'SettlementPosted',
  ]);
  expect(sit.table!.openIrregularities).toEqual([]);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('Refer', { reason: 'x' });
  sit.doByTwo('DecideReferral', stand, afterSettlement);
  expect(sit.table).toMatchObject({ openIrregularities: [], phase: 'idle' });
});

test('[READING 54] to let a settled round stand against a report dismisses that report, and so takes the same two persons; without a report the shift manager decides alone', () => {
  const sit = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('Refer', { reason: 'x' });
  expect(sit.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  expect(sit.table!.openIrregularities).toMatchObject([{ kind: 'wrong-number' }]);
  sit.doByTwo('DecideReferral', stand, afterSettlement);
  expect(sit.table!.openIrregularities).toEqual([]);
  sit.do('Refer', { reason: 'x', round: sit.round });
  expect(sit.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'ReferralDecided' }]);
});

test('[HOUSE 4] a card that the shift manager decided to burn is burned, not dismissed', () => {
  const sit = readyTable('baccarat').bets();
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  expect(sit.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('a void round has nothing left to rule on, whatever the table deals now', () => {
  const sit = readyTable('tiger').bets({ T1: { tiger: 1000 } });
  sit.do('VoidRound', { reason: 'x' });
  sit.doByTwo('EndShoe', { seen: {} });
  sit.doByTwo('ChangeSettings', { settings: defaultSettings('fabulous-4') }, managers);
  sit.do('Refer', { reason: 'a complaint', round: sit.round });
  expect(buildSupervisorView(sit.table!).rulings!.rows).toMatchObject([
    { paid: 1000, back: { void: 1000, stand: 1000, continue: null } },
  ]);
});

test('[READING 55] a decision touches the round that the referral names, and no other', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = sit.round;
  sit.doByTwo('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 0 });
  sit.do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  const { slips } = sit.table!.round!;
  sit
    .bets({ T2: { banker: 500 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'the patron of the first round', round: first });
  const decide = { decision: 'void', reason: 'agreed' } as const;
  expect(sit.refusal('DecideReferral', decide, supervisor)).toMatchObject({ refused: 'slips-differ', by: 'ETG 6.1' });
  sit.doByTwo('DecideReferral', { ...decide, slips }, afterSettlement, { T1: 0 });
  expect(sit.table).toMatchObject({ phase: 'dealing', round: { id: sit.round, ending: null, cards: ['9S'] } });
  expect(sit.table!.history[0]).toMatchObject({ id: first, ending: { voidBy: 'ETG 6.1' } });
  expect(sit.table!.shortfalls).toEqual({ T1: { [first]: 2000 } });
  sit.deal('2C 9H 4D').settle();
});

test('[READING 55] between rounds a referral names none unless it says so: it may lock the shoe, and voids nothing', () => {
  const sit = readyTable('baccarat').playRound(natural, stakes);
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(sit.table!.referrals[0]!.round).toBeNull();
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
    by: 'HOUSE 1',
  });
  expect(sit.do('DecideReferral', { decision: 'burn', reason: 'x', lock: true }, shiftManager)).toMatchObject([
    { type: 'ShoeLocked', by: 'HOUSE 1' },
    { type: 'ReferralDecided', decision: 'burn' },
  ]);
  sit.doByTwo('BurnCard', { card: 'KD', reason: 'decided' });
  expect(sit.table).toMatchObject({
    openIrregularities: [],
    shoe: { lockedBy: 'HOUSE 1' },
    round: { ending: { results: {} } },
  });
  expect(sit.refusal('Refer', { reason: 'x', round: 'sg1/B1/none' })).toMatchObject({ refused: 'no-such-round' });
  expect(sit.refusal('Refer', { reason: 'x', terminal: 'T1' })).toMatchObject({ refused: 'no-such-round' });
});

test('[READING 55] a card face up behind a whole deal is no card of the round, and no decision on it voids that', () => {
  const sit = dealt(natural, 'baccarat');
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  sit.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
  sit.doByTwo('BurnCard', { card: 'KD', reason: 'decided' });
  sit.settle();
});

test('[HOUSE 1] a shoe is locked with any decision that says so; where there is none the decision is refused', () => {
  for (const decision of ['stand', 'continue', 'void'] as const) {
    const sit = dealt(natural, 'baccarat');
    sit.do('Refer', { reason: 'x' });
    sit.do('DecideReferral', { decision, lock: true, reason: 'a doubt about the shoe' }, shiftManager);
    expect(sit.table!.shoe!.lockedBy).toBe('HOUSE 1');
    if (decision === 'continue') sit.settle();
    expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'HOUSE 1' });
  }
  const gone = readyTable('baccarat').playRound(natural, stakes);
  gone.doByTwo('EndShoe', { seen: {} });
  gone.do('Refer', { reason: 'x' });
  expect(gone.refusal('DecideReferral', { decision: 'stand', lock: true, reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'shoe-not-ready',
    by: 'HOUSE 1',
  });
});

test('[READING 53] a decision that takes back paid money needs a supervisor and the Gaming Shift Manager', () => {
  const sit = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  sit.do('Refer', { reason: 'a complaint', round: sit.round });
  const decide = { decision: 'void', reason: 'agreed' } as const;
  expect(sit.refusal('DecideReferral', decide)).toMatchObject({ refused: 'not-your-role', by: 'HOUSE 2' });
  expect(sit.do('DecideReferral', decide, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'same-person' });
  expect(sit.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({ refused: 'not-your-role' });
  sit.doByTwo('DecideReferral', decide, afterSettlement, { T1: 1000 });
  expect(sit.table).toMatchObject({ referrals: [], round: { ending: { voidBy: 'HOUSE 1' } } });
});

test('[READING 53] the referrer does not decide alone', () => {
  const sit = dealt('9S 2C');
  const go = { decision: 'continue', reason: 'x' } as const;
  sit.do('Refer', { reason: 'x' }, shiftManager);
  expect(sit.do('DecideReferral', go, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'same-person' });
  sit.doByTwo('DecideReferral', go, afterSettlement);
  sit.do('Refer', { reason: 'x' }, shiftManager);
  const another = { person: 'g2', role: 'gaming-shift-manager' } as const;
  expect(sit.do('DecideReferral', go, another)).toMatchObject([{ type: 'ReferralDecided' }]);
  expect(sit.refusal('DecideReferral', go, supervisor)).toMatchObject({ refused: 'not-your-role' });
  sit.do('Refer', { reason: 'x' }, supervisor);
  const acting = { ...supervisor, acting: 'gaming-shift-manager', until: sit.at + 1_000 } as const;
  expect(sit.do('DecideReferral', go, acting)).toMatchObject([{ type: 'Proposed' }]);
});

test('[READING 13] a referral decided for one terminal stays open for the others', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 }, T2: { player: 500 } });
  const none = { T1: 0, T2: 0 };
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, none);
  expect(sit.table!.referrals).toMatchObject([{ id: 'R1', terminals: ['T1', 'T2'] }]);
  sit.doByTwo('DecideReferral', { decision: 'void', terminal: 'T1', reason: 'x' }, afterSettlement, none);
  expect(sit.table!.referrals).toMatchObject([{ id: 'R1', terminals: ['T2'] }]);
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(sit.table!.referrals).toEqual([]);
});

test('[READING 18] a carried card that is burned has left the shoe once', () => {
  const sit = dealt(natural);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('ReconstructRound', { cards: sit.table!.round!.cards, unseen: true, reason: 'one too many' });
  sit.settle();
  expect(sit.table!.shoe).toMatchObject({ drawn: 5, carried: true });
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  sit.doByTwo('BurnCard', { card: '5C', reason: 'seen' });
  expect(sit.table!.shoe).toMatchObject({ drawn: 5, carried: false });
});

test('[READING 18] a card to burn is burned even when the shoe is locked meanwhile', () => {
  const sit = dealt(natural);
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.doByTwo('VoidRound', { reason: 'x' });
  expect(sit.table).toMatchObject({
    openIrregularities: [{ kind: 'face-up-before' }],
    shoe: { lockedBy: 'ETG 5.1.1' },
  });
  sit.doByTwo('BurnCard', { card: '5C', reason: 'seen' });
  expect(sit.table).toMatchObject({ openIrregularities: [], shoe: { drawn: 5 } });
});

test('[READING 47] a round is referred by its own rulebook', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = sit.round;
  sit.doByTwo('EndShoe', { seen: {} });
  const { profile, ...settings } = defaultSettings('baccarat');
  const approved = [...profile.approved, sit.table!.settings.game];
  sit.doByTwo('ChangeSettings', { settings: { ...settings, profile: { ...profile, approved } } }, managers);
  sit.shoe('S2').bets();
  expect(sit.do('Refer', { reason: 'x', round: first })).toMatchObject([{ by: 'ETG 6.1' }]);
  const slips = { T1: { player: 1000 } };
  const events = sit.doByTwo('DecideReferral', { decision: 'void', reason: 'x', slips }, afterSettlement, { T1: 0 });
  expect(events.slice(1)).toMatchObject([
    { type: 'ReferralDecided', by: 'ETG 6.1' },
    { type: 'RoundResettled', by: 'ETG 6.1' },
    { type: 'SettlementPosted' },
    { type: 'Referred', by: 'ETG 6.1' },
  ]);
  expect(sit.do('Refer', { reason: 'x' })).toMatchObject([{ by: 'HOUSE 1' }]);
});

test('[READING 55] the supervisor sees what a decision on an earlier round would give, once its slips are there', () => {
  const early = readyTable('tiger');
  early.do('CorrectCut', { behind: 15, reason: 'x' });
  expect(buildSupervisorView(early.table!).rulings).toBeNull();
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = sit.round;
  sit.doByTwo('CorrectCut', { behind: 15, reason: 'x' });
  sit.bets();
  sit.do('Refer', { reason: 'x', round: first });
  expect(buildSupervisorView(sit.table!).rulings).toBeNull();
  const decide = { decision: 'void', reason: 'x', slips: { T1: { player: 1000 } } } as const;
  sit.do('DecideReferral', decide, supervisor);
  expect(buildSupervisorView(sit.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', staked: 1000, paid: 2000, back: { void: 1000, stand: 2000 } },
  ]);
  sit.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  // A round without slips needs none.
  const bare = readyTable('tiger').playRound(natural);
  const earlier = bare.round;
  bare.bets().do('Refer', { reason: 'x', round: earlier });
  bare.do('DecideReferral', { decision: 'void', reason: 'x' }, supervisor);
  expect(buildSupervisorView(bare.table!).rulings!.rows).toEqual([]);
});

test('[READING 61] after an interruption the refusal names the computed ruling and cards still to be entered', () => {
  const stand = { decision: 'stand', reason: 'x' } as const;
  const told = (sit: TableScenario, looks = false): string => {
    sit.do('ReportInterruption', { since: sit.at, stateLost: true });
    if (looks) sit.confirmFelt();
    sit.do('Refer', { reason: 'x' });
    return sit.refusal('DecideReferral', stand, shiftManager).message;
  };
  expect(told(readyTable('baccarat').bets(stakes))).toContain('the allowed rulings are void.');
  expect(told(dealt('2S', 'baccarat'))).toContain('the allowed rulings are enter, void, resume.');
  expect(told(dealt('2S', 'baccarat'), true)).toContain('the allowed rulings are enter, void.');
  expect(told(dealt(natural, 'baccarat'))).toContain('the allowed rulings are resume.');
});

test('[READING 13] a terminal is referred in a round where it has stakes, at a table that has terminals', () => {
  const sit = dealt('9S', 'baccarat');
  expect(sit.refusal('Refer', { reason: 'x', terminal: 'T9' })).toMatchObject({
    refused: 'no-such-slip',
    by: 'HOUSE 1',
  });
  const chips = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(chips.refusal('Refer', { reason: 'x', terminal: 'T1' })).toMatchObject({ refused: 'no-terminals' });
});
