import { type FactName, type Facts, factNames } from './facts.ts';
import { type Ratio, lcm, reduceRatio } from '../base/ratio.ts';

/**
 * Conditions on the facts of a round. Where a list is given, the fact must have one of the listed values. A fact that
 * is left out may have any value.
 */
export type FactPattern = { readonly [F in FactName]?: Facts[F] | readonly Facts[F][] };

/** Odds without the stake: [8, 1] is "8 to 1". */
type Odds = readonly [win: number, per: number];

export type PayLine = {
  readonly when: FactPattern;
  readonly pays: Odds | 'push';
  /** Share of the winnings that the house keeps: [1, 20] is one in twenty. [BAC 1.1.1, READING 42] */
  readonly commission?: Ratio;
  readonly by: string;
};

/** A loss for which the book has a clause of its own. */
export type LossLine = { readonly when: FactPattern; readonly by: string };

/**
 * A wager. Its first matching pay line settles it. If no line matches, the wager loses: by the first matching loss line,
 * or else by the clause `by`.
 */
export type Wager = {
  readonly name: string;
  /**
   * Clause that says when the wager wins: the most specific one, if there are several. The clause may also say when the
   * wager loses.
   */
  readonly by: string;
  /** True when a table may leave the wager off its layout. */
  readonly optional?: true;
  readonly lines: readonly PayLine[];
  readonly losses?: readonly LossLine[];
};

export const payLineFor = (wager: Wager, facts: Facts): PayLine | undefined =>
  wager.lines[payLineIndexFor(wager, facts)];

/** Index of the first matching pay line; the number of lines when no line matches. */
export function payLineIndexFor({ lines }: Wager, facts: Facts): number {
  let index = 0;
  while (index < lines.length && !matches(lines[index]!.when, facts)) index++;
  return index;
}

/** The clause by which the wager loses. Call this only with facts that no pay line matches. */
export const lossClauseFor = ({ by, losses = [] }: Wager, facts: Facts): string =>
  losses.find(({ when }) => matches(when, facts))?.by ?? by;

function matches(when: FactPattern, facts: Facts): boolean {
  for (const name in when) {
    const expected: unknown = when[name as FactName];
    const fact = facts[name as FactName];
    if (Array.isArray(expected) ? !expected.includes(fact) : expected !== fact) return false;
  }
  return true;
}

export const factsUsed = ({ lines }: Wager): ReadonlySet<FactName> =>
  new Set(factNames.filter((name) => lines.some(({ when }) => Object.hasOwn(when, name))));

/** Net win per unit staked, after commission, such as [19, 20] or [8, 1]. A push gives [0, 1], a loss [-1, 1]. */
export function netPerUnitOf(line: PayLine | undefined): Ratio {
  if (line === undefined) return [-1, 1];
  if (line.pays === 'push') return [0, 1];
  const [win, per] = line.pays;
  const [kept, of] = line.commission ?? [0, 1];
  return reduceRatio([win * (of - kept), per * of]);
}

/**
 * The smallest chip step of the wager in cents. If a stake is a multiple of this step, its payout and commission are
 * whole cents.
 */
export const chipStepOfWager = ({ lines }: Wager): number =>
  lines.reduce((step, { pays, commission }) => {
    if (pays === 'push') return step;
    const [win, per] = reduceRatio(pays);
    return lcm(lcm(step, per), commission ? reduceRatio([win * commission[0], per * commission[1]])[1] : 1);
  }, 1);
