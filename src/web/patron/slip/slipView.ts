import { type Rulebook, rulebookOf } from '../../../games/rulebooks.ts';
import { games } from '../../../games/registry.ts';
import { versionedGameId } from '../../../rules/game.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { type SlipState, type BettingView } from './slipState.ts';

// What a screen shows, as pure functions of the slip state.

export const emptySlip: SlipStakes = {};

/**
 * True while the terminal shows open bets. All terminals show closed bets from the deadline on. The server closes bets
 * a little later, so that slips sent before the deadline can still arrive. [READING 15]
 */
export function isShowingOpenBets(view: Pick<BettingView, 'phase' | 'round' | 'stopped'> | null, at: number): boolean {
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

/** The stakes drawn on the felt: the wanted slip or, if there is no wanted slip, the accepted stakes. */
export const visibleSlip = (state: SlipState): SlipStakes => state.wanted?.slip ?? acceptedStakes(state);

export const slipTotal = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** The credit that is left if the server accepts all chips on the felt, in cents. */
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
 * The first minimum that the wanted slip does not reach. Such a slip is not sent. `wager`: the wager of that minimum;
 * null for the minimum of the total stake. `amount`: the missing amount, in cents. Undefined if the slip reaches all
 * minimums or there is no wanted slip. [READING 36]
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
export function isChipWithinMaximum(state: SlipState, wager: string, amount: number): boolean {
  const spot = state.view?.layout.find((one) => one.wager === wager);
  return spot !== undefined && (visibleSlip(state)[wager] ?? 0) + amount <= spot.maximum;
}

/**
 * Status of the chips on a spot. `short`: below the minimum of the spot. `unsent`: not sent, because the connection is
 * lost or the slip is below another minimum. `waiting`: sent or about to be sent, and not accepted yet. `maybe`: sent,
 * but the connection is lost or the reply is overdue. Null: no chips.
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

/** True when the sent slip, if there is one, is in doubt: the connection is lost, or the reply is overdue. */
const isDoubtful = (state: SlipState): boolean => state.connection !== 'open' || isSlipReplyLateIn(state);

/**
 * Amount in cents by which the total stake changes if the server has accepted the slip in doubt. Null if no slip is in
 * doubt.
 */
export function uncertainStakeChangeIn(state: SlipState): number | null {
  const { sent } = state;
  if (sent === null || !isDoubtful(state) || !isCurrentRound(state, sent.round)) return null;
  return slipTotal(sent.slip) - slipTotal(acceptedStakes(state));
}

export const isCurrentRound = ({ view }: Pick<SlipState, 'view'>, round: string): boolean => view?.round?.id === round;
