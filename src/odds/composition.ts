import { countText } from '../base/countText.ts';
import { assert } from '../base/assert.ts';
import { type Card, type DeckId, cardsOfDeck, isDeckId, unknownDeckRefusal, parseCard } from '../rules/card.ts';
import { type Refusal, quoteForMessage, refuse } from '../base/refusal.ts';
import { type ShoeDecks } from '../rules/shoe.ts';

/** The cards left in a shoe: the count of each card, in deck order. */
export type Composition = { readonly deck: DeckId; readonly counts: readonly number[]; readonly size: number };

export function freshShoe({ deck, decks }: ShoeDecks): Composition {
  assert(isDeckId(deck), `there is a deck ${deck as string}`);
  assert(Number.isInteger(decks) && decks > 0, 'a shoe has whole decks');
  return { deck, counts: cardsOfDeck(deck).map(() => decks), size: cardsOfDeck(deck).length * decks };
}

/** Maximum copies of one card, as in the largest shoe. */
const maxCopies = 10;

/**
 * Parses the cards left in a shoe, such as {"KD": 7}; a card that is not named counts 0. At least six cards are
 * required, so that any round can be dealt.
 */
export function parseComposition(value: unknown, deck: DeckId): Composition | Refusal {
  if (!isDeckId(deck)) return unknownDeckRefusal(deck);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('bad-shoe', `${quoteForMessage(value)} is not a shoe; give an object such as {"KD": 7, "4S": 8}.`);
  }
  const counted = new Map<Card, number>();
  for (const [text, count] of Object.entries(value)) {
    const card = parseCard(text, deck);
    if (typeof card !== 'string') return card;
    if (!Number.isInteger(count) || count < 0 || count > maxCopies) {
      return refuse(
        'bad-shoe',
        `The count of ${card} is ${quoteForMessage(count)}; give a whole number from 0 to ${maxCopies}.`,
      );
    }
    if (counted.has(card)) return refuse('bad-shoe', `${card} is named twice; name each card once.`);
    counted.set(card, count as number);
  }
  const counts = cardsOfDeck(deck).map((card) => counted.get(card) ?? 0);
  const size = counts.reduce((sum, count) => sum + count, 0);
  if (size < 6)
    return refuse(
      'bad-shoe',
      `The shoe has ${countText(size, 'card')} left; give at least six, since a round may need them.`,
    );
  return { deck, counts, size };
}
