import { type Rulebook, rulebookOf } from '../../../games/rulebooks.ts';
import { games } from '../../../games/registry.ts';
import { fullNameOf } from '../../../rules/game.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { type State, type TableView } from './slipState.ts';

// What a screen draws of a slip, as functions of the state alone.

export const empty: SlipStakes = {};

/** Whether a terminal takes bets: it shows the close at the deadline, though slips may still arrive. [READING 15] */
export function takesBets(view: Pick<TableView, 'phase' | 'round' | 'stopped'> | null, at: number): boolean {
  if (view === null || view.stopped !== null) return false;
  const { phase, round } = view;
  return phase === 'betting' || (phase === 'closing' && at < (round?.deadline ?? round?.closesAt ?? 0));
}

/** The book that the table is run by. */
export function bookIn({ view }: Pick<State, 'view'>): Rulebook | undefined {
  const game = games.find((one) => fullNameOf(one) === view?.game.version);
  return game && rulebookOf(game);
}

/** What the server has accepted for the round in sight. */
export function acceptedOf({ own, view }: Pick<State, 'own' | 'view'>): SlipStakes {
  return own !== null && own.round?.id === view?.round?.id ? own.slip : empty;
}

/** The chips as they lie on the spots. */
export const visibleSlip = (state: State): SlipStakes => state.wanted?.slip ?? acceptedOf(state);

export const slipTotal = (slip: SlipStakes): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Credit that no chip on the felt lays claim to. */
export const freeOf = (state: State): number =>
  (state.own?.credit ?? 0) + slipTotal(acceptedOf(state)) - slipTotal(visibleSlip(state));

/** What keeps a terminal from betting, whatever its table does: it is out of use, or its patron is on a break. */
export function idleBy({ purse, at }: Pick<State, 'purse' | 'at'>): 'terminal-locked' | 'on-a-break' | null {
  if (purse === null) return null;
  if (purse.locked !== null) return 'terminal-locked';
  return at < (purse.limits.pausedUntil ?? 0) ? 'on-a-break' : null;
}

export type MissingStake = { readonly wager: string | null; readonly amount: number };

/** What a slip lacks before it can be sent: the spot below its minimum, or null for the slip as a whole. [READING 36] */
export function lackingIn({ wanted, view }: State): MissingStake | undefined {
  if (wanted === null || view === null) return undefined;
  for (const { wager, minimum } of view.layout) {
    const stake = wanted.slip[wager] ?? 0;
    if (stake > 0 && stake < minimum) return { wager, amount: minimum - stake };
  }
  const total = slipTotal(wanted.slip);
  return total > 0 && total < view.totalMinimum ? { wager: null, amount: view.totalMinimum - total } : undefined;
}

/** Whether a spot takes a chip of so much more; one that would go beyond its maximum is dead. */
export function acceptsChip(state: State, wager: string, amount: number): boolean {
  const spot = state.view?.layout.find((one) => one.wager === wager);
  return spot !== undefined && (visibleSlip(state)[wager] ?? 0) + amount <= spot.maximum;
}

/** Whether a spot is at its maximum: no chip of the tray goes on it any more. */
export const isFull = (state: State, wager: string): boolean =>
  state.view !== null && !acceptsChip(state, wager, Math.min(...state.view.tray));

/**
 * What is to be said of the chips on a spot: below its minimum; not sent, since the link or the slip as a whole does not
 * allow it yet; on their way; perhaps in, while the link is lost or no answer comes; refused; accepted. Null where there is
 * nothing to say.
 */
export type SpotStatus = 'short' | 'unsent' | 'waiting' | 'maybe' | 'refused' | 'accepted' | null;

export function spotStatus(state: State, wager: string): SpotStatus {
  const { sent, link, refused } = state;
  const on = (slip: SlipStakes): number => slip[wager] ?? 0;
  const stood = on(acceptedOf(state));
  if (sent !== null && isDoubtful(state) && isNow(state, sent.round) && on(sent.slip) !== stood) return 'maybe';
  if (on(visibleSlip(state)) !== stood) {
    const short = lackingIn(state);
    if (short?.wager === wager) return 'short';
    return short === undefined && link === 'open' ? 'waiting' : 'unsent';
  }
  // What stands is accepted, whatever was asked for on top of it.
  if (stood > 0) return 'accepted';
  return refused?.slip && on(refused.slip) > 0 ? 'refused' : null;
}

/** So long an answer may take before the patron is told that there is none: as long as a link may be silent. */
const patience = 2_500;

/** How long until an answer is late, where one is due. */
export const patienceOf = ({ sent, ran }: State): number => (sent === null ? 0 : sent.at + patience - ran);

/** Whether a slip has been on its way for so long that something must be wrong, though the link seems to be up. */
export const isReplyLate = (state: State): boolean => state.sent !== null && patienceOf(state) <= 0;

/** Whether what is on its way may be in or not, for all that is known here. */
const isDoubtful = (state: State): boolean => state.link !== 'open' || isReplyLate(state);

/** By how much the stakes change if what was on its way when the link was lost is in; null where nothing was. */
export function doubtIn(state: State): number | null {
  const { sent } = state;
  if (sent === null || !isDoubtful(state) || !isNow(state, sent.round)) return null;
  return slipTotal(sent.slip) - slipTotal(acceptedOf(state));
}

/** Whether a round is the one in sight. */
export const isNow = ({ view }: Pick<State, 'view'>, round: string): boolean => view?.round?.id === round;
