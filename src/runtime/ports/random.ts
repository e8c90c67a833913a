import { hash, randomBytes } from 'node:crypto';

export type RandomSource = {
  /** Uniform integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
  /** Makes 32 random bytes, as hexadecimal digits. */
  readonly salt: () => string;
};

/**
 * Rejection sampling: a uniform number below `limit` from uniform words below `range`. Words at or above the greatest
 * multiple of `limit` within `range` would favour small numbers, so they are drawn again.
 */
export function uniformBelow(limit: number, range: number, word: () => number): number {
  const fair = range - (range % limit);
  let value = word();
  while (value >= fair) value = word();
  return value % limit;
}

const wordRange = 2 ** 32;

export const systemRandom: RandomSource = {
  below: (limit) => uniformBelow(limit, wordRange, () => randomBytes(4).readUInt32BE(0)),
  salt: () => randomBytes(32).toString('hex'),
};

/** Creates a deterministic random source, for tests and trials only: with the seed every card can be predicted. */
export function createSeededRandom(seed: string): RandomSource {
  let blocks = 0;
  let block: Buffer = Buffer.alloc(0);
  let used = 0;
  const next = (): Buffer => hash('sha256', `punto play|${blocks++}|${seed}`, 'buffer');
  const word = (): number => {
    if (used === block.length) {
      block = next();
      used = 0;
    }
    used += 4;
    return block.readUInt32BE(used - 4);
  };
  return {
    below: (limit) => uniformBelow(limit, wordRange, word),
    salt: () => next().toString('hex'),
  };
}

/** Fisher-Yates shuffle: every order is equally likely. */
export function fairShuffle<T>(cards: readonly T[], random: RandomSource): readonly T[] {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
