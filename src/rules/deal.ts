import { countText } from '../base/countText.ts';
import { type Card, parseCard } from './card.ts';
import { type Facts } from './facts.ts';
import { isNatural, totalOf, firstFourFactsOf } from './hand.ts';
import { type Hands, handsOf, nextSlot } from './play.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../base/refusal.ts';
import { type ShoeDecks, parseShoeDecks } from './shoe.ts';

/** A complete deal. `cards` are in dealing order. */
export type Deal = { readonly cards: readonly Card[]; readonly hands: Hands; readonly facts: Facts };

/**
 * Parses a complete deal and derives its facts. Refuses cards that the shoe or the table of play does not allow, and a
 * deal with cards missing.
 */
export function parseDeal(texts: readonly unknown[], shoe: ShoeDecks): Deal | Refusal {
  const cards = parseDealtCards(texts, shoe);
  if (isRefused(cards)) return cards;
  const slot = nextSlot(cards);
  if (slot !== undefined) {
    const dealt = countText(cards.length, 'card');
    return refuse('incomplete-deal', `The deal is not complete after ${dealt}; also give the card for slot ${slot}.`);
  }
  const hands = handsOf(cards);
  return { cards, hands, facts: factsOf(hands) };
}

/**
 * Parses the cards dealt so far, from no card to a complete deal. Refuses cards that the shoe or the table of play
 * does not allow.
 */
export function parseDealtCards(texts: readonly unknown[], given: ShoeDecks): readonly Card[] | Refusal {
  // A caller in JavaScript may leave the shoe out; then `parseShoeDecks` refuses the missing deck.
  const shoe = parseShoeDecks(
    (given as ShoeDecks | undefined)?.deck as ShoeDecks['deck'],
    (given as ShoeDecks | undefined)?.decks,
  );
  if (isRefused(shoe)) return shoe;
  const { deck, decks } = shoe;
  if (!Array.isArray(texts))
    return refuse('unknown-card', `${quoteForMessage(texts)} is not a list of cards; give the cards in dealing order.`);
  const cards: Card[] = [];
  for (const text of texts) {
    const card = parseCard(text, deck);
    if (typeof card !== 'string') return card;
    if (nextSlot(cards) === undefined) {
      return refuse(
        'card-after-deal',
        `The deal is complete after ${cards.join(' ')}; remove ${card} and all cards after it.`,
      );
    }
    cards.push(card);
    if (cards.length > decks && cards.filter((other) => other === card).length > decks) {
      return refuse(
        'too-many-copies',
        `A shoe of ${decks} decks has only ${decks} copies of ${card}; check the cards.`,
      );
    }
  }
  return cards;
}

function factsOf({ player, banker }: Hands): Facts {
  const playerTotal = totalOf(player) as Facts['playerTotal'];
  const bankerTotal = totalOf(banker) as Facts['bankerTotal'];
  return {
    winner: playerTotal === bankerTotal ? 'tie' : playerTotal > bankerTotal ? 'player' : 'banker',
    margin: Math.abs(playerTotal - bankerTotal) as Facts['margin'],
    playerTotal,
    bankerTotal,
    playerCards: player.length as Facts['playerCards'],
    bankerCards: banker.length as Facts['bankerCards'],
    playerNatural: isNatural(player),
    bankerNatural: isNatural(banker),
    ...firstFourFactsOf(player, banker),
  };
}
