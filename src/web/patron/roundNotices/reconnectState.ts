import { type SlipStakes } from '../../../wire/messages.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../wire/tableView.ts';
import {
  acceptedStakes,
  rulebookOfTable,
  uncertainStakeChangeIn,
  isShowingOpenBets,
  slipTotal,
} from '../slip/slipView.ts';
import { type SlipState } from '../slip/slipState.ts';

// Messages after a reconnect or a reload. A message is about the round that was in play when the connection was lost.
// It says whether the patron's bets are in that round, cites the clause, and gives the result. [ETG 5.10, HOUSE 11]

/**
 * What the page knows about the round in play. While the connection is lost: about the last round that was received.
 */
export type LastKnownRound = {
  readonly table: string;
  readonly round: string;
  readonly number: number;
  /** True once the terminal has shown closed bets for the round. */
  readonly isShut: boolean;
  readonly accepted: SlipStakes;
  /** True when the felt shows stakes that the server has not accepted. */
  readonly hasUnaccepted: boolean;
  /**
   * Amount in cents by which the total stake changes if the server has accepted a slip whose reply is missing. Null if
   * no reply is missing.
   */
  readonly doubtfulChange: number | null;
};

export type RoundAfterReconnect =
  /** The terminal was not in the round, and its credit is unchanged. */
  | { readonly kind: 'out'; readonly number: number; readonly by: string }
  /** The terminal is in the round, which is still in play. */
  | { readonly kind: 'playing'; readonly number: number; readonly by: string; readonly stake: number }
  | {
      readonly kind: 'settled' | 'void';
      readonly round: string;
      readonly number: number;
      readonly by: string;
      readonly stake: number;
      readonly returned: number;
      readonly winner: NonNullable<PublicTableView['round']>['winner'];
    }
  /**
   * The view no longer contains the round. The next recall gives the result. `over`: the page knows of accepted stakes.
   * `unsure`: the page knows of none, but the server may have accepted the last slip. `out`: the clause to cite if the
   * recall shows that the terminal was not in the round.
   */
  | {
      readonly kind: 'over' | 'unsure';
      readonly round: string;
      readonly number: number;
      readonly by: string;
      readonly out: string;
    };

/** State of the reconnect messages. The browser stores it, so that it survives a reload of the page. */
export type SavedReconnectState = {
  readonly lastKnown: LastKnownRound | null;
  /** True from a lost connection or a reload of the page until the views of the table have arrived again. */
  readonly isAway: boolean;
  /** The round whose message is not final yet; null if there is no such round. */
  readonly about: LastKnownRound | null;
  readonly message: RoundAfterReconnect | null;
};

export const noReconnectState: SavedReconnectState = { lastKnown: null, isAway: false, about: null, message: null };

type Sight = { readonly view: PublicTableView; readonly own: TerminalTableView };

function lastKnownIn(state: SlipState): LastKnownRound | null {
  const { table, view, at } = state;
  if (table === null || view === null || view.round === null) return null;
  const { id, number } = view.round;
  const isShut = view.stopped === null && !isShowingOpenBets(view, at);
  const [accepted, hasUnaccepted, doubtfulChange] = [
    acceptedStakes(state),
    state.wanted !== null,
    uncertainStakeChangeIn(state),
  ];
  return { table, round: id, number, isShut, accepted, hasUnaccepted, doubtfulChange };
}

/**
 * The saved state after a change of the slip machine. `sight`: the public view of the table and the terminal's own
 * view; null until both have arrived.
 */
export function reconnectStateAfterSlipChange(
  saved: SavedReconnectState,
  state: SlipState,
  sight: Sight | null,
): SavedReconnectState {
  const { table, view, connection, isFresh } = state;
  // A patron who leaves a table while connected gets no message about that table later.
  if (table === null && connection === 'open' && !saved.isAway && saved.lastKnown !== null)
    return { ...saved, lastKnown: null };
  if (view === null || sight === null) return saved;
  if (saved.lastKnown !== null && saved.lastKnown.table !== table) return noReconnectState;
  if (connection !== 'open') return { ...saved, isAway: true, lastKnown: lastKnownWhileAway(saved, state) };
  if (!isFresh) return saved;
  const about = saved.isAway ? saved.lastKnown : saved.about;
  const next = { ...saved, isAway: false, lastKnown: lastKnownIn(state), about };
  const message = about === null ? 'later' : messageAbout(about, state, sight);
  if (message === 'later') return next;
  return { ...next, about: message?.kind === 'playing' ? about : null, message: message ?? saved.message };
}

/**
 * The last known round at a table that the patron left while disconnected. Null once the connection is back, or if the
 * patron had no stake on the felt.
 */
export function roundWithStakesLeftBehind(
  { lastKnown, isAway }: SavedReconnectState,
  { connection, view }: Pick<SlipState, 'connection' | 'view'>,
): LastKnownRound | null {
  if (!isAway || lastKnown === null || connection !== 'lost' || view !== null) return null;
  return lastKnown.hasUnaccepted || slipTotal(lastKnown.accepted) > 0 ? lastKnown : null;
}

