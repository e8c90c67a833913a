import { expect, test } from 'vitest';
import { gamingDayOf } from '../../src/table/declare/setting.ts';
import { supervisorView } from '../../src/table/show/preview.ts';
import { dealerView, publicView, terminalView } from '../../src/table/show/views.ts';
import {
  Sitting,
  at,
  cardsIn,
  floor,
  pitManager,
  ready,
  shiftManager,
  shuffler,
  supervisor,
  usual,
} from './sitting.ts';

// Ways round a rule that somebody once found, and that are closed.

const late = [supervisor, shiftManager] as const;
const managers = [pitManager, shiftManager] as const;
const natural = '9S 2C 9H 4D';

test('a card that was taken back has been out: the dealer does not void alone, and the cutting card comes after it', () => {
  const sit = ready('baccarat', { roundsAfterCut: 1 })
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('TakeBackCard', {});
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
  expect(sit.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
  expect(sit.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 1 });
});

test('the cards that a correction left are not the dealer’s to take back', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  sit.two('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'misread' }, late);
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  sit.deal('6C');
  expect(sit.table!.phase).toBe('dealing');
  expect(sit.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P3', card: '6C' });
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
});

test('[READING 16] what falls short is found chunk by chunk, with the credit of that moment', () => {
  const sit = ready('tiger', { chunk: 1 }).bets({ T1: { player: 1000 }, T2: { player: 1000 }, T3: { banker: 1000 } });
  sit.close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  // The first settlement is paid to T1 alone; the void waits for the rest of it.
  expect(sit.two('VoidRound', { reason: 'not to be restored' }, late).map(({ type }) => type)).toEqual([
    'Approved',
    'RoundResettled',
    'ShoeLocked',
  ]);
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([1000, -1000]);
  sit.do('PostSettlement', {});
  sit.do('PostSettlement', {});
  expect([sit.balance('T2'), sit.table!.jobs.length]).toEqual([1000, 1]);
  expect(sit.refusal('PostSettlement', {})).toMatchObject({ refused: 'missing-credits', terminal: 'T1' });
  expect(sit.do('PostSettlement', { credits: { T1: 1000 } })).toMatchObject([{ count: 1 }]);
  expect(sit.do('PostSettlement', { credits: { T2: 300 } })).toMatchObject([
    { shortfalls: { T2: 700 } },
    { type: 'Referred' },
  ]);
  expect(sit.do('PostSettlement', { credits: {} })).toMatchObject([{ last: true }]);
  expect([sit.balance('T1'), sit.balance('T2'), sit.balance('T3'), sit.account('house')]).toEqual([0, 700, 0, 0]);
});

test('a second shortfall while the table is referred already is only written down', () => {
  const sit = ready('tiger', { chunk: 1 })
    .bets({ T1: { player: 1000 }, T2: { player: 1000 } })
    .close()
    .deal(natural)
    .wait(2_000);
  sit.do('Settle', {});
  sit.do('PostSettlement', {});
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  const none = { T1: 0, T2: 0 };
  expect(sit.two('VoidRound', { reason: 'x' }, late, none).map(({ type }) => type)).toContain('Referred');
  expect(sit.do('PostSettlement', { credits: none })).toMatchObject([{ shortfalls: { T2: 1000 } }]);
});

test('with the credits given, a proposal shows what would fall short; the consent is bound to all but that', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  const fix = { round: sit.round, place: 4, card: '7D', reason: 'a seven' };
  sit.do('CorrectCard', fix, supervisor);
  const { hash } = sit.table!.proposal!;
  const [event] = sit.do('CorrectCard', { ...fix, credits: { T1: 500 } }, supervisor);
  expect(event).toMatchObject({
    effects: [
      { type: 'CardCorrected' },
      { type: 'RoundResettled' },
      { shortfalls: { T1: 1500 } },
      { type: 'Referred' },
    ],
  });
  expect(sit.table!.proposal!.hash).not.toBe(hash);
  expect(sit.refusal('CorrectCard', { ...fix, credits: {} }, supervisor)).toMatchObject({ refused: 'missing-credits' });
  const open = sit.table!.proposal!;
  expect(sit.do('Approve', { proposal: open.id, hash: open.hash, credits: { T1: 2000 } }, shiftManager)).toHaveLength(
    4,
  );
});

