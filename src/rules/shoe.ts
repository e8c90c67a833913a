import { type Card, type DeckId, cardsOf, isDeckId, unknownDeckRefusal } from './card.ts';
import { type Refusal, quoted, refuse } from '../base/refusal.ts';

export type Shoe = { readonly deck: DeckId; readonly decks: number };

const minDecks = 4;
const maxDecks = 10;
const defaultDecks = 8;

/**
 * A shoe of four to ten decks, eight by default; any other number of decks is refused. All five rulebooks have these
 * limits. [BAC 2.1, SUP 2.1, ELM 2.1, FAB 2.1, ETG 2.1]
 */
export function shoeOf(deck: DeckId, decks: unknown = defaultDecks): Shoe | Refusal {
  if (!isDeckId(deck)) return unknownDeckRefusal(deck);
  if (!Number.isInteger(decks) || (decks as number) < minDecks || (decks as number) > maxDecks) {
    return refuse(
      'bad-decks',
      `The number of decks is ${quoted(decks)}; use a whole number from ${minDecks} to ${maxDecks}.`,
    );
  }
  return { deck, decks: decks as number };
}

/** All cards of a shoe in deck order: each card once per deck. */
export const cardsIn = ({ deck, decks }: Shoe): readonly Card[] =>
  Array.from({ length: decks }, () => cardsOf(deck)).flat();
