import { type Rulebook, rulebookOf } from '../../../games/rulebooks.ts';
import { games } from '../../../games/registry.ts';
import { versionedGameId } from '../../../rules/game.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { type SlipState, type BettingView } from './slipState.ts';

// What a screen shows of a slip, as pure functions of the state.

export const emptySlip: SlipStakes = {};

/** True while a terminal takes bets. It shows the close at the deadline, though slips may still arrive. [READING 15] */
export function showsOpenBets(view: Pick<BettingView, 'phase' | 'round' | 'stopped'> | null, at: number): boolean {
  if (view === null || view.stopped !== null) return false;
  const { phase, round } = view;
  return phase === 'betting' || (phase === 'closing' && at < (round?.deadline ?? round?.closesAt ?? 0));
}

/** The rulebook of the table; undefined before the first view. */
export function rulebookOfTable({ view }: Pick<SlipState, 'view'>): Rulebook | undefined {
  const game = games.find((one) => versionedGameId(one) === view?.game.version);
  return game && rulebookOf(game);
}

/** The stakes that the server has accepted for the current round. */
export function acceptedStakes({ own, view }: Pick<SlipState, 'own' | 'view'>): SlipStakes {
  return own !== null && own.round?.id === view?.round?.id ? own.slip : emptySlip;
}

/** The stakes as shown on the felt. */
export const visibleSlip = (state: SlipState): SlipStakes => state.wanted?.slip ?? acceptedStakes(state);

export const slipTotal = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Credit that is not on the felt. */
export const freeCreditOf = (state: SlipState): number =>
  (state.own?.credit ?? 0) + slipTotal(acceptedStakes(state)) - slipTotal(visibleSlip(state));

/** Why a terminal may not bet, whatever the state of its table: it is locked, or its patron is on a break. */
export function bettingBlockOf({
  balance,
  at,
}: Pick<SlipState, 'balance' | 'at'>): 'terminal-locked' | 'on-a-break' | null {
  if (balance === null) return null;
  if (balance.locked !== null) return 'terminal-locked';
  return at < (balance.limits.pausedUntil ?? 0) ? 'on-a-break' : null;
}

export type MissingStake = { readonly wager: string | null; readonly amount: number };

/** What a slip lacks before it can be sent: the spot below its minimum, or null for the whole slip. [READING 36] */
export function missingStakeIn({ wanted, view }: SlipState): MissingStake | undefined {
  if (wanted === null || view === null) return undefined;
  for (const { wager, minimum } of view.layout) {
    const stake = wanted.slip[wager] ?? 0;
    if (stake > 0 && stake < minimum) return { wager, amount: minimum - stake };
  }
  const total = slipTotal(wanted.slip);
  return total > 0 && total < view.totalMinimum ? { wager: null, amount: view.totalMinimum - total } : undefined;
}

/** False if a chip of this amount would exceed the maximum of the spot. */
export function chipFitsMaximum(state: SlipState, wager: string, amount: number): boolean {
  const spot = state.view?.layout.find((one) => one.wager === wager);
  return spot !== undefined && (visibleSlip(state)[wager] ?? 0) + amount <= spot.maximum;
}

/** True if not even the smallest chip of the tray fits the maximum of the spot. */
export const isAtMaximum = (state: SlipState, wager: string): boolean =>
  state.view !== null && !chipFitsMaximum(state, wager, Math.min(...state.view.tray));

/**
 * Status of the chips on a spot. `short`: below the minimum. `unsent`: the connection or the rest of the slip does not
 * allow sending yet. `waiting`: in flight. `maybe`: in doubt, because the connection is lost or the reply is late.
 */
export type SpotStatus = 'short' | 'unsent' | 'waiting' | 'maybe' | 'refused' | 'accepted' | null;

export function spotStatus(state: SlipState, wager: string): SpotStatus {
  const { sent, connection, refused } = state;
  const on = (slip: SlipStakes): number => slip[wager] ?? 0;
  const accepted = on(acceptedStakes(state));
  if (sent !== null && isDoubtful(state) && isCurrentRound(state, sent.round) && on(sent.slip) !== accepted)
    return 'maybe';
  if (on(visibleSlip(state)) !== accepted) {
    const short = missingStakeIn(state);
    if (short?.wager === wager) return 'short';
    return short === undefined && connection === 'open' ? 'waiting' : 'unsent';
  }
  // Accepted stakes are shown as accepted, even if a raise of them was refused.
  if (accepted > 0) return 'accepted';
  return refused?.slip && on(refused.slip) > 0 ? 'refused' : null;
}

const maxReplyMs = 2_500;

/** Milliseconds until the pending reply is late; 0 if none is pending. */
export const replyTimeLeftMs = ({ sent, monotonicMs }: SlipState): number =>
  sent === null ? 0 : sent.at + maxReplyMs - monotonicMs;

/** True if the reply is overdue although the connection is open. */
export const isReplyLate = (state: SlipState): boolean => state.sent !== null && replyTimeLeftMs(state) <= 0;

/** True if the slip in flight may or may not have been accepted. */
const isDoubtful = (state: SlipState): boolean => state.connection !== 'open' || isReplyLate(state);

/** By how much the total stake changes if the slip in doubt was accepted; null if no slip is in doubt. */
export function doubtfulChangeIn(state: SlipState): number | null {
  const { sent } = state;
  if (sent === null || !isDoubtful(state) || !isCurrentRound(state, sent.round)) return null;
  return slipTotal(sent.slip) - slipTotal(acceptedStakes(state));
}

export const isCurrentRound = ({ view }: Pick<SlipState, 'view'>, round: string): boolean => view?.round?.id === round;
