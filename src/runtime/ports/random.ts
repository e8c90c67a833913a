import { hash, randomBytes } from 'node:crypto';

/** Where a shuffler takes its luck from. */
export type RandomSource = {
  /** A whole number from 0 up to but not including the limit, each as likely as any other. */
  readonly below: (limit: number) => number;
  /** 32 bytes in hexadecimal digits. */
  readonly salt: () => string;
};

/**
 * A number below the limit from words that are all equally likely below their range. Words above the last whole multiple
 * of the limit would favour small numbers, and others are taken in their place.
 */
export function fairBelow(limit: number, range: number, word: () => number): number {
  const fair = range - (range % limit);
  let value = word();
  while (value >= fair) value = word();
  return value % limit;
}

const wordRange = 2 ** 32;

/** The random source of the operating system. */
export const systemChance: RandomSource = {
  below: (limit) => fairBelow(limit, wordRange, () => randomBytes(4).readUInt32BE(0)),
  salt: () => randomBytes(32).toString('hex'),
};

/** The same seed gives the same shoes, and whoever knows it knows every card: for trying out only. */
export function seededChance(seed: string): RandomSource {
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
    below: (limit) => fairBelow(limit, wordRange, word),
    salt: () => next().toString('hex'),
  };
}

/** Every order equally likely. */
export function fairShuffle<T>(cards: readonly T[], chance: RandomSource): readonly T[] {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const other = chance.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
