import { type Fraction, fractionToNumber } from './fraction.ts';

/** Per wager: sum of stakes, sum of returns, and the sum over rounds of the squared stake of the round. */
export type WagerSums = { readonly staked: number; readonly returned: number; readonly squares: string };

/** Actual return of a wager against theory. */
export type ReturnDeviation = {
  /** Return per unit: expected, and actual. */
  readonly theory: number;
  readonly actual: number;
  /** One standard deviation of the return per unit. */
  readonly deviation: number;
  /** Deviations above theory; negative below. */
  readonly z: number;
};

/**
 * Control chart: actual return against exact odds. All stakes of one round win or lose together, so the variance goes
 * by the squared sum per round. Undefined without stakes.
 */
export function returnDeviationOf(
  { staked, returned, squares }: WagerSums,
  odds: { readonly expected: Fraction; readonly variance: Fraction },
): ReturnDeviation | undefined {
  if (staked === 0) return undefined;
  const theory = 1 + fractionToNumber(odds.expected);
  const actual = returned / staked;
  const deviation = Math.sqrt(fractionToNumber(odds.variance) * Number(squares)) / staked;
  return { theory, actual, deviation, z: deviation === 0 ? 0 : (actual - theory) / deviation };
}
