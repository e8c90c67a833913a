import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { allCardsOfShoe } from '../../../src/rules/shoe.ts';

/** A shuffle that puts these rounds first, card by card. For one shoe of one table with 8 decks. */
export function prepared(...rounds: readonly string[]): RandomSource {
  const first = rounds.flatMap((round) => round.split(' '));
  const deck = cardsOfDeck('elements').some((card) => card === first[0]) ? 'elements' : 'french';
  const order: string[] = [...allCardsOfShoe({ deck, decks: 8 })];
  const rest = [...order];
  for (const card of first) {
    if (!rest.includes(card)) throw new Error(`The ${deck} deck has no ${card} left.`);
    rest.splice(rest.indexOf(card), 1);
  }
  const target = [...first, ...rest];
  const draws: number[] = [];
  for (let last = order.length - 1; last > 0; last--) {
    const other = order.lastIndexOf(target[last]!, last);
    draws.push(other);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  // After the shuffle the cut position is the first card.
  return { below: () => draws.shift() ?? 0, salt: createSeededRandom('prepared').salt };
}
