import { type Fraction, numberOf } from './fraction.ts';

/** What was staked on a wager, what went back, and the squares of all stakes on it in a round, added up. */
export type WagerSums = { readonly staked: number; readonly returned: number; readonly squares: string };

/** Where the return of a wager is, and where theory has it. */
export type Control = {
  /** What goes back of each unit by theory, and what did. */
  readonly theory: number;
  readonly actual: number;
  /** One standard deviation of what goes back of each unit. */
  readonly deviation: number;
  /** By how many deviations what went back is above theory, below it where negative. */
  readonly z: number;
};

/**
 * Holds what a wager gave back against its odds. All stakes on it in one round win or lose as one, so that the variance goes
 * by the square of their sum, round by round, and not by the number of stakes. Undefined where nothing was staked.
 */
export function controlOf(
  { staked, returned, squares }: WagerSums,
  odds: { readonly expected: Fraction; readonly variance: Fraction },
): Control | undefined {
  if (staked === 0) return undefined;
  const theory = 1 + numberOf(odds.expected);
  const actual = returned / staked;
  const deviation = Math.sqrt(numberOf(odds.variance) * Number(squares)) / staked;
  return { theory, actual, deviation, z: deviation === 0 ? 0 : (actual - theory) / deviation };
}
