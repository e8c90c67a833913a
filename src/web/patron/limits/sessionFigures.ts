import { type TerminalBalance } from '../../../wire/terminalBalance.ts';

/** What the session has at stake, at all tables together. */
export const atStake = ({ openStakes }: TerminalBalance): number =>
  openStakes.reduce((sum, { stake }) => sum + stake, 0);

/** The most that it has at stake in one round. */
export const mostAtStake = ({ openStakes }: TerminalBalance): number =>
  Math.max(0, ...openStakes.map(({ stake }) => stake));

/** What the session has won so far, below zero if it has lost; stakes that stand are neither. */
export const sessionNet = (purse: TerminalBalance): number =>
  purse.session === null ? 0 : purse.credit + atStake(purse) - purse.session.loaded;

/** What counts as lost against a limit: stakes that stand do, until they are paid. */
export const lostOf = ({ session, credit }: TerminalBalance): number =>
  session === null ? 0 : Math.max(0, session.loaded - credit);

/** Limits that can be chosen, in whole minor units. */
const steps = [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10].map((amount) => amount * 100);
/** So many of them are shown at once. */
const shown = 6;

/** The limits below one that holds; where none does, below what makes sense with the credit that was loaded. */
export function choicesBelow(limit: number | null, loaded: number): readonly number[] {
  const below = limit ?? Math.max(loaded, steps.at(-1)!) + 1;
  return steps.filter((amount) => amount < below).slice(0, shown);
}

/** How many times a patron was to be reminded by now, and how long the session has lasted, in minutes. */
export function remindersBy({ session, limits }: TerminalBalance, now: number): number {
  return session === null ? 0 : Math.max(0, Math.floor((now - session.since) / limits.realityCheckMs));
}

export const minutesOf = ({ session }: TerminalBalance, now: number): number =>
  session === null ? 0 : Math.max(0, Math.floor((now - session.since) / 60_000));
