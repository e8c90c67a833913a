import { expect, test } from 'vitest';
import { openedTable, cardsIn, afterSettlement, natural, readyTable, supervisor } from './tableScenario.ts';

test('the dealer alone takes back one entry, not a row of them', () => {
  const sit = readyTable('baccarat').bets().close().deal('9S 3C 4D');
  sit.do('TakeBackCard', {});
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'HOUSE 9' });
  expect(sit.deal('5D').table!.round!.cards).toEqual(['9S', '3C', '5D']);
});

test('a card that was taken back has been out: a void is referred, and the cutting card comes after it', () => {
  const sit = readyTable('baccarat', { roundsAfterCut: 1 })
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('TakeBackCard', {});
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
  expect(sit.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 1 });
  expect(sit.do('VoidRound', { reason: 'x' })).toMatchObject([{ type: 'Referred', proposed: 'void' }]);
});

test('the cards that a correction left are not the dealer’s to take back', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'misread' }, afterSettlement);
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  sit.deal('6C');
  expect(sit.table!.phase).toBe('dealing');
  expect(sit.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P3', card: '6C' });
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
});

test('the entry that is taken back is the last one, whichever slot it filled', () => {
  const sit = readyTable('tiger').bets().close().deal('9S 2C 9H');
  expect(sit.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P2', card: '9H' });
});

test('a carried card is counted once, whether it is still carried or was dealt', () => {
  const sit = readyTable('baccarat').bets().close().deal('4S 2C 3H TD');
  const replay = (cards: string, unseen: boolean) => {
    sit.do('ReportIrregularity', { kind: 'wrong-number' });
    sit.doByTwo('ReconstructRound', { cards: cardsIn(cards), unseen, reason: 'x' });
    return sit.table!.shoe!;
  };
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD 6H', false)).toMatchObject({ drawn: 5, carried: false });
});

test('a round that is taken up again draws no card from a locked shoe', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.do('ReportIrregularity', { kind: 'missing-card' });
  const fix = { round: sit.round, place: 3, card: '3H', reason: 'x' };
  expect(sit.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1' });
});

test('a reconstruction matches each recorded card once, wherever it is in the list', () => {
  const sit = readyTable('tiger').bets().close().deal('9S 9S 2C');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const cards = cardsIn('9S 2C 4D');
  expect(sit.refusal('ReconstructRound', { cards, unseen: false, reason: 'x' })).toMatchObject({
    refused: 'wrong-cards',
  });
});

test('a reconstruction must contain two equal recorded cards twice', () => {
  const sit = readyTable('tiger').bets().close().deal('9S 9S 2C');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const replay = (cards: readonly string[]) => ({ cards, unseen: false, reason: 'x' });
  expect(sit.refusal('ReconstructRound', replay(['2C', '9S', '4D']))).toMatchObject({ refused: 'wrong-cards' });
  sit.doByTwo('ReconstructRound', replay(['2C', '9S', '9S']));
  expect(sit.table!.round!.cards).toEqual(['2C', '9S', '9S']);
});

test('[READING 18] a carried card is carried again after it is taken back', () => {
  const sit = readyTable('tiger').bets().close().deal(natural);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('ReconstructRound', { cards: cardsIn(natural), unseen: true, reason: 'one came with it' });
  sit.settle().bets().close();
  expect(sit.table!.shoe).toMatchObject({ carried: true, drawn: 5 });
  sit.deal('KD');
  expect(sit.do('TakeBackCard', {})[0]).toMatchObject({ type: 'CardTakenBack', card: 'KD', carried: true });
  expect(sit.table!.shoe).toMatchObject({ carried: true, drawn: 5, seen: { KD: 0 } });
  expect(sit.do('DealCard', { slot: 'P1', card: 'KH' })[0]).toMatchObject({ carried: true });
  expect(sit.table!.shoe).toMatchObject({ carried: false, drawn: 5 });
  sit.deal('2C');
  expect(sit.do('TakeBackCard', {})[0]).not.toHaveProperty('carried');
  expect(sit.table!.shoe).toMatchObject({ carried: false, drawn: 5 });
});

test('[READING 58] unrecorded cards drawn together have left the shoe when their round is void', () => {
  const drawnAfter = (cards: string, report: { readonly place?: number }): number => {
    const sit = readyTable('baccarat').bets().close().deal(cards);
    sit.do('ReportIrregularity', { kind: 'drawn-together', ...report });
    sit.doByTwo('VoidRound', { reason: 'two at once' });
    return sit.table!.shoe!.drawn;
  };
  // The next two cards, the last and the next, and two recorded ones.
  expect([drawnAfter('2S', {}), drawnAfter('2S', { place: 1 }), drawnAfter('2S 3S', { place: 1 })]).toEqual([3, 2, 2]);
  const dismissed = readyTable('baccarat').bets().close().deal('2S');
  dismissed.do('ReportIrregularity', { kind: 'drawn-together' });
  dismissed.doByTwo('DismissReport', { reason: 'it was one' });
  expect(dismissed.table!.shoe!.drawn).toBe(1);
  // By that count the cutting card must be out, and the prompt asks for it.
  const due = openedTable('baccarat').shoe('S1', 413).bets().close().deal('2S');
  due.do('ReportIrregularity', { kind: 'drawn-together' });
  due.do('ReportIrregularity', { kind: 'order-altered' });
  due.doByTwo('RestoreOrder', { reason: 'put back' });
  due.doByTwo('VoidRound', { reason: 'three at once' });
  expect(due.table!.shoe!.drawn).toBe(3);
  expect(due.submit('OpenBets', {})).not.toHaveProperty('refused');
  const over = openedTable('baccarat').shoe('S1', 414).bets().close().deal('2S');
  over.do('ReportIrregularity', { kind: 'drawn-together' });
  over.doByTwo('VoidRound', { reason: 'two at once' });
  expect(over.refusal('OpenBets', {})).toMatchObject({ refused: 'cutting-card-due' });
});

test('[READING 58] a carried card among cards drawn together had left the shoe before', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D');
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo(
    'ReconstructRound',
    { cards: ['9S', '2C', '9H', '4D'], unseen: true, reason: 'one more lies there' },
    afterSettlement,
  );
  expect(sit.table!.shoe).toMatchObject({ drawn: 5, carried: true });
  sit.bets().close();
  sit.do('ReportIrregularity', { kind: 'drawn-together' });
  sit.doByTwo('VoidRound', { reason: 'two at once' });
  expect(sit.table!.shoe).toMatchObject({ drawn: 6, carried: false });
});
