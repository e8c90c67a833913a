import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  openedTable,
  cardsIn,
  afterSettlement,
  floor,
  natural,
  readyTable,
  supervisor,
} from '../tableScenario.ts';

test('the dealer alone takes back one card, not several in a row', () => {
  const scenario = readyTable('baccarat').bets().close().deal('9S 3C 4D');
  scenario.do('TakeBackCard', {});
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'HOUSE 9' });
  expect(scenario.deal('5D').table!.round!.cards).toEqual(['9S', '3C', '5D']);
});

test('a card that was taken back has left the shoe: a void is referred, and the cutting card comes after it', () => {
  const scenario = readyTable('baccarat', { roundsAfterCut: 1 })
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('TakeBackCard', {});
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
  expect(scenario.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 1 });
  expect(scenario.do('VoidRound', { reason: 'x' })).toMatchObject([{ type: 'Referred', proposed: 'void' }]);
});

test('the dealer cannot take back the cards that remain after a correction', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 3, card: '3H', reason: 'misread' }, afterSettlement);
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  scenario.deal('6C');
  expect(scenario.table!.phase).toBe('dealing');
  expect(scenario.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P3', card: '6C' });
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
});

test('the card that is taken back is the last one, whichever slot it filled', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S 2C 9H');
  expect(scenario.do('TakeBackCard', {})[0]).toMatchObject({ slot: 'P2', card: '9H' });
});

test('a carried card is counted once, whether it is still carried or was dealt', () => {
  const scenario = readyTable('baccarat').bets().close().deal('4S 2C 3H TD');
  const replay = (cards: string, unseen: boolean) => {
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    scenario.doByTwo('ReconstructRound', { cards: cardsIn(cards), unseen, reason: 'x' });
    return scenario.table!.shoe!;
  };
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD', true)).toMatchObject({ drawn: 5, carried: true });
  expect(replay('4S 2C 3H TD 6H', false)).toMatchObject({ drawn: 5, carried: false });
});

test('a card after a complete deal is refused with what comes next: the ruling that is open, else the settlement', () => {
  const scenario = readyTable('baccarat').bets().close().deal(natural);
  expect(scenario.refusal('DealCard', { slot: 'P1', card: 'KD' }).message).toBe(
    'The deal is complete; settle the round.',
  );
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  expect(scenario.refusal('EnterCard', { slot: 'P1', card: 'KD', reason: 'x' }).message).toBe(
    'The deal is complete; rule on the open irregularity.',
  );
});

test('a reopened round draws no card from a locked shoe', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  scenario.do('ReportIrregularity', { kind: 'missing-card' });
  const fix = { round: scenario.round, place: 3, card: '3H', reason: 'x' };
  expect(scenario.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1' });
});

test('a reconstruction matches each recorded card once, wherever it is in the list', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S 9S 2C');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const cards = cardsIn('9S 2C 4D');
  expect(scenario.refusal('ReconstructRound', { cards, unseen: false, reason: 'x' })).toMatchObject({
    refused: 'wrong-cards',
  });
});

test('a reconstruction must contain two equal recorded cards twice', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S 9S 2C');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const replay = (cards: readonly string[]) => ({ cards, unseen: false, reason: 'x' });
  expect(scenario.refusal('ReconstructRound', replay(['2C', '9S', '4D']))).toMatchObject({ refused: 'wrong-cards' });
  scenario.doByTwo('ReconstructRound', replay(['2C', '9S', '9S']));
  expect(scenario.table!.round!.cards).toEqual(['2C', '9S', '9S']);
});

