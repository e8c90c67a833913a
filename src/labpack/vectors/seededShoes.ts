import { type Card, type DeckId, cardsOfDeck } from '../../rules/card.ts';
import { nextSlot } from '../../rules/play.ts';
import { shuffleKeyOf, shuffledCardIndexes } from '../../sim/shuffle.ts';

/** Seed of all random parts of the vectors. */
export const vectorSeed = 'punto vectors 1';

/** The first cards of shoe `n` of a deck. They depend on the seed only, so they are always the same. */
export function firstCardsOfSeededShoe(deck: DeckId, n: number, count: number, decks = 8): readonly Card[] {
  const cards = cardsOfDeck(deck);
  const order = shuffledCardIndexes(shuffleKeyOf(vectorSeed), n, cards.length * decks, cards.length, count);
  return Array.from(order, (index) => cards[index]!);
}

/** The cards of the first round of shoe `n`, complete by the table of play. */
export function firstDealOfSeededShoe(deck: DeckId, n: number): readonly Card[] {
  const six = firstCardsOfSeededShoe(deck, n, 6);
  let count = 4;
  while (nextSlot(six.slice(0, count)) !== undefined) count++;
  return six.slice(0, count);
}
