import { type Card, type Suit, pointsOf, rankOf, suitOf } from './card.ts';

/** One of the two hands, Player or Banker. */
export type Side = 'player' | 'banker';

export const handColours = ['red', 'black', 'mixed', 'none'] as const;
export type HandColour = (typeof handColours)[number];

export const tigerPairTiers = ['none', 'single', 'double', 'twin'] as const;
type TigerPair = (typeof tigerPairTiers)[number];

export const preciousPairTiers = ['none', 'other', 'diamonds', 'fours', 'diamond-fours'] as const;
export type PreciousPairTier = (typeof preciousPairTiers)[number];

/** Total of a hand: the last digit of the sum of its points. [BAC 3.4] */
export function totalOf(hand: readonly Card[]): number {
  let sum = 0;
  for (const card of hand) sum += pointsOf(card);
  return sum % 10;
}

/** True for 8 or 9 points on two cards. A hand with a third card is never a natural. [BAC 1.1.4] */
export const isNatural = (hand: readonly Card[]): boolean => hand.length === 2 && totalOf(hand) >= 8;

/**
 * True when the first two cards have the same rank. A Ten and a King are no pair, although both count zero. [BAC 1.1.5,
 * READING 1]
 */
export const isPair = ([first, second]: readonly Card[]): boolean => rankOf(first!) === rankOf(second!);

/**
 * The tier of the pair of the first two cards, for the Precious Pair wagers. A pair is paid once, at the highest tier
 * that it reaches. [SUP 1.1.6, SUP 4.2, FAB 1.1.6]
 */
export function preciousPairTierOf(hand: readonly Card[]): PreciousPairTier {
  if (!isPair(hand)) return 'none';
  const diamonds = suitOf(hand[0]!) === 'D' && suitOf(hand[1]!) === 'D';
  if (rankOf(hand[0]!) === '4') return diamonds ? 'diamond-fours' : 'fours';
  return diamonds ? 'diamonds' : 'other';
}

/**
 * `red` or `black` when the first two cards both have that colour, else `mixed`; `none` for the 65-card deck, whose
 * suits have no colour. [SUP 1.1.9, READING 8]
 */
export function handColourOf([first, second]: readonly Card[]): HandColour {
  const colour = suitColour(suitOf(first!));
  return colour === suitColour(suitOf(second!)) ? colour : 'mixed';
}

const suitColour = (suit: Suit): HandColour =>
  suit === 'H' || suit === 'D' ? 'red' : suit === 'C' || suit === 'S' ? 'black' : 'none';

/**
 * The tier of the Tiger Pair wager, which is paid once: at the highest tier that both hands reach together. [ETG
 * 1.1.19, READING 2, READING 3]
 */
function tigerPairOf(player: readonly Card[], banker: readonly Card[]): TigerPair {
  const pairs = Number(isPair(player)) + Number(isPair(banker));
  if (pairs === 2) return rankOf(player[0]!) === rankOf(banker[0]!) ? 'twin' : 'double';
  return pairs === 1 ? 'single' : 'none';
}

/**
 * Facts about ranks and suits of the first four cards: pairs, tiers of pairs, and colours. Third cards do not change
 * these facts.
 */
export type FirstFourFacts = ReturnType<typeof firstFourFactsOf>;

export const firstFourFactsOf = (player: readonly Card[], banker: readonly Card[]) => ({
  playerPair: isPair(player),
  bankerPair: isPair(banker),
  playerPreciousPair: preciousPairTierOf(player),
  bankerPreciousPair: preciousPairTierOf(banker),
  playerColour: handColourOf(player),
  bankerColour: handColourOf(banker),
  tigerPair: tigerPairOf(player, banker),
});
