import { type SlipStakes } from '../../../wire/messages.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../wire/tableView.ts';
import { acceptedStakes, rulebookOfTable, uncertainStakeChangeIn, showsOpenBets, slipTotal } from '../slip/slipView.ts';
import { type SlipState } from '../slip/slipState.ts';

// Messages after a reconnect or a reload. They say whether the terminal was in the round that was in play when the
// connection was lost, by which clause, and how that round ended. [ETG 5.10, HOUSE 11]

/** What the page knows of the current round or, while disconnected, what it last knew. */
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
   * Change of the total stake, in cents, if the server accepted the slip that is in doubt; null if no slip is in doubt.
   */
  readonly doubtfulChange: number | null;
};

export type ReconnectMessage =
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
   * The view no longer has the round; its result will come with the recalled rounds. `over`: stakes of the terminal
   * were accepted. `unsure`: the last change of the slip may have been accepted. `out`: the clause to cite if the
   * terminal was not in the round.
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
  readonly message: ReconnectMessage | null;
};

export const noReconnectState: SavedReconnectState = { lastKnown: null, isAway: false, about: null, message: null };

type Sight = { readonly view: PublicTableView; readonly own: TerminalTableView };

function lastKnownIn(state: SlipState): LastKnownRound | null {
  const { table, view, at } = state;
  if (table === null || view === null || view.round === null) return null;
  const { id, number } = view.round;
  const isShut = view.stopped === null && !showsOpenBets(view, at);
  const [accepted, hasUnaccepted, doubtfulChange] = [
    acceptedStakes(state),
    state.wanted !== null,
    uncertainStakeChangeIn(state),
  ];
  return { table, round: id, number, isShut, accepted, hasUnaccepted, doubtfulChange };
}

/**
 * The saved state after a change of the slip machine. `sight`: the views of table and terminal; null while there are
 * none.
 */
export function reconnectStateAfterSlipChange(
  saved: SavedReconnectState,
  state: SlipState,
  sight: Sight | null,
): SavedReconnectState {
  const { table, view, connection, isFresh } = state;
  // A patron who leaves a table while connected gets no message about it later.
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
 * The last known round at a table that the patron left while disconnected; null if the patron had no stake on the felt.
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
 * The last known round while the connection is lost. Its data still change: the terminal may show closed bets, or the
 * patron may add chips.
 */
function lastKnownWhileAway({ lastKnown, isAway }: SavedReconnectState, state: SlipState): LastKnownRound | null {
  const now = lastKnownIn(state);
  return isAway && lastKnown !== null && now?.round !== lastKnown.round ? lastKnown : now;
}

/**
 * The message about a round. `later`: the message cannot be chosen yet. Null: no message is needed, because bets are
 * still open, the table itself was interrupted, or the terminal had no stake in a round that the view no longer has.
 */
function messageAbout(
  lastKnown: LastKnownRound,
  state: SlipState,
  { view, own }: Sight,
): ReconnectMessage | null | 'later' {
  const { number } = lastKnown;
  if (view.round?.id === lastKnown.round) {
    if (showsOpenBets(state.view, state.at)) return null;
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
 * Saved state after a recall. The result of the recalled round replaces an `over` or `unsure` message about the round.
 * If the round was not recalled, `unsure` becomes `out`.
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
): ReconnectMessage =>
  endMessageBy({ round: lastKnown.round, number: lastKnown.number, by: clauseOf(lastKnown, state, true) }, paid, hands);

function endMessageBy(
  { round, number, by }: { readonly round: string; readonly number: number; readonly by: string },
  paid: readonly StakeResultView[],
  { winner, voidBy }: Hands,
): ReconnectMessage {
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
 * The clause that decides whether a bet was in the round. The clause depends on whether the terminal had shown closed
 * bets.
 */
function clauseOf({ isShut }: LastKnownRound, state: SlipState, isAccepted: boolean): string {
  const terminals = rulebookOfTable(state)?.terminals;
  const name = isShut
    ? (['closedNotAccepted', 'closedAccepted'] as const)
    : (['openNotAccepted', 'openAccepted'] as const);
  return terminals?.[name[isAccepted ? 1 : 0]] ?? '';
}
