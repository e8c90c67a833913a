import { type Card, type DeckId, cardsOfDeck, rankOf } from '../../src/rules/card.ts';
import { type Deal } from '../../src/rules/deal.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { handColourOf, isPair, preciousPairTierOf, totalOf } from '../../src/rules/hand.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { dealt } from './rows.ts';

/** One card for each rank, in the order of ranks; the first ten have ten different values. */
export const ranksOf = (deck: DeckId): readonly Card[] => cardsOfDeck(deck).slice(0, 13);

/** Two cards that make a total and are no pair. */
export function twoCards(deck: DeckId, total: number): readonly [Card, Card] {
  const ranks = ranksOf(deck);
  return total === 0 ? [ranks[9]!, ranks[10]!] : [ranks[total - 1]!, ranks[9]!];
}

/** The first four cards that give these two-card totals. */
export function firstFour(deck: DeckId, player: number, banker: number): readonly Card[] {
  const [p1, p2] = twoCards(deck, player);
  const [b1, b2] = twoCards(deck, banker);
  return [p1, b1, p2, b2];
}

const outcomesByDeck = new Map<DeckId, readonly Deal[]>();

/** Deals for every combination of totals and numbers of cards. */
export function everyOutcome(deck: DeckId): readonly Deal[] {
  const cached = outcomesByDeck.get(deck);
  if (cached) return cached;
  const values = ranksOf(deck).slice(0, 10);
  const found = new Map<string, Deal>();
  const playOut = (cards: readonly Card[]): void => {
    if (nextSlot(cards) !== undefined) {
      for (const card of values) playOut([...cards, card]);
      return;
    }
    const deal = dealt(cards, deck);
    const { playerTotal, bankerTotal, playerCards, bankerCards } = deal.facts;
    found.set([playerTotal, bankerTotal, playerCards, bankerCards].join(' '), deal);
  };
  for (let player = 0; player < 10; player++) {
    for (let banker = 0; banker < 10; banker++) playOut(firstFour(deck, player, banker));
  }
  const all = [...found.values()];
  outcomesByDeck.set(deck, all);
  return all;
}

/** A whole deal that begins with these cards; tens fill the third cards. */
export function completed(cards: readonly Card[], deck: DeckId): Deal {
  const ten = ranksOf(deck)[9]!;
  const whole = [...cards];
  while (nextSlot(whole) !== undefined) whole.push(ten);
  return dealt(whole, deck);
}

/** Points of a card by the letter of its rank: an ace one, two to nine their number, all others zero. */
const worthOf = (card: Card): number => 'A23456789'.indexOf(card[0]!) + 1;

/**
 * Winner, lead, totals, numbers of cards and naturals, counted from the cards in dealing order, so that a claim does not
 * rest on the facts of the rules. Without a natural a Player hand of 0 to 5 takes the fifth card.
 */
export function countedFacts(cards: readonly Card[]) {
  const worth = cards.map(worthOf);
  const [player, banker] = [
    [worth[0]!, worth[2]!],
    [worth[1]!, worth[3]!],
  ] as [number[], number[]];
  const total = (hand: readonly number[]) => (hand.reduce((sum, one) => sum + one, 0) % 10) as Facts['playerTotal'];
  const [p, b] = [total(player), total(banker)];
  if (cards.length > 4) (p <= 5 && b < 8 ? player : banker).push(worth[4]!);
  if (cards.length > 5) banker.push(worth[5]!);
  const [playerTotal, bankerTotal] = [total(player), total(banker)];
  return {
    winner: playerTotal > bankerTotal ? 'player' : playerTotal < bankerTotal ? 'banker' : 'tie',
    margin: Math.abs(playerTotal - bankerTotal) as Facts['margin'],
    playerTotal,
    bankerTotal,
    playerCards: player.length as Facts['playerCards'],
    bankerCards: banker.length as Facts['bankerCards'],
    playerNatural: cards.length === 4 && playerTotal >= 8,
    bankerNatural: cards.length === 4 && bankerTotal >= 8,
  } as const;
}

const factsByDeck = new Map<DeckId, readonly Facts[]>();

/** The facts of every complete round that a deck can give, all suits and ranks considered. */
export function everyFacts(deck: DeckId): readonly Facts[] {
  const cached = factsByDeck.get(deck);
  if (cached) return cached;
  const cards = cardsOfDeck(deck);
  const kinds = new Map<string, readonly [Card, Card]>();
  for (const a of cards) {
    for (const b of cards) {
      const pair = isPair([a, b]) && rankOf(a);
      kinds.set([totalOf([a, b]), pair, preciousPairTierOf([a, b]), handColourOf([a, b])].join(' '), [a, b]);
    }
  }
  const values = ranksOf(deck).slice(0, 10);
  const found = new Map<string, Facts>();
  const playOut = (dealtSoFar: readonly Card[]): void => {
    if (nextSlot(dealtSoFar) === undefined) {
      const { facts } = dealt(dealtSoFar, deck);
      found.set(Object.values(facts).join(' '), facts);
    } else for (const card of values) playOut([...dealtSoFar, card]);
  };
  for (const [p1, p2] of kinds.values()) for (const [b1, b2] of kinds.values()) playOut([p1, b1, p2, b2]);
  const all = [...found.values()];
  factsByDeck.set(deck, all);
  return all;
}
