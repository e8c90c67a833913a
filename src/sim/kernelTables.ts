import { isOutcomeFact, countingPlanFor, factCategoryOf } from '../odds/countingPlan.ts';
import { factsOfCell } from '../odds/distribution.ts';
import { type Card, cardsOfDeck, pointsOf } from '../rules/card.ts';
import { type Facts } from '../rules/facts.ts';
import { type Game } from '../rules/game.ts';
import { totalOf } from '../rules/hand.ts';
import { sideToDraw } from '../rules/play.ts';
import { factsUsed } from '../rules/wager.ts';

/** Look-up tables of the kernel, derived from the table of play and the wagers of a game. */
export type KernelTables = {
  readonly cards: readonly Card[];
  readonly points: Uint8Array;
  /** Who draws after four cards: 0 no side, 1 Player, 2 Banker. The index is Player total * 16 + Banker total. */
  readonly drawsAfterFour: Uint8Array;
  /** One bit for each value of the Player's third card on which the Banker draws. The index is the Banker total. */
  readonly bankerDrawsOnThird: Uint16Array;
  /**
   * For two cards of the Player, at index first * number of cards + second: hand class * number of Banker classes * 16
   * + total. So the entries of the two hands, each divided by 16 and rounded down, add up to the index of the pair of
   * hands.
   */
  readonly playerHands: Uint32Array;
  /** For two cards of the Banker, at index first * number of cards + second: hand class * 16 + total. */
  readonly bankerHands: Uint32Array;
  /** Number of pairs of hands that the wagers can tell apart. */
  readonly handPairCount: number;
  /**
   * True when some wager depends on the pair of hands and on the outcome cell. Then each combination of the two is
   * counted; else pairs and cells are counted separately.
   */
  readonly countsJointly: boolean;
  /** The facts of a pair of hands and an outcome cell. Only the facts that the wagers use are valid. */
  readonly factsOf: (hands: number, cell: number) => Facts;
};

export function kernelTablesFor(game: Game): KernelTables {
  const cards = cardsOfDeck(game.deck);
  const usedFacts = new Set(
    Object.values(game.wagers).flatMap((wager) => [...factsUsed(wager)].filter((name) => !isOutcomeFact(name))),
  );
  const plan = countingPlanFor(game.deck, usedFacts);
  const width = plan.banker.kinds.length;
  const classOf = new Uint8Array(cards.length);
  plan.classes.forEach((one, place) => one.cards.forEach((card) => (classOf[card] = place)));

  const hands = (kindOf: Uint16Array, stride: number): Uint32Array =>
    Uint32Array.from({ length: cards.length ** 2 }, (_, place) => {
      const [first, second] = [Math.trunc(place / cards.length), place % cards.length];
      const kind = kindOf[classOf[first]! * plan.classes.length + classOf[second]!]!;
      return kind * stride * 16 + totalOf([cards[first]!, cards[second]!]);
    });

  return {
    cards,
    points: Uint8Array.from(cards, pointsOf),
    drawsAfterFour: Uint8Array.from({ length: 256 }, (_, place) => {
      const next = sideToDraw(place >> 4, place & 15);
      return next === 'player' ? 1 : next === 'banker' ? 2 : 0;
    }),
    bankerDrawsOnThird: Uint16Array.from({ length: 10 }, (_, banker) => {
      let bits = 0;
      for (let third = 0; third < 10; third++) if (sideToDraw(0, banker, third) === 'banker') bits |= 1 << third;
      return bits;
    }),
    playerHands: hands(plan.player.kindOf, width),
    bankerHands: hands(plan.banker.kindOf, 1),
    handPairCount: plan.player.kinds.length * width,
    countsJointly: Object.values(game.wagers).some((wager) => factCategoryOf(factsUsed(wager)) === 'mixed'),
    factsOf: (pair, cell) => factsOfCell(plan.traits[plan.traitOf[pair]!]!, cell),
  };
}