test('[READING 18] a carried card is carried again after it is taken back', () => {
  const scenario = readyTable('tiger').bets().close().deal(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('ReconstructRound', { cards: cardsIn(natural), unseen: true, reason: 'one came with it' });
  scenario.settle().bets().close();
  expect(scenario.table!.shoe).toMatchObject({ carried: true, drawn: 5 });
  scenario.deal('KD');
  expect(scenario.do('TakeBackCard', {})[0]).toMatchObject({ type: 'CardTakenBack', card: 'KD', carried: true });
  expect(scenario.table!.shoe).toMatchObject({ carried: true, drawn: 5, seen: { KD: 0 } });
  expect(scenario.do('DealCard', { slot: 'P1', card: 'KH' })[0]).toMatchObject({ carried: true });
  expect(scenario.table!.shoe).toMatchObject({ carried: false, drawn: 5 });
  scenario.deal('2C');
  expect(scenario.do('TakeBackCard', {})[0]).not.toHaveProperty('carried');
  expect(scenario.table!.shoe).toMatchObject({ carried: false, drawn: 5 });
});

const clauseOfHand: { readonly [book: string]: string } = {
  BAC: '1.1.2',
  SUP: '1.1.3',
  ELM: '1.1.2',
  FAB: '1.1.2',
  ETG: '1.1.5',
};
const handRows = games.map(({ id, book }) => [`${book} ${clauseOfHand[book]}`, id, book] as const);

/** The cards of both hands of the round. */
const handsOf = ({ table }: TableScenario): readonly (readonly string[])[] => {
  const { player, banker } = publicView(table!).round!;
  return [player.cards, banker.cards];
};

/** The next round, closed, after an interruption voided a round with an unseen card on the felt; and cards to deal. */
function unseenCardCarried(game: string, book: string) {
  const [first, ...next] = cardsIn(book === 'ELM' ? '21 32 43 54' : '2S 3H 4D 5C');
  // Any first card decides a wager on the colour of a hand, so at SUP only a round without a card is void.
  const recorded = book === 'SUP' ? [] : [first!];
  const scenario = readyTable(game)
    .bets({ T1: { player: 1000 } })
    .close()
    .deal(recorded.join(' '));
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  scenario.doByTwo('ConfirmFelt', { unseen: true });
  expect(scenario.do('ConfirmRuling', {}, supervisor)[0]).toMatchObject({ type: 'RoundVoided' });
  // The unseen card is in no hand of the round in which it left the shoe.
  expect(handsOf(scenario)).toEqual([recorded, []]);
  expect(handsOf(scenario.bets().close())).toEqual([[], []]);
  const drawn = recorded.length + 1;
  expect(scenario.table!.shoe).toMatchObject({ carried: true, drawn });
  return { scenario, next, drawn };
}

function expectMarkedAlone(scenario: TableScenario, marked: string, other: string): void {
  expect(scenario.do('DealCard', { slot: 'P1', card: marked })).toMatchObject([
    { type: 'CardDealt', round: scenario.round, carried: true },
  ]);
  expect(handsOf(scenario)).toEqual([[marked], []]);
  expect(scenario.do('DealCard', { slot: 'B1', card: other })[0]).not.toHaveProperty('carried');
  expect(handsOf(scenario)).toEqual([[marked], [other]]);
}

test.each(handRows)(
  '[%s] at %s an unseen card on the felt of a void round is the first card of the next round, and is marked',
  (_, game, book) => {
    const { scenario, next, drawn } = unseenCardCarried(game, book);
    expectMarkedAlone(scenario, next[0]!, next[1]!);
    expect(scenario.table!.shoe).toMatchObject({ carried: false, drawn: drawn + 1 });
  },
);

test.each(handRows)(
  '[%s] at %s a carried card that is taken back is in no hand, and is marked again when it is dealt again',
  (_, game, book) => {
    const { scenario, next, drawn } = unseenCardCarried(game, book);
    const [misread, corrected, other] = next;
    scenario.deal(misread!);
    expect(scenario.do('TakeBackCard', {})).toMatchObject([{ type: 'CardTakenBack', card: misread, carried: true }]);
    expect(handsOf(scenario)).toEqual([[], []]);
    expect(scenario.table!.shoe).toMatchObject({ carried: true, drawn });
    expectMarkedAlone(scenario, corrected!, other!);
    expect(scenario.table!.shoe).toMatchObject({ carried: false, drawn: drawn + 1 });
  },
);

test('[READING 58] unrecorded cards drawn together have left the shoe when their round is void', () => {
  const drawnAfter = (cards: string, report: { readonly place?: number }): number => {
    const scenario = readyTable('baccarat').bets().close().deal(cards);
    scenario.do('ReportIrregularity', { kind: 'drawn-together', ...report });
    scenario.doByTwo('VoidRound', { reason: 'two at once' });
    return scenario.table!.shoe!.drawn;
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
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D');
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo(
    'ReconstructRound',
    { cards: ['9S', '2C', '9H', '4D'], unseen: true, reason: 'one more lies there' },
    afterSettlement,
  );
  expect(scenario.table!.shoe).toMatchObject({ drawn: 5, carried: true });
  scenario.bets().close();
  scenario.do('ReportIrregularity', { kind: 'drawn-together' });
  scenario.doByTwo('VoidRound', { reason: 'two at once' });
  expect(scenario.table!.shoe).toMatchObject({ drawn: 6, carried: false });
});
