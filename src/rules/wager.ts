import { type FactName, type Facts, factNames } from './facts.ts';
import { type Ratio, lcm, reduceRatio } from '../base/ratio.ts';

/** Pattern over facts: a list means any of its values; an absent fact may have any value. */
export type FactPattern = { readonly [F in FactName]?: Facts[F] | readonly Facts[F][] };

/** Winnings per stake: [8, 1] is "8 to 1". The stake itself comes back on top. */
type Odds = readonly [win: number, per: number];

/** One case of a pay table with its clause. */
export type PayLine = {
  readonly when: FactPattern;
  readonly pays: Odds | 'push';
  /** The part of the winnings that the house keeps: [1, 20] is one in twenty. [BAC 1.1.1, READING 42] */
  readonly commission?: Ratio;
  readonly by: string;
};

/** The first matching line settles the wager; without one it loses, by the wager's own clause. */
export type Wager = {
  readonly name: string;
  /** The clause that defines the wager, or else its winning rule. */
  readonly by: string;
  /** A table may leave it off its layout. */
  readonly optional?: true;
  readonly lines: readonly PayLine[];
};

export const payLineFor = (wager: Wager, facts: Facts): PayLine | undefined =>
  wager.lines[payLineIndexFor(wager, facts)];

/** The index of the matching line, or the number of lines when none matches. */
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

/** Net win per unit after commission: [19, 20], [8, 1]; 0 for a push, -1 for a loss. */
export function netPerUnitOf(line: PayLine | undefined): Ratio {
  if (line === undefined) return [-1, 1];
  if (line.pays === 'push') return [0, 1];
  const [win, per] = line.pays;
  const [kept, of] = line.commission ?? [0, 1];
  return reduceRatio([win * (of - kept), per * of]);
}

/** The smallest step of stakes, in cents, with which every payout and commission of the wager is whole cents. */
export const wagerStepOf = ({ lines }: Wager): number =>
  lines.reduce((step, { pays, commission }) => {
    if (pays === 'push') return step;
    const [win, per] = reduceRatio(pays);
    return lcm(lcm(step, per), commission ? reduceRatio([win * commission[0], per * commission[1]])[1] : 1);
  }, 1);
