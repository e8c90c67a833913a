import { uniformBelow, fairShuffle } from '../runtime/ports/random.ts';

/** Result of the exhaustive tests, which try every value of a small random source. */
export type ExhaustiveShuffleTestResult = {
  /** Number of values that the small source can give. */
  readonly range: number;
  /** Number of limits tested. A drawn number is below its limit. */
  readonly limits: number;
  /** Limits for which the numbers below the limit were not equally likely. */
  readonly uneven: readonly number[];
  /** Sizes of the tested sets of cards. Each set was shuffled with every sequence of draws. */
  readonly shuffles: readonly number[];
  /** Sizes of the sets of cards whose orders were not equally likely. */
  readonly unfair: readonly number[];
};

/**
 * Tests the two production functions that draw a number below a limit and that shuffle cards. Their source has only 8
 * bits here, so that every word can be tried.
 */
export function testShuffleExhaustively(draw = uniformBelow, shuffle = fairShuffle): ExhaustiveShuffleTestResult {
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

/**
 * True if each number below the limit comes from floor(range / limit) words. Then all numbers are equally likely, and
 * no word is rejected needlessly.
 */
function isUniform(limit: number, range: number, draw: typeof uniformBelow): boolean {
  const counts = Array.from({ length: limit }, () => 0);
  for (let word = 0; word < range; word++) {
    let draws = 0;
    // A second draw means that the word was rejected, so the word is not counted.
    const value = draw(limit, range, () => (draws++ === 0 ? word : 0));
    if (draws === 1) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts.length === limit && counts.every((count) => count === Math.floor(range / limit));
}

/** True if each order of the cards comes from exactly one sequence of draws. */
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
