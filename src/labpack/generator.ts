import { uniformBelow, fairShuffle } from '../runtime/ports/random.ts';

/** What comes of a source so small that all it can say is tried: nothing here is left to chance. */
export type ExhaustiveResult = {
  /** Values of the source. */
  readonly range: number;
  /** Ranges that were drawn from it, and those of them in which some numbers were more likely than others. */
  readonly limits: number;
  readonly uneven: readonly number[];
  /** Numbers of things that were brought into order by every row of draws, and those of which an order was more likely. */
  readonly shuffles: readonly number[];
  readonly unfair: readonly number[];
};

/** A source of eight bits, by the very function that makes numbers of a range, and the very shuffle. */
export function testExhaustively(draw = uniformBelow, shuffle = fairShuffle): ExhaustiveResult {
  const range = 256;
  const limits = Array.from({ length: range }, (_, n) => n + 1);
  const shuffles = [2, 3, 4, 5, 6, 7];
  return {
    range,
    limits: limits.length,
    uneven: limits.filter((limit) => !isEven(limit, range, draw)),
    shuffles,
    unfair: shuffles.filter((things) => !isFair(things, shuffle)),
  };
}

/** Whether each number comes from as many words as any other, and as many words as can be are used. */
function isEven(limit: number, range: number, draw: typeof uniformBelow): boolean {
  const counts = Array.from({ length: limit }, () => 0);
  for (let word = 0; word < range; word++) {
    let asked = 0;
    // A word that is passed over asks for another, which is looked at in its own turn.
    const value = draw(limit, range, () => (asked++ === 0 ? word : 0));
    if (asked === 1) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts.length === limit && counts.every((count) => count === Math.floor(range / limit));
}

/** Whether all rows of draws that a shuffle may make lead to each order once. */
function isFair(things: number, shuffle: typeof fairShuffle): boolean {
  const fresh = Array.from({ length: things }, (_, n) => n);
  const ways = fresh.reduce((product, n) => product * (n + 1), 1);
  const orders = new Set<string>();
  for (let way = 0; way < ways; way++) {
    let left = way;
    const below = (limit: number): number => {
      const value = left % limit;
      left = Math.floor(left / limit);
      return value;
    };
    orders.add(shuffle(fresh, { below, salt: () => '' }).join());
  }
  return orders.size === ways;
}
