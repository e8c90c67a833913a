import { type Card, type DeckId, cardsOf } from '../../rules/card.ts';
import { nextSlot } from '../../rules/play.ts';
import { keyOf, shuffled } from '../../sim/random.ts';

/** All that is drawn by chance in vectors follows from this text. */
export const seed = 'punto vectors 1';

/** The first cards of shoe n of that deck: the same cards whoever asks. */
export function cardsOfShoe(deck: DeckId, n: number, dealt: number, decks = 8): readonly Card[] {
  const cards = cardsOf(deck);
  const order = shuffled(keyOf(seed), n, cards.length * decks, cards.length, dealt);
  return Array.from(order, (place) => cards[place]!);
}

/** The first round of shoe n, as far as the table of play goes. */
export function dealOfShoe(deck: DeckId, n: number): readonly Card[] {
  const six = cardsOfShoe(deck, n, 6);
  let dealt = 4;
  while (nextSlot(six.slice(0, dealt)) !== undefined) dealt++;
  return six.slice(0, dealt);
}