test('whoever proposes to open a virtual shoe takes it out of use: nobody bets on an order that somebody has seen', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const { cards, salts } = sit.virtualShoe(natural);
  expect(sit.do('EndShoe', { cards, salts }).map(({ type }) => type)).toEqual(['ShoeLocked', 'Proposed']);
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 6.2' });
  const { id, hash } = sit.table!.proposal!;
  expect(sit.do('Approve', { proposal: id, hash }, supervisor)[1]).toMatchObject({ type: 'ShoeEnded', seen: 416 });
});

test('a round is seen, judged and corrected by the game it was played by, whatever the table deals now', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  sit.two('EndShoe', { seen: {} });
  sit.two('ChangeSetting', { setting: usual('sands-elements') }, managers);
  expect(publicView(sit.table!)).toMatchObject({ game: { book: 'ELM' }, statistics: { rounds: 1 } });
  expect(sit.do('ReportIrregularity', { kind: 'wrong-number' })[0]).toMatchObject({ by: 'ETG 5.7' });
  expect(supervisorView(sit.table!).rulings).toMatchObject([{ terminal: 'T1', paid: 2000, stand: 2000 }]);
  sit.two('ReconstructRound', { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'video' }, late, { T1: 5000 });
  expect(sit.events('RoundResettled')[0]).toMatchObject({ by: 'ETG 5.7' });
  sit.two('CorrectCard', { round: sit.round, place: 1, card: '3C', reason: 'a three' }, late, { T1: 5000 });
  expect(sit.events('CardCorrected')[0]).toMatchObject({ by: 'ETG 6.3', card: '3C' });
});

test('a void round has nothing left to rule on, whatever the table deals now', () => {
  const sit = ready('tiger').bets({ T1: { tiger: 1000 } });
  sit.do('VoidRound', { reason: 'x' });
  sit.two('EndShoe', { seen: {} });
  sit.two('ChangeSetting', { setting: usual('fabulous-4') }, managers);
  sit.do('Refer', { reason: 'a complaint' });
  expect(supervisorView(sit.table!).rulings).toMatchObject([
    { paid: 1000, void: 1000, stand: 1000, reconstruct: null },
  ]);
});

test('what was proposed about a shoe goes with it', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = sit.virtualShoe(natural);
  sit.do('EndShoe', { cards, salts });
  sit.do('EndShoe', { cards, salts }, floor);
  expect(sit.table!.proposal).toBeNull();
});

test('fewer wagers on offer later change nothing about a settled round', () => {
  const sit = ready('tiger').played(natural, { T1: { tiger: 1000 } });
  sit.two('EndShoe', { seen: {} });
  const offered = ['player', 'banker', 'tie'];
  const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
  sit.two('ChangeSetting', { setting: usual('tiger', { offered, limits }) }, managers);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(supervisorView(sit.table!).rulings).toMatchObject([{ terminal: 'T1', void: 1000, stand: 0 }]);
});

test('a card of a virtual shoe stays proven when the table has gone over to live cards', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const shoe = sit.virtualShoe(natural);
  sit.bets().close();
  for (const [n, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries()) sit.do('DealCard', { slot, ...shoe.at(n) });
  sit.settle();
  sit.two('EndShoe', { cards: shoe.cards, salts: shoe.salts });
  sit.two('ChangeSetting', { setting: usual('tiger') }, managers);
  expect(sit.refusal('CorrectCard', { round: sit.round, place: 1, card: 'KD', reason: 'x' }, supervisor)).toMatchObject(
    { refused: 'card-proven' },
  );
});

