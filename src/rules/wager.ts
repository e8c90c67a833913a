import { type FactName, type Facts, factNames } from './facts.ts';
import { type Ratio, lcm, reduceRatio } from '../base/ratio.ts';

/** Pattern of facts. A list matches any of its values; a fact that is left out matches every value. */
export type FactPattern = { readonly [F in FactName]?: Facts[F] | readonly Facts[F][] };

/** Odds without the stake: [8, 1] is "8 to 1". */
type Odds = readonly [win: number, per: number];

/** A pay line: a pattern of facts, what it pays, and its clause. */
export type PayLine = {
  readonly when: FactPattern;
  readonly pays: Odds | 'push';
  /** Share of the winnings that the house keeps: [1, 20] is one in twenty. [BAC 1.1.1, READING 42] */
  readonly commission?: Ratio;
  readonly by: string;
};

/** A wager. Its first matching pay line settles it; without a match it loses by its own clause. */
export type Wager = {
  readonly name: string;
  /** Clause that defines the wager or, if none does, the clause of its winning rule. */
  readonly by: string;
  /** True when a table may leave the wager off its layout. */
  readonly optional?: true;
  readonly lines: readonly PayLine[];
};

export const payLineFor = (wager: Wager, facts: Facts): PayLine | undefined =>
  wager.lines[payLineIndexFor(wager, facts)];

/** Index of the first matching pay line; the number of lines when none matches. */
export function payLineIndexFor({ lines }: Wager, facts: Facts): number {
  let index = 0;
  while (index < lines.length && !matches(lines[index]!.when, facts)) index++;
  return index;
}

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

/** Net win per unit staked, after commission: [19, 20] or [8, 1]; 0 for a push, -1 for a loss. */
export function netPerUnitOf(line: PayLine | undefined): Ratio {
  if (line === undefined) return [-1, 1];
  if (line.pays === 'push') return [0, 1];
  const [win, per] = line.pays;
  const [kept, of] = line.commission ?? [0, 1];
  return reduceRatio([win * (of - kept), per * of]);
}

/** The smallest step of stakes in cents for which every payout and commission of the wager is in whole cents. */
export const wagerStepOf = ({ lines }: Wager): number =>
  lines.reduce((step, { pays, commission }) => {
    if (pays === 'push') return step;
    const [win, per] = reduceRatio(pays);
    return lcm(lcm(step, per), commission ? reduceRatio([win * commission[0], per * commission[1]])[1] : 1);
  }, 1);
