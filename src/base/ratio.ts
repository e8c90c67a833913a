import { assert } from './assert.ts';

/** An exact fraction of whole numbers, the lower one positive. */
export type Ratio = readonly [over: number, under: number];

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

export const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b;

/** In lowest terms, so that equal ratios look the same. */
export function reduce([over, under]: Ratio): Ratio {
  assert(Number.isSafeInteger(over) && Number.isSafeInteger(under) && under > 0, 'a ratio is of whole numbers');
  const common = gcd(over, under);
  return [over / common, under / common];
}

/** "19/20", "8", "-1", "0". */
export function printRatio(ratio: Ratio): string {
  const [over, under] = reduce(ratio);
  return under === 1 ? String(over) : `${over}/${under}`;
}
