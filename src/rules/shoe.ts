import { type Card, type DeckId, cardsOfDeck, isDeckId, unknownDeckRefusal } from './card.ts';
import { type Refusal, quoteForMessage, refuse } from '../base/refusal.ts';

/** The decks of a shoe: which deck and how many. The order of the cards is not included. */
export type ShoeDecks = { readonly deck: DeckId; readonly decks: number };

const minDecks = 4;
const maxDecks = 10;
const defaultDecks = 8;

/**
 * Parses the decks of a shoe: four to ten, eight by default; any other number is refused. All five rulebooks have these
 * limits. [BAC 2.1, SUP 2.1, ELM 2.1, FAB 2.1, ETG 2.1]
 */
export function parseShoeDecks(deck: DeckId, decks: unknown = defaultDecks): ShoeDecks | Refusal {
  if (!isDeckId(deck)) return unknownDeckRefusal(deck);
  if (!Number.isInteger(decks) || (decks as number) < minDecks || (decks as number) > maxDecks) {
    return refuse(
      'bad-decks',
      `The number of decks is ${quoteForMessage(decks)}; use a whole number from ${minDecks} to ${maxDecks}.`,
    );
  }
  return { deck, decks: decks as number };
}

export const shoeSizeOf = ({ deck, decks }: ShoeDecks): number => cardsOfDeck(deck).length * decks;

/** All cards of a shoe in deck order: each card once per deck. */
export const allCardsOfShoe = ({ deck, decks }: ShoeDecks): readonly Card[] =>
  Array.from({ length: decks }, () => cardsOfDeck(deck)).flat();
