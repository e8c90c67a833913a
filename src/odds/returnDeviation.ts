import { type Fraction, fractionToNumber } from './fraction.ts';

/**
 * Sums over the rounds of one wager. `staked` and `returned` are in cents. `squares` is the sum of the squared
 * turnovers of the rounds, as a decimal text.
 */
export type WagerSums = { readonly staked: number; readonly returned: number; readonly squares: string };

export type ReturnDeviation = {
  /** Expected return per unit staked. */
  readonly theory: number;
  /** Actual return per unit staked. */
  readonly actual: number;
  /** Standard deviation of the return per unit staked, by the exact odds. */
  readonly deviation: number;
  /** How many standard deviations the actual return lies above theory; negative when it lies below. */
  readonly z: number;
};

/**
 * Control chart: compares the actual return with the exact odds; undefined without stakes. All stakes of one round win
 * or lose together, so the variance grows with the square of the turnover of each round.
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
