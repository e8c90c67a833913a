import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';

/** Open stakes of the session at all tables, in cents. */
export const totalOpenStakes = ({ openStakes }: TerminalMoneyState): number =>
  openStakes.reduce((sum, { stake }) => sum + stake, 0);

/** The highest open stake of the session in one round, in cents. */
export const highestOpenRoundStake = ({ openStakes }: TerminalMoneyState): number =>
  Math.max(0, ...openStakes.map(({ stake }) => stake));

/** Net result of the session in cents, negative for a loss. Open stakes count neither as won nor as lost. */
export const sessionNet = (balance: TerminalMoneyState): number =>
  balance.session === null ? 0 : balance.credit + totalOpenStakes(balance) - balance.session.loaded;

/** The loss that counts against the loss limit, in cents. Open stakes count as lost until they are settled. */
export const lossAgainstLimit = ({ session, credit }: TerminalMoneyState): number =>
  session === null ? 0 : Math.max(0, session.loaded - credit);

/** All limits of a session that the page can offer, in cents. */
const offeredLimits = [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10].map((amount) => amount * 100);
const maxChoices = 6;

/**
 * At most six amounts from which the patron may choose a limit for the loss or for the stake in one round. Each amount
 * is below the current limit. Without a current limit, no amount except the smallest is above the loaded money.
 */
export function sessionLimitChoices(limit: number | null, loaded: number): readonly number[] {
  const below = limit ?? Math.max(loaded, offeredLimits.at(-1)!) + 1;
  return offeredLimits.filter((amount) => amount < below).slice(0, maxChoices);
}

/** Number of reality checks that have come due in the session so far. */
export function dueRealityCheckCount({ session, limits }: TerminalMoneyState, now: number): number {
  return session === null ? 0 : Math.max(0, Math.floor((now - session.since) / limits.realityCheckMs));
}

export const sessionMinutes = ({ session }: TerminalMoneyState, now: number): number =>
  session === null ? 0 : Math.max(0, Math.floor((now - session.since) / 60_000));
