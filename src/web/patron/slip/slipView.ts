import { type Rulebook, rulebookOf } from '../../../games/rulebooks.ts';
import { games } from '../../../games/registry.ts';
import { versionedGameId } from '../../../rules/game.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { type SlipState, type BettingView } from './slipState.ts';

// What a screen shows, as pure functions of the slip state.

export const emptySlip: SlipStakes = {};

/**
 * True while the terminal shows open bets. From the deadline on, it shows closed bets, although slips sent in time may
 * still be on their way to the server. [READING 15]
 */
export function showsOpenBets(view: Pick<BettingView, 'phase' | 'round' | 'stopped'> | null, at: number): boolean {
  if (view === null || view.stopped !== null) return false;
  const { phase, round } = view;
  return phase === 'betting' || (phase === 'closing' && at < (round?.deadline ?? round?.closesAt ?? 0));
}

/** The rulebook of the table; undefined without a view, or if this page does not know the game. */
export function rulebookOfTable({ view }: Pick<SlipState, 'view'>): Rulebook | undefined {
  const game = games.find((one) => versionedGameId(one) === view?.game.version);
  return game && rulebookOf(game);
}

/** The stakes that the server has accepted for the current round. */
export function acceptedStakes({ own, view }: Pick<SlipState, 'own' | 'view'>): SlipStakes {
  return own !== null && own.round?.id === view?.round?.id ? own.slip : emptySlip;
}

/**
 * The stakes drawn on the felt: the slip that the patron wants and the server has not accepted yet. Without such a
 * slip: the accepted stakes.
 */
export const visibleSlip = (state: SlipState): SlipStakes => state.wanted?.slip ?? acceptedStakes(state);

export const slipTotal = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Credit minus the chips on the felt that the server has not accepted yet, in cents. */
export const freeCreditOf = (state: SlipState): number =>
  (state.own?.credit ?? 0) + slipTotal(acceptedStakes(state)) - slipTotal(visibleSlip(state));

/** Why a terminal may not bet at any table: it is locked, or its patron is on a break. Null if it may bet. */
export function bettingBlockReasonOf({
  balance,
  at,
}: Pick<SlipState, 'balance' | 'at'>): 'terminal-locked' | 'on-a-break' | null {
  if (balance === null) return null;
  if (balance.locked !== null) return 'terminal-locked';
  return at < (balance.limits.pausedUntil ?? 0) ? 'on-a-break' : null;
}

export type AmountToMinimum = { readonly wager: string | null; readonly amount: number };

/**
 * The amount by which the wanted slip is below a minimum, so that the slip cannot be sent; undefined if the slip
 * reaches all minimums. `wager`: the wager below its minimum; null if the total stake is below the total minimum.
 * [READING 36]
 */
export function amountToMinimumOf({ wanted, view }: SlipState): AmountToMinimum | undefined {
  if (wanted === null || view === null) return undefined;
  for (const { wager, minimum } of view.layout) {
    const stake = wanted.slip[wager] ?? 0;
    if (stake > 0 && stake < minimum) return { wager, amount: minimum - stake };
  }
  const total = slipTotal(wanted.slip);
  return total > 0 && total < view.totalMinimum ? { wager: null, amount: view.totalMinimum - total } : undefined;
}

/** True when the spot exists and its stake with one more chip of this amount stays within its maximum. */
export function chipFitsMaximum(state: SlipState, wager: string, amount: number): boolean {
  const spot = state.view?.layout.find((one) => one.wager === wager);
  return spot !== undefined && (visibleSlip(state)[wager] ?? 0) + amount <= spot.maximum;
}

/**
 * Status of the chips on a spot. `short`: below the minimum of the spot. `unsent`: not sent, because of the connection
 * or another part of the slip. `waiting`: sent or about to be sent, and not accepted yet. `maybe`: in doubt, because
 * the connection is lost or the reply is overdue.
 */
export type SpotStatus = 'short' | 'unsent' | 'waiting' | 'maybe' | 'refused' | 'accepted' | null;

export function spotStatus(state: SlipState, wager: string): SpotStatus {
  const { sent, connection, refused } = state;
  const on = (slip: SlipStakes): number => slip[wager] ?? 0;
  const accepted = on(acceptedStakes(state));
  if (sent !== null && isDoubtful(state) && isCurrentRound(state, sent.round) && on(sent.slip) !== accepted)
    return 'maybe';
  if (on(visibleSlip(state)) !== accepted) {
    const short = amountToMinimumOf(state);
    if (short?.wager === wager) return 'short';
    return short === undefined && connection === 'open' ? 'waiting' : 'unsent';
  }
  // Accepted stakes are shown as accepted, even if the server refused to raise them.
  if (accepted > 0) return 'accepted';
  return refused?.slip && on(refused.slip) > 0 ? 'refused' : null;
}

const maxReplyMs = 2_500;

/**
 * Milliseconds until the reply to the slip in flight is overdue, negative for an overdue reply; 0 if no slip is in
 * flight.
 */
export const replyTimeLeftMs = ({ sent, monotonicMs }: SlipState): number =>
  sent === null ? 0 : sent.at + maxReplyMs - monotonicMs;

/** True when the reply to the slip in flight is overdue. */
export const isSlipReplyLateIn = (state: SlipState): boolean => state.sent !== null && replyTimeLeftMs(state) <= 0;

/** True when a slip in flight would be in doubt: the connection is lost, or the reply is overdue. */
const isDoubtful = (state: SlipState): boolean => state.connection !== 'open' || isSlipReplyLateIn(state);

/**
 * Change of the total stake, in cents, if the server accepted the slip that is in doubt; null if no slip is in doubt.
 */
export function uncertainStakeChangeIn(state: SlipState): number | null {
  const { sent } = state;
  if (sent === null || !isDoubtful(state) || !isCurrentRound(state, sent.round)) return null;
  return slipTotal(sent.slip) - slipTotal(acceptedStakes(state));
}

export const isCurrentRound = ({ view }: Pick<SlipState, 'view'>, round: string): boolean => view?.round?.id === round;
