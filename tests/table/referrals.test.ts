import { expect, test } from 'vitest';
import { certain } from '../../src/rules/certain.ts';
import { publicView, terminalView } from '../../src/table/show/views.ts';
import { type Sitting, Sitting as Seat, floor, gameOf, ready, shiftManager, supervisor, usual } from './sitting.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): Sitting => ready(game).bets(stakes).close().deal(cards);

test('[ETG 6.1] a referral freezes the table until the Gaming Shift Manager decides, with a reason', () => {
  const sit = dealt('9S 2C');
  expect(sit.do('Refer', { reason: 'a dispute about a chip' })).toMatchObject([{ type: 'Referred', by: 'ETG 6.1' }]);
  expect(publicView(sit.table!).referred).toEqual({ by: 'ETG 6.1' });
  const frozen = { refused: 'awaiting-decision', by: 'ETG 6.1' };
  expect(sit.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject(frozen);
  expect(sit.refusal('Settle', {})).toMatchObject(frozen);
  expect(sit.refusal('Refer', { reason: 'x' })).toMatchObject(frozen);
  expect(sit.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'deal-not-complete',
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
  const sit = ready('baccarat').bets(stakes);
  sit.wait(20_000).do('CallClose', {});
  const { deadline } = sit.table!.round!;
  sit.do('Refer', { reason: 'a dispute' });
  expect(sit.refusal('SetSlip', { round: sit.round, slip: {}, credit: 0 }, { terminal: 'T1' })).toMatchObject({
    refused: 'awaiting-decision',
    by: 'HOUSE 1',
  });
  sit.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(sit.table!.round!.deadline).toBe(deadline! + 60_000);
  const result = ready('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
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
  sit.do('Refer', { reason: 'another' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  sit.do('DecideReferral', { decision: 'stand', reason: 'over' }, shiftManager);
  sit.played('9S 2C 9H 4D', stakes).do('Refer', { reason: 'a complaint' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
  });
  sit.do('DecideReferral', { decision: 'void', reason: 'agreed', lock: true, credits: { T2: 1000 } }, shiftManager);
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
  expect(sit.refusal('Settle', {})).toMatchObject({ refused: 'table-held', by: 'ETG 5.1' });
  sit.do('Refer', { reason: 'again' });
  sit.do('DecideReferral', decide('void'), shiftManager);
  expect(sit.table).toMatchObject({ held: null, shoe: { lockedBy: 'ETG 6.1' } });
});

test('[ETG 5.9] an interruption is judged by what the cards dealt have decided among the wagers on offer', () => {
  const { offered } = ready('tiger').table!.setting;
  for (const cards of [
    '',
    '9S',
    '9S 2C',
    '9S 2C 9H',
    '9S 2C 8H',
    '2S 2C AH',
    '2S 3H AC 2D',
    '2S 3H AC 2D 4S',
    '9S 2C 9H 4D',
  ]) {
    const sit = dealt(cards);
    const { established, won, lost } = certain(gameOf('tiger'), offered, sit.table!.round!.cards);
    const since = sit.at;
    const [event] = sit.wait(10_001).do('ReportInterruption', { since, stateLost: false }, floor);
    const ruling = established ? 'resume' : 'void';
    const by = established ? 'ETG 5.9.2' : 'ETG 5.9.1';
    expect(event).toMatchObject({ type: 'Interrupted', by, ruling, won, lost });
    expect(sit.refusal('DealCard', { slot: 'P1', card: 'KD' })).toMatchObject({ refused: 'table-held', by });
    expect(sit.refusal('VoidRound', { reason: 'x' }, supervisor)).toMatchObject({ refused: 'no-such-ruling' });
    expect(sit.refusal('ConfirmRuling', {})).toMatchObject({ refused: 'not-your-post' });
    sit.do('ConfirmRuling', {}, supervisor);
    if (established) expect(sit.table!.phase).toBe(cards === '9S 2C 9H 4D' ? 'result' : 'dealing');
    else expect(sit.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.9.1' } }, shoe: { lockedBy: null } });
    expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 6.1' });
  }
});

test('[READING 12] a short interruption is logged and play goes on; lost state is never short', () => {
  const sit = dealt('9S 2C');
  const since = sit.at;
  expect(sit.wait(10_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
    { type: 'InterruptionLogged', round: sit.round },
  ]);
  expect(sit.refusal('ReportInterruption', { since: sit.at + 1, stateLost: false })).toMatchObject({
    refused: 'bad-request',
  });
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
  const idle = ready('tiger');
  const [logged] = idle.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(logged).toMatchObject({ type: 'InterruptionLogged' });
  expect(logged).not.toHaveProperty('round');
});

test('[HOUSE 6] while bets are open an interruption voids the round; at a table without staff it is carried out at once', () => {
  const sit = new Seat();
  sit.do('OpenTable', { setting: usual('baccarat', { dealing: 'virtual', attended: false }) }, floor);
  const shoe = sit.virtualShoe('9S 2C 9H 4D');
  sit.do('OpenBets', {}, floor);
  sit.slip('T1', { tie: 100 });
  const since = sit.at;
  expect(sit.wait(60_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
    { type: 'Interrupted', ruling: 'void', by: 'HOUSE 6' },
    { type: 'RoundVoided', by: 'HOUSE 6' },
    { type: 'SettlementPosted' },
  ]);
  expect(sit.balance('T1')).toBe(0);
  sit.do('OpenBets', {}, floor);
  sit.wait(20_000).do('CallClose', {}, floor);
  sit.wait(500).do('CloseBets', {}, floor);
  for (const [n, slot] of (['P1', 'B1', 'P2'] as const).entries()) sit.do('DealCard', { slot, ...shoe.at(n) }, floor);
  const last = sit.at;
  // Since the last event, however long ago the loss is said to have been.
  expect(sit.wait(60_000).do('ReportInterruption', { since: last - 5_000, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted', ruling: 'resume' },
    { type: 'RoundResumed', by: 'HOUSE 6', paused: 60_000 },
  ]);
  expect(sit.table).toMatchObject({ held: null, phase: 'dealing' });
});

test('[READING 13] whether a lost terminal is in the round is told by what was accepted, with the clause for each case', () => {
  const cases = [
    ['tiger', true, true, 'ETG 5.10.1'],
    ['tiger', false, false, 'ETG 5.10.2'],
    ['tiger', true, false, 'HOUSE 11'],
    ['tiger', false, true, 'HOUSE 11'],
    ['baccarat', true, true, 'HOUSE 11'],
    ['baccarat', false, false, 'HOUSE 11'],
  ] as const;
  for (const [game, closed, accepted, by] of cases) {
    const sit = ready(game).bets(accepted ? { T7: { player: 500 } } : {});
    if (closed) sit.close();
    expect(sit.do('ReportTerminals', { terminals: ['T7'], lost: true }, floor)[0]).toMatchObject({
      type: 'TerminalsLost',
      closed,
    });
    if (!closed) sit.close();
    sit.deal('9S 2C 9H 4D').settle();
    expect(terminalView(sit.table!, 'T7')).toMatchObject({ inRound: accepted, lost: { by, back: false } });
    expect(sit.balance('T7')).toBe(accepted ? 500 : 0);
    sit.do('ReportTerminals', { terminals: ['T7', 'T8'], lost: false }, floor);
    expect(terminalView(sit.table!, 'T7').lost).toEqual({ by, back: true });
    expect(terminalView(sit.bets().table!, 'T7').lost).toBeUndefined();
  }
});

test('[READING 15] a terminal lost at the deadline showed the closing, one lost just before did not', () => {
  const sit = ready('tiger').bets();
  sit.do('CallClose', {});
  sit.wait(19_999).do('ReportTerminals', { terminals: ['T7'], lost: true }, floor);
  sit.wait(1).do('ReportTerminals', { terminals: ['T7', 'T8'], lost: true }, floor);
  expect(sit.table!.lost).toEqual({ T7: { closed: false, back: false }, T8: { closed: true, back: false } });
  sit.wait(500).do('CloseBets', {});
  sit.deal('9S 2C 9H 4D').settle().bets();
  // Still lost in the next round, where it has not shown the closing.
  expect(sit.table!.lost['T8']).toEqual({ closed: false, back: false });
});

test('[HOUSE 6] what the clause computes after an interruption is not open to another decision', () => {
  const sit = dealt('9S 2C 9H', 'baccarat');
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(sit.table!.held!.rulings).toEqual(['resume']);
  expect(sit.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'HOUSE 6' });
  sit.do('Refer', { reason: 'a patron wants a void' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'HOUSE 6',
  });
});

test('[HOUSE 4] a card that is burned counts as gone; if it is one too many, the table stops, or the shoe is locked', () => {
  const burn = (sit: Sitting) => {
    sit.do('ReportIrregularity', { kind: 'face-up-card' });
    sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return sit.two('BurnCard', { card: 'KS', reason: 'decided' });
  };
  const kings = () => ready('baccarat').played('KS KS KS KS 9S 9H').played('KS KS KS KS 9D 9C');
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
  const sit = ready('baccarat').played('9S 2C 9H 4D');
  sit.two('EndShoe', { seen: {} });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.two('DismissReport', { reason: 'counted again' });
  expect(sit.table!.held).toBeNull();
});
