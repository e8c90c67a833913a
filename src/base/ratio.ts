import { assert } from './assert.ts';

/** An exact fraction of integers; the denominator is positive. */
export type Ratio = readonly [over: number, under: number];

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

export const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b;

/** The ratio in lowest terms. Equal ratios have equal lowest terms. */
export function reduceRatio([numerator, denominator]: Ratio): Ratio {
  assert(
    Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator) && denominator > 0,
    'a ratio has whole numbers and a positive denominator',
  );
  const common = gcd(numerator, denominator);
  return [numerator / common, denominator / common];
}

/** Formats a ratio in lowest terms: "19/20", "8", "-1", "0". */
export function formatRatio(ratio: Ratio): string {
  const [numerator, denominator] = reduceRatio(ratio);
  return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
}
