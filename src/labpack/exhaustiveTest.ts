import { uniformBelow, fairShuffle } from '../runtime/ports/random.ts';

/** Result of the exhaustive tests on a small source, where every input is tried. */
export type ExhaustiveTestResult = {
  /** Number of values of the source. */
  readonly range: number;
  /** Number of ranges drawn from, and the ranges whose numbers were not equally likely. */
  readonly limits: number;
  readonly uneven: readonly number[];
  /** Card counts shuffled by every sequence of draws, and those whose orders were not equally likely. */
  readonly shuffles: readonly number[];
  readonly unfair: readonly number[];
};

/** Tests the production range function and shuffle with an 8-bit source. */
export function testShuffleExhaustively(draw = uniformBelow, shuffle = fairShuffle): ExhaustiveTestResult {
  const range = 256;
  const limits = Array.from({ length: range }, (_, n) => n + 1);
  const shuffles = [2, 3, 4, 5, 6, 7];
  return {
    range,
    limits: limits.length,
    uneven: limits.filter((limit) => !isUniform(limit, range, draw)),
    shuffles,
    unfair: shuffles.filter((cardCount) => !isFairShuffle(cardCount, shuffle)),
  };
}

/** True if each number comes from floor(range / limit) words: equally likely, and no word is wasted. */
function isUniform(limit: number, range: number, draw: typeof uniformBelow): boolean {
  const counts = Array.from({ length: limit }, () => 0);
  for (let word = 0; word < range; word++) {
    let draws = 0;
    // A rejected word draws a second one; only the first is counted.
    const value = draw(limit, range, () => (draws++ === 0 ? word : 0));
    if (draws === 1) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts.length === limit && counts.every((count) => count === Math.floor(range / limit));
}

/** True if all sequences of draws give each order exactly once. */
function isFairShuffle(cardCount: number, shuffle: typeof fairShuffle): boolean {
  const fresh = Array.from({ length: cardCount }, (_, n) => n);
  const sequences = fresh.reduce((product, n) => product * (n + 1), 1);
  const orders = new Set<string>();
  for (let sequence = 0; sequence < sequences; sequence++) {
    let rest = sequence;
    const below = (limit: number): number => {
      const value = rest % limit;
      rest = Math.floor(rest / limit);
      return value;
    };
    orders.add(shuffle(fresh, { below, salt: () => '' }).join());
  }
  return orders.size === sequences;
}
