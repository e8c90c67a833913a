import { type Card, type Suit, pointsOf, rankOf, suitOf } from './card.ts';

/** The two hands; a patron is not a side. */
export type Side = 'player' | 'banker';

export const handColours = ['red', 'black', 'mixed', 'none'] as const;
export type HandColour = (typeof handColours)[number];

export const tigerPairTiers = ['none', 'single', 'double', 'twin'] as const;
type TigerPair = (typeof tigerPairTiers)[number];

export const preciousPairTiers = ['none', 'other', 'diamonds', 'fours', 'diamond-fours'] as const;
export type PreciousPairTier = (typeof preciousPairTiers)[number];

/** The right digit of the sum. [BAC 3.4] */
export function totalOf(hand: readonly Card[]): number {
  let sum = 0;
  for (const card of hand) sum += pointsOf(card);
  return sum % 10;
}

// The functions below use the first two cards only.

/** Eight or nine on two cards; with a third card it is an ordinary total. [BAC 1.1.4] */
export const isNatural = (hand: readonly Card[]): boolean => hand.length === 2 && totalOf(hand) >= 8;

/** Two cards of one rank: a Ten and a King are no pair, whatever their points. [BAC 1.1.5, READING 1] */
export const isPair = ([first, second]: readonly Card[]): boolean => rankOf(first!) === rankOf(second!);

/** The highest tier a pair reaches, as it is paid once and at its highest value. [SUP 1.1.6, SUP 4.2, FAB 1.1.6] */
export function preciousPairTierOf(hand: readonly Card[]): PreciousPairTier {
  if (!isPair(hand)) return 'none';
  const diamonds = suitOf(hand[0]!) === 'D' && suitOf(hand[1]!) === 'D';
  if (rankOf(hand[0]!) === '4') return diamonds ? 'diamond-fours' : 'fours';
  return diamonds ? 'diamonds' : 'other';
}

/** Red or black when both cards are; the suits of the 65-card deck have no colour. [SUP 1.1.9, READING 8] */
export function handColourOf([first, second]: readonly Card[]): HandColour {
  const colour = suitColour(suitOf(first!));
  return colour === suitColour(suitOf(second!)) ? colour : 'mixed';
}

const suitColour = (suit: Suit): HandColour =>
  suit === 'H' || suit === 'D' ? 'red' : suit === 'C' || suit === 'S' ? 'black' : 'none';

/** Paid once, at the highest of its three classes. [ETG 1.1.19, READING 2, READING 3] */
function tigerPairOf(player: readonly Card[], banker: readonly Card[]): TigerPair {
  const pairs = Number(isPair(player)) + Number(isPair(banker));
  if (pairs === 2) return rankOf(player[0]!) === rankOf(banker[0]!) ? 'twin' : 'double';
  return pairs === 1 ? 'single' : 'none';
}

/** All that the first two cards of both hands settle, beyond their points. */
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
