import { expect, test } from 'vitest';
import { cardsOf } from '../../src/rules/card.ts';
import { Sitting, cardsIn, floor, pitManager, ready, shiftManager, supervisor, usual } from './sitting.ts';

// What a small change of the code would do, and somebody would notice.

const late = [supervisor, shiftManager] as const;
const natural = '9S 2C 9H 4D';

test('a win that a correction does not touch is neither paid again nor taken back', () => {
  const sit = ready('tiger').played(natural, { T1: { 'tiger-pair': 100 } });
  sit.two('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, late, {});
  expect(sit.entries.at(-1)).toMatchObject({ event: { type: 'SettlementPosted' }, postings: [] });
});

test('what the cards command after an interruption has no other way out, for the dealer either', () => {
  const sit = ready('tiger').bets().close().deal('9S');
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  expect(sit.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 5.9.1' });
});

test('to propose the end of a live shoe locks nothing; a virtual one says why it is locked, and shows no salts', () => {
  expect(
    ready('tiger')
      .do('EndShoe', { seen: {} })
      .map(({ type }) => type),
  ).toEqual(['Proposed']);
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const { cards, salts } = sit.virtualShoe(natural);
  const [locked, proposed] = sit.do('EndShoe', { cards, salts });
  expect(locked).toMatchObject({ reason: 'The shoe is being opened.' });
  expect((proposed as unknown as { effects: object[] }).effects[0]).not.toHaveProperty('salts');
  const { id, hash } = sit.table!.proposal!;
  const [, ended] = sit.do('Approve', { proposal: id, hash }, supervisor);
  expect(ended).toMatchObject({ cards, salts });
  expect(ended).not.toHaveProperty('unopened');
  expect((ended as unknown as { extra: object; missing: object }).extra).toEqual({});
  expect((ended as unknown as { extra: object; missing: object }).missing).toEqual({});
});

test('a consent does not lapse because time goes on, and a preview does not repeat the slips', () => {
  const sit = ready('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('RestoreOrder', { reason: 'on video' });
  const { id, hash } = sit.table!.proposal!;
  expect(sit.wait(5_000).do('Approve', { proposal: id, hash }, supervisor)).toHaveLength(2);
  sit.deal('2C 9H 4D').settle();
  const first = sit.round;
  const { slips } = sit.table!.round!;
  sit.bets();
  const [event] = sit.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
  expect((event as unknown as { effects: object[] }).effects[1]).not.toHaveProperty('slips');
});

test('what is found between rounds names no round', () => {
  const sit = ready('tiger').played(natural);
  expect(sit.do('ReportIrregularity', { kind: 'missing-card' })[0]).not.toHaveProperty('round');
});

test('[HOUSE 5] a wrong order found after the next opening is referred by the house, a wrong number by the book', () => {
  const sit = ready('fabulous-4').played(natural).bets();
  expect(sit.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({
    refused: 'too-late',
    by: 'HOUSE 1',
  });
  expect(sit.refusal('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject({
    refused: 'too-late',
    by: 'FAB 5.2',
  });
});

test('a face-up card found after the close and before the first card is referred', () => {
  const sit = ready('tiger').bets().close();
  expect(sit.do('ReportIrregularity', { kind: 'face-up-card' })[1]).toMatchObject({ type: 'Referred' });
  const wager = { kind: 'late-wager', place: 'x', wager: 'lion', amount: 1 } as const;
  expect(sit.refusal('ReportWager', wager)).toMatchObject({ refused: 'wager-not-offered', wager: 'lion' });
});

test('at a table without staff that is frozen, lost state waits for the decision as well', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.do('Refer', { reason: 'x' }, floor);
  expect(sit.do('ReportInterruption', { since: 0, stateLost: true }, floor)).toMatchObject([{ type: 'Interrupted' }]);
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  expect(sit.do('ConfirmRuling', {}, floor)).toMatchObject([{ type: 'RoundVoided' }]);
});

test('a void that locks the shoe and lacks a credit does nothing at all', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.do('VoidRound', { reason: 'x' }, supervisor);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({ refused: 'missing-credits' });
  expect(sit.table).toMatchObject({ shoe: { lockedBy: null }, held: { kind: 'wrong-number' } });
});

test('a void of the last round locks its own shoe, not the one that has come since', () => {
  const sit = ready('tiger').played(natural);
  sit.two('EndShoe', { seen: {} });
  sit.shoe('S2').do('ReportIrregularity', { kind: 'wrong-number' });
  sit.two('VoidRound', { reason: 'x' }, late);
  expect(sit.table).toMatchObject({ shoe: { id: 'S2', lockedBy: null }, round: { ending: { voidBy: 'ETG 5.2' } } });
});

test('each card on record is looked for once, wherever it stands in the list', () => {
  const sit = ready('tiger').bets().close().deal('9S 9S 2C');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const cards = cardsIn('9S 2C 4D');
  expect(sit.refusal('ReconstructRound', { cards, unseen: false, reason: 'x' })).toMatchObject({
    refused: 'wrong-cards',
  });
});

test('of several earlier rounds the one that is named is corrected', () => {
  const sit = ready('tiger').played(natural).played('TD TC 9H 8D');
  const second = sit.round;
  sit.bets();
  const [event] = sit.do('CorrectCard', { round: second, place: 4, card: '7D', reason: 'x' }, supervisor);
  expect(event).toMatchObject({ effects: [{ was: '8D' }, { round: second }] });
});

test('before the first round a referral voids nothing; what is commanded is told with its ways out', () => {
  const sit = ready('tiger');
  sit.do('Refer', { reason: 'x' });
  const decide = (decision: 'void' | 'stand') => sit.refusal('DecideReferral', { decision, reason: 'x' }, shiftManager);
  expect(decide('void')).toMatchObject({ refused: 'no-such-round' });
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.bets().close().deal('9S');
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.do('Refer', { reason: 'x' });
  expect(decide('stand').message).toBe('What was reported is not open to that decision; the ways out are void.');
});

test('a count that the table made itself is not open to another decision', () => {
  const sit = ready('baccarat').played('KS KS KS KS 9S 9H').played('KS KS KS KS 9D 9C').bets().close().deal('KS');
  sit.do('Refer', { reason: 'x' });
  const refused = sit.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(refused.message).toBe('What was reported is not open to that decision; the ways out are correct, void.');
});

test('a shortfall is referred with its reason', () => {
  const sit = ready('tiger').played(natural, { T1: { player: 1000 } });
  sit.two('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, late, { T1: 0 });
  expect(sit.table!.referral).toMatchObject({ reason: 'Credit to be taken back is missing.' });
});

test('the count of a live shoe lists just the cards that are too many and too few', () => {
  const seen = Object.fromEntries(cardsOf('french').map((card) => [card, 8]));
  const [, ended] = ready('tiger').two('EndShoe', { seen: { ...seen, KS: 9, '4D': 6 } });
  const { extra, missing } = ended as unknown as { extra: object; missing: object };
  expect([extra, missing]).toEqual([{ KS: 1 }, { '4D': 2 }]);
});

test('a gain comes before a loss, in whatever order their names stand', () => {
  const sit = ready('tiger').played('2C 9S 4D TD', { T1: { banker: 1000, player: 1000 } });
  // Six against nine becomes nine against four: the Player takes what the Banker had.
  sit.two('CorrectCard', { round: sit.round, place: 1, card: '5C', reason: 'a five' }, late, { T1: 5000 });
  sit.two('CorrectCard', { round: sit.round, place: 2, card: '4S', reason: 'a four' }, late, { T1: 0 });
  expect(sit.entries.at(-1)!.postings.map(({ from, to }) => [from.slice(8), to.slice(8)])).toEqual([
    ['house/B1', 'terminal/T1'],
    ['terminal/T1', 'stakes/B1'],
    ['stakes/B1', 'house/B1'],
  ]);
  const other = ready('tiger').played('TC 9S 8D TD', { T1: { banker: 1000, player: 1000 } });
  other.two('CorrectCard', { round: other.round, place: 2, card: '4S', reason: 'a four' }, late, { T1: 950 });
  expect(other.entries.at(-1)!.postings.map(({ from, to, amount }) => [from.slice(8), to.slice(8), amount])).toEqual([
    ['house/B1', 'stakes/B1', 1000],
    ['stakes/B1', 'terminal/T1', 1000],
    ['house/B1', 'terminal/T1', 1000],
    ['commission/B1', 'terminal/T1', 50],
    ['terminal/T1', 'house/B1', 1000],
    ['terminal/T1', 'stakes/B1', 1000],
    ['stakes/B1', 'house/B1', 1000],
  ]);
});

test('a locked virtual shoe ends opened or unopened, not half of it', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = sit.virtualShoe(natural);
  sit.do('ReportIrregularity', { kind: 'order-altered' }, floor);
  sit.do('VoidRound', { reason: 'lost' }, floor);
  for (const part of [{ cards }, { salts }, { seen: {} }]) {
    expect(sit.refusal('EndShoe', part, floor)).toMatchObject({ refused: 'not-here' });
  }
  expect(sit.do('EndShoe', {}, floor)[0]).toMatchObject({ unopened: true });
});