export const withoutReconnectMessage = (saved: SavedReconnectState): SavedReconnectState => ({
  ...saved,
  about: null,
  message: null,
});

/**
 * The last known round while the connection is lost. Its fields can still change: the patron can add chips until the
 * deadline, and from then on the terminal shows closed bets.
 */
function lastKnownWhileAway({ lastKnown, isAway }: SavedReconnectState, state: SlipState): LastKnownRound | null {
  const now = lastKnownIn(state);
  return isAway && lastKnown !== null && now?.round !== lastKnown.round ? lastKnown : now;
}

/**
 * The message about the round that was in play when the connection was lost. `later`: the views do not yet show which
 * bets are in the round. Null: no message is needed. In that case bets are still open, the table itself was
 * interrupted, or the round has left the view and the felt had no stake.
 */
function messageAbout(
  lastKnown: LastKnownRound,
  state: SlipState,
  { view, own }: Sight,
): RoundAfterReconnect | null | 'later' {
  const { number } = lastKnown;
  if (view.round?.id === lastKnown.round) {
    if (isShowingOpenBets(state.view, state.at)) return null;
    // After an interruption of the table itself, the clauses for a lost connection do not apply.
    if (view.stopped?.kind === 'interruption' && slipTotal(own.slip) > 0) return null;
    if (view.phase === 'betting' || view.phase === 'closing' || own.round?.id !== lastKnown.round) return 'later';
    if (own.paid !== null && own.paid.length > 0) return endMessage(lastKnown, state, own.paid, view.round);
    if (slipTotal(own.slip) === 0) return { kind: 'out', number, by: clauseOf(lastKnown, state, false) };
    return { kind: 'playing', number, by: clauseOf(lastKnown, state, true), stake: slipTotal(own.slip) };
  }
  if (view.last?.id === lastKnown.round) {
    return own.last?.id === lastKnown.round
      ? endMessage(lastKnown, state, own.last.paid, view.last)
      : { kind: 'out', number, by: clauseOf(lastKnown, state, false) };
  }
  const kind = slipTotal(lastKnown.accepted) > 0 ? 'over' : lastKnown.hasUnaccepted ? 'unsure' : null;
  const { round } = lastKnown;
  return kind && { kind, round, number, by: clauseOf(lastKnown, state, true), out: clauseOf(lastKnown, state, false) };
}

/**
 * Saved state after a recall. If the recall has the round, its result replaces the message that waited for it. If not,
 * the terminal had no bets in the round, and the message `unsure` (bets possibly accepted) becomes `out` (no bets).
 */
export function reconnectStateAfterRecall(
  saved: SavedReconnectState,
  rounds: readonly RecalledRound[],
): SavedReconnectState {
  const { message } = saved;
  if (message?.kind !== 'over' && message?.kind !== 'unsure') return saved;
  const { round: id, number, by, out } = message;
  const round = rounds.find((one) => one.id === id);
  if (round === undefined)
    return message.kind === 'over' ? saved : { ...saved, message: { kind: 'out', number, by: out } };
  const last = round.settled.at(-1);
  return last === undefined ? saved : { ...saved, message: endMessageBy({ round: id, number, by }, last.paid, round) };
}

type Hands = Pick<NonNullable<PublicTableView['last']>, 'winner' | 'voidBy'>;

const endMessage = (
  lastKnown: LastKnownRound,
  state: SlipState,
  paid: readonly StakeResultView[],
  hands: Hands,
): RoundAfterReconnect =>
  endMessageBy({ round: lastKnown.round, number: lastKnown.number, by: clauseOf(lastKnown, state, true) }, paid, hands);

function endMessageBy(
  { round, number, by }: { readonly round: string; readonly number: number; readonly by: string },
  paid: readonly StakeResultView[],
  { winner, voidBy }: Hands,
): RoundAfterReconnect {
  const sumOf = (what: 'stake' | 'returned'): number => paid.reduce((sum, one) => sum + one[what], 0);
  return {
    kind: voidBy === null ? 'settled' : 'void',
    round,
    number,
    by: voidBy ?? by,
    stake: sumOf('stake'),
    returned: sumOf('returned'),
    winner,
  };
}

/**
 * The clause to cite. The rulebook has four, by two questions: had the terminal already shown closed bets, and had the
 * server accepted the bets?
 */
function clauseOf({ isShut }: LastKnownRound, state: SlipState, isAccepted: boolean): string {
  const terminals = rulebookOfTable(state)?.terminals;
  const name = isShut
    ? (['closedNotAccepted', 'closedAccepted'] as const)
    : (['openNotAccepted', 'openAccepted'] as const);
  return terminals?.[name[isAccepted ? 1 : 0]] ?? '';
}
