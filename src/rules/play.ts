import { type Card, pointsOf } from './card.ts';
import { type Side, totalOf } from './hand.ts';

export const slots = ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'] as const;
/** Position of a card in the deal: P for Player or B for Banker, and the number of the card in that hand. */
export type CardSlot = (typeof slots)[number];

/**
 * The points of the Player's third card on which the Banker draws. The index is the Banker's two-card total, 0 to 7.
 */
const bankerDrawsOn = ['0123456789', '0123456789', '0123456789', '012345679', '234567', '4567', '67', ''] as const;

/**
 * Table of play: the side that draws next, given the two-card totals; undefined when no side draws. `third` is the
 * points of the Player's third card, undefined before that card is dealt. [BAC 3.9, SUP 3.9, ELM 3.9, FAB 3.8, ETG 3.8;
 * READING 43]
 */
export function sideToDraw(player: number, banker: number, third?: number): Side | undefined {
  if (player >= 8 || banker >= 8) return undefined;
  if (third !== undefined) return bankerDrawsOn[banker]!.includes(String(third)) ? 'banker' : undefined;
  if (player <= 5) return 'player';
  return banker <= 5 ? 'banker' : undefined;
}

/** The slot of the next card, given the cards so far in dealing order; undefined when the deal is complete. */
export function nextSlot(cards: readonly Card[]): CardSlot | undefined {
  if (cards.length < 4) return slots[cards.length];
  const [p1, b1, p2, b2, fifth, sixth] = cards as [Card, Card, Card, Card, ...Card[]];
  const player = totalOf([p1, p2]);
  const banker = totalOf([b1, b2]);
  const first = sideToDraw(player, banker);
  if (fifth === undefined) return first && (first === 'player' ? 'P3' : 'B3');
  if (first !== 'player' || sixth !== undefined) return undefined;
  return sideToDraw(player, banker, pointsOf(fifth)) && 'B3';
}

export type Hands = { readonly [S in Side]: readonly Card[] };

/**
 * Splits cards in dealing order into the two hands: Player, Banker, Player, Banker, then third cards. [BAC 3.7, READING
 * 18]
 */
export function handsOf(cards: readonly Card[]): Hands {
  const hands = { player: [] as Card[], banker: [] as Card[] };
  const fifth = nextSlot(cards.slice(0, 4));
  cards.forEach((card, index) => {
    const slot = index === 4 ? fifth : slots[index];
    hands[slot === 'P1' || slot === 'P2' || slot === 'P3' ? 'player' : 'banker'].push(card);
  });
  return hands;
}
