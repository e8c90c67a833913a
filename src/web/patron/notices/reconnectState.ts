import { type SlipStakes } from '../../../wire/messages.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type View } from '../../../wire/tableView.ts';
import { acceptedOf, bookIn, doubtIn, takesBets, slipTotal } from '../slip/slipView.ts';
import { type State } from '../slip/slipState.ts';

// Messages after a reconnect or a reload: whether the terminal was in the round that it left, by which clause, and how
// that round ended. [ETG 5.10, HOUSE 11]

/** The state when the connection was lost. */
export type LastKnownState = {
  readonly table: string;
  readonly round: string;
  readonly number: number;
  /** The terminal showed the close. */
  readonly isShut: boolean;
  readonly accepted: SlipStakes;
  /** Stakes on the felt were not accepted yet. */
  readonly waits: boolean;
  /** By how much the total stake changes if the slip in doubt was accepted; null if no slip was sent. */
  readonly doubt: number | null;
};

export type ReconnectMessage =
  /** Not in the round: no credit has moved. */
  | { readonly kind: 'out'; readonly number: number; readonly by: string }
  /** In the round, which is still in play. */
  | { readonly kind: 'playing'; readonly number: number; readonly by: string; readonly stake: number }
  | {
      readonly kind: 'settled' | 'void';
      readonly round: string;
      readonly number: number;
      readonly by: string;
      readonly stake: number;
      readonly returned: number;
      readonly winner: NonNullable<View['round']>['winner'];
    }
  /**
   * The round ended long ago. Its result, or whether the terminal was in it at all, comes from the recalled rounds;
   * `out` is the clause to cite if it was not.
   */
  | {
      readonly kind: 'over' | 'unsure';
      readonly round: string;
      readonly number: number;
      readonly by: string;
      readonly out: string;
    };

/** State that also survives a reload of the page. */
export type SavedReconnectState = {
  readonly known: LastKnownState | null;
  /** The connection was lost since, or the page was reloaded. */
  readonly isAway: boolean;
  /** The round to report on, and the message about it. */
  readonly about: LastKnownState | null;
  readonly said: ReconnectMessage | null;
};

export const nothingKept: SavedReconnectState = { known: null, isAway: false, about: null, said: null };

type Sight = { readonly view: View; readonly own: TerminalTableView };

function knownIn(state: State): LastKnownState | null {
  const { table, view, at } = state;
  if (table === null || view === null || view.round === null) return null;
  const { id, number } = view.round;
  const isShut = view.stopped === null && !takesBets(view, at);
  const [accepted, waits, doubt] = [acceptedOf(state), state.wanted !== null, doubtIn(state)];
  return { table, round: id, number, isShut, accepted, waits, doubt };
}

/** The state after a change of the slip machine. `sight` holds the current views. */
export function keptAfter(kept: SavedReconnectState, state: State, sight: Sight | null): SavedReconnectState {
  const { table, view, link, isFresh } = state;
  // A patron who leaves a table while connected gets no message later.
  if (table === null && link === 'open' && !kept.isAway && kept.known !== null) return { ...kept, known: null };
  if (view === null || sight === null) return kept;
  if (kept.known !== null && kept.known.table !== table) return nothingKept;
  if (link !== 'open') return { ...kept, isAway: true, known: meanwhile(kept, state) };
  if (!isFresh) return kept;
  const about = kept.isAway ? kept.known : kept.about;
  const next = { ...kept, isAway: false, known: knownIn(state), about };
  const said = about === null ? 'later' : backOf(about, state, sight);
  if (said === 'later') return next;
  return { ...next, about: said?.kind === 'playing' ? about : null, said: said ?? kept.said };
}

/** The last known state of a table that was left while disconnected; null if no stake is concerned. */
export function stateAtLeave(
  { known, isAway }: SavedReconnectState,
  { link, view }: Pick<State, 'link' | 'view'>,
): LastKnownState | null {
  if (!isAway || known === null || link !== 'lost' || view !== null) return null;
  return known.waits || slipTotal(known.accepted) > 0 ? known : null;
}

/** The patron has closed the message. */
export const putAway = (kept: SavedReconnectState): SavedReconnectState => ({ ...kept, about: null, said: null });

/**
 * The last known state may still change while disconnected: the terminal reaches the close, or the patron adds chips.
 */
function meanwhile({ known, isAway }: SavedReconnectState, state: State): LastKnownState | null {
  const now = knownIn(state);
  return isAway && known !== null && now?.round !== known.round ? known : now;
}

/**
 * The message about a round; null if bets are still open and the felt shows everything, 'later' if it is not decided
 * yet.
 */
function backOf(known: LastKnownState, state: State, { view, own }: Sight): ReconnectMessage | null | 'later' {
  const { number } = known;
  if (view.round?.id === known.round) {
    if (takesBets(state.view, state.at)) return null;
    // If the table itself was interrupted, the clauses for a lost terminal do not apply.
    if (view.stopped?.kind === 'interruption' && slipTotal(own.slip) > 0) return null;
    if (view.phase === 'betting' || view.phase === 'closing' || own.round?.id !== known.round) return 'later';
    if (own.paid !== null && own.paid.length > 0) return ended(known, state, own.paid, view.round);
    if (slipTotal(own.slip) === 0) return { kind: 'out', number, by: clauseOf(known, state, false) };
    return { kind: 'playing', number, by: clauseOf(known, state, true), stake: slipTotal(own.slip) };
  }
  if (view.last?.id === known.round) {
    return own.last?.id === known.round
      ? ended(known, state, own.last.paid, view.last)
      : { kind: 'out', number, by: clauseOf(known, state, false) };
  }
  const kind = slipTotal(known.accepted) > 0 ? 'over' : known.waits ? 'unsure' : null;
  const { round } = known;
  return kind && { kind, round, number, by: clauseOf(known, state, true), out: clauseOf(known, state, false) };
}

/** Replaces the message about a round that ended long ago by its result, once the rounds are recalled. */
export function keptRecalled(kept: SavedReconnectState, rounds: readonly RecalledRound[]): SavedReconnectState {
  const { said } = kept;
  if (said?.kind !== 'over' && said?.kind !== 'unsure') return kept;
  const { round: id, number, by, out } = said;
  const round = rounds.find((one) => one.id === id);
  if (round === undefined) return said.kind === 'over' ? kept : { ...kept, said: { kind: 'out', number, by: out } };
  const last = round.settled.at(-1);
  return last === undefined ? kept : { ...kept, said: endedBy({ round: id, number, by }, last.paid, round) };
}

type Hands = Pick<NonNullable<View['last']>, 'winner' | 'voidBy'>;

const ended = (known: LastKnownState, state: State, paid: readonly StakeResultView[], hands: Hands): ReconnectMessage =>
  endedBy({ round: known.round, number: known.number, by: clauseOf(known, state, true) }, paid, hands);

function endedBy(
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

/** The clause that decides whether the terminal was in the round. */
function clauseOf({ isShut }: LastKnownState, state: State, isAccepted: boolean): string {
  const terminals = bookIn(state)?.terminals;
  const name = isShut
    ? (['closedNotAccepted', 'closedAccepted'] as const)
    : (['openNotAccepted', 'openAccepted'] as const);
  return terminals?.[name[isAccepted ? 1 : 0]] ?? '';
}