test('time that stood still is given back once, however many reasons there were', () => {
  const sit = ready('tiger').bets();
  const { closesAt } = sit.table!.round!;
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('Refer', { reason: 'a doubt' });
  sit.wait(600_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  sit.wait(1_000).two('DismissReport', { reason: 'a mistake' });
  expect(sit.table!.round!.closesAt).toBe(closesAt + 601_000);
});

test('an interruption reaches no further back than the last event', () => {
  const sit = ready('tiger').bets().close().deal(natural);
  const { resultAt } = sit.table!.round!;
  sit.wait(30_000).do('ReportInterruption', { since: 0, stateLost: true });
  expect(sit.events('Interrupted')[0]).toMatchObject({ since: resultAt });
  sit.wait(5_000).do('ConfirmRuling', {}, supervisor);
  expect(sit.table!.round!.resultAt).toBe(resultAt! + 35_000);
  const brief = ready('tiger').bets().close().deal('9S').wait(10_000);
  expect(brief.do('ReportInterruption', { since: 0, stateLost: false })).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
});

test('[READING 29] a virtual shoe whose order is lost is voided, locked, and taken away unopened by two persons', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const shoe = sit.virtualShoe(natural);
  expect(sit.refusal('EndShoe', {})).toMatchObject({ refused: 'not-here' });
  sit.bets({ T1: { tie: 100 } }).close();
  sit.do('DealCard', { slot: 'P1', ...shoe.at(0) });
  sit.do('ReportIrregularity', { kind: 'too-few-cards', note: 'the device gives no card' });
  sit.two('VoidRound', { reason: 'the device gives no card' });
  const [, ended] = sit.two('EndShoe', {});
  expect(ended).toMatchObject({ type: 'ShoeEnded', unopened: true, expected: 416, seen: 1, extra: {}, missing: {} });
  expect(sit.do('CommitShoe', { shoe: 'V2', root: 'b'.repeat(64) }, shuffler)).toHaveLength(1);
});

test('a shoe is verified as it was proposed: another cut needs another consent', () => {
  const sit = at('tiger');
  sit.do('BringShoe', { shoe: 'S1', seal: 'x' });
  sit.do('CountCards', { cards: 416 });
  sit.do('CutShoe', { behind: 100 });
  sit.do('VerifyShoe', {});
  const { id, hash } = sit.table!.proposal!;
  sit.do('CutShoe', { behind: 6 });
  expect(sit.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({ refused: 'changed-proposal' });
  expect(sit.two('VerifyShoe', {})[1]).toMatchObject({ shoe: 'S1', size: 416, behind: 6 });
});

test('[BAC 5.3] cards three and four drawn together are the book’s own case, wherever the count has got to', () => {
  const sit = ready('baccarat').bets().close().deal('9S 2C 9H 4D');
  expect(sit.table!.phase).toBe('result');
  expect(sit.do('ReportIrregularity', { kind: 'drawn-together', place: 3 })[0]).toMatchObject({
    kind: 'drawn-together',
    by: 'BAC 5.3',
  });
  const third = ready('baccarat').bets().close().deal('2S 3H AC 2D 4S');
  expect(third.do('ReportIrregularity', { kind: 'drawn-together', place: 4 })[0]).toMatchObject({
    kind: 'third-cards-together',
    by: 'HOUSE 8',
  });
});

test('a face-up card found in the pause is the next round’s first: it is referred', () => {
  const sit = ready('baccarat').bets().close().deal(natural);
  expect(sit.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-before' },
    { type: 'Referred' },
  ]);
});

test('a terminal is lost as often as it is lost; back while bets are open it takes part like any other', () => {
  const sit = ready('tiger').bets({ T7: { player: 500 } });
  const report = (lost: boolean, ...terminals: string[]) => sit.do('ReportTerminals', { terminals, lost }, floor);
  report(true, 'T7', 'constructor');
  expect(dealerView(sit.table!).terminalsLost).toBe(2);
  report(false, 'T7');
  expect(terminalView(sit.table!, 'T7').lost).toBeUndefined();
  sit.close();
  report(true, 'T7');
  report(false, 'T7');
  report(true, 'T7');
  expect(terminalView(sit.table!, 'T7').lost).toEqual({ back: false, by: 'ETG 5.10.1' });
  sit.deal(natural).settle();
  report(true, 'T8');
  expect(terminalView(sit.table!, 'T8').lost).toEqual({ back: false, by: 'HOUSE 11' });
  expect(sit.events('TerminalsLost').at(-1)).toMatchObject({ closed: true });
});

test('a deadline that is moved by a stop has not passed for a terminal that is lost meanwhile', () => {
  const sit = ready('tiger').bets();
  sit.wait(15_000).do('CallClose', {});
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.wait(10_000).do('ReportTerminals', { terminals: ['T7'], lost: true }, floor);
  expect(sit.events('TerminalsLost')[0]).toMatchObject({ closed: false });
});

test('[READING 26] a void after an interruption leaves the shoe in use, also when the shift manager decides it', () => {
  const sit = ready('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  sit.do('Refer', { reason: 'x' });
  sit.do('DecideReferral', { decision: 'void', reason: 'as computed' }, shiftManager);
  expect(sit.table).toMatchObject({ held: null, shoe: { lockedBy: null } });
});

test('[HOUSE 1] the shift manager may let stand what was reported, if no clause commands a void', () => {
  const sit = ready('baccarat')
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
  expect(sit.table!.held).toBeNull();
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('Refer', { reason: 'x' });
  sit.do('DecideReferral', stand, shiftManager);
  expect(sit.table).toMatchObject({ held: null, phase: 'idle' });
});

test('[HOUSE 4] a card that the shift manager decided to burn is burned, not dismissed', () => {
  const sit = ready('baccarat').bets();
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  expect(sit.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('a card that lies ready is counted once, whether it still lies there or was turned over', () => {
  const sit = ready('baccarat').bets().close().deal('4S 2C 3H TD');
  const replay = (cards: string, unseen: boolean) => {
    sit.do('ReportIrregularity', { kind: 'wrong-number' });
    sit.two('ReconstructRound', { cards: cardsIn(cards), unseen, reason: 'x' });
    return sit.table!.shoe!;
  };
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD 6H', false)).toMatchObject({ drawn: 5, carried: false });
});

test('a round that is taken up again draws no card from a locked shoe', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  sit.do('ReportIrregularity', { kind: 'missing-card' });
  const fix = { round: sit.round, place: 3, card: '3H', reason: 'x' };
  expect(sit.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1' });
});

test('the gaming day turns at its hour also where the clock is put forward or back', () => {
  const london = { name: 'demo', version: '1', approved: [], timeZone: 'Europe/London', dayTurns: 6 };
  const day = (time: string): string => gamingDayOf(Date.parse(time), london);
  expect(day('2026-03-29T05:59:59+01:00')).toBe('2026-03-28');
  expect(day('2026-03-29T06:00:00+01:00')).toBe('2026-03-29');
  expect(day('2026-10-25T05:59:59Z')).toBe('2026-10-24');
  expect(day('2026-10-25T06:00:00Z')).toBe('2026-10-25');
  expect(day('2026-10-26T00:30:00Z')).toBe('2026-10-25');
  expect(day('2026-03-30T00:30:00+01:00')).toBe('2026-03-29');
  expect(gamingDayOf(0, london)).toBe('1970-01-01');
});

test('a proposal is withdrawn by whoever made it, or by a higher post than the dealer', () => {
  const sit = ready('tiger').bets().close().deal('9S 2C');
  const fix = { round: sit.round, place: 2, card: '3C', reason: 'x' };
  sit.do('CorrectCard', fix);
  const other = { person: 'd2', post: 'dealer' } as const;
  expect(sit.refusal('WithdrawProposal', { proposal: 'P2' }, other)).toMatchObject({
    refused: 'not-your-post',
    by: 'ETG 6.2',
  });
  expect(sit.do('WithdrawProposal', { proposal: 'P2' }, supervisor)).toHaveLength(1);
  sit.do('CorrectCard', fix);
  expect(sit.do('WithdrawProposal', { proposal: 'P3' })).toHaveLength(1);
});

test('the system of a table without staff voids nothing that no clause voids', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  expect(sit.refusal('VoidRound', { reason: 'x' }, floor)).toMatchObject({ refused: 'no-such-ruling' });
});
