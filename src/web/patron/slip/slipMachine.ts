import { type ClientReply } from '../../../client/pendingRequests.ts';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type PatronProtocol } from '../../../client/patronClient.ts';
import { areSameStakes } from '../../../rules/stakes.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { barred, isTooLate } from './slipRefusals.ts';
import { acceptedOf, bookIn, empty, visibleSlip, isNow, lackingIn, patienceOf, takesBets } from './slipView.ts';
import { type Missed, type Sent, type State, type TableView, type Want, initial } from './slipState.ts';

// Betting as a state machine without clock, screen or network. Each action of a patron makes a new complete slip,
// which is sent to the server. One slip is in flight at a time, at most three per second; changes meanwhile go with
// the next slip. Only what the server accepted counts: it arrives in the terminal's own view before the reply.

export type Event =
  | { readonly type: 'chip'; readonly place: number }
  | { readonly type: 'add'; readonly wager: string }
  | { readonly type: 'undo' | 'clear' | 'again' | 'double' }
  | { readonly type: 'table'; readonly table: string | null }
  | { readonly type: 'view'; readonly view: TableView | null }
  | { readonly type: 'own'; readonly own: State['own'] }
  | { readonly type: 'balance'; readonly purse: State['purse'] }
  | { readonly type: 'link'; readonly link: ConnectionState }
  | { readonly type: 'answer'; readonly ask: number; readonly answer: ClientReply<PatronProtocol> }
  | { readonly type: 'time'; readonly at: number; readonly ran: number };

/** A slip for the server; the reply has the same number. */
export type SlipMessage = {
  readonly ask: number;
  readonly table: string;
  readonly round: string;
  readonly slip: SlipStakes;
};

type Step = { readonly state: State; readonly messages: readonly SlipMessage[] };

const between = 334;

export const reduceSlip = (state: State, event: Event): Step => flushed(tidied(after(state, event)));

function after(state: State, event: Event): State {
  switch (event.type) {
    case 'chip':
      return { ...state, chip: event.place };
    case 'add': {
      const amount = state.view?.tray[state.chip];
      const felt = visibleSlip(state);
      return amount === undefined
        ? state
        : changed(state, { ...felt, [event.wager]: (felt[event.wager] ?? 0) + amount });
    }
    case 'clear':
      return changed(state, empty);
    case 'again':
      return changed(state, { ...state.own?.rebet });
    case 'double':
      return changed(state, doubled(visibleSlip(state)));
    case 'undo': {
      const last = state.before.at(-1);
      return last === undefined ? state : wanting(state, last, state.before.slice(0, -1));
    }
    case 'table': {
      // Another table starts from the initial state.
      const { link, purse, at, ran, chip, asks, next } = state;
      return { ...initial, table: event.table, link, purse, at, ran, chip, asks, next };
    }
    case 'view':
      return seen(state, event.view);
    case 'own':
      return ownSeen(state, event.own);
    case 'balance':
      return purseSeen(state, event.purse);
    case 'link':
      return linked(state, event.link);
    case 'answer':
      return answered(state, event.ask, event.answer);
    case 'time':
      // A close that was shown is not revoked by a better estimate of the time.
      return { ...state, at: isShut(state) ? Math.max(state.at, event.at) : event.at, ran: event.ran };
  }
}

const doubled = (slip: SlipStakes): SlipStakes =>
  Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake]));

const changed = (state: State, slip: SlipStakes): State => wanting(state, slip, [...state.before, visibleSlip(state)]);

/**
 * Puts another slip on the felt, with its undo history. A slip that is not allowed is refused, and the felt stays as
 * it is.
 */
function wanting(state: State, slip: SlipStakes, before: readonly SlipStakes[]): State {
  const quiet = { ...state, refused: null, missed: null };
  const refused = barred(state, slip);
  if (refused !== undefined) return { ...quiet, refused };
  if (areSameStakes(slip, visibleSlip(state))) return quiet;
  const { id, number } = state.view!.round!;
  return { ...quiet, before, wanted: { round: id, number, slip, missedBy: null } };
}

function seen(state: State, view: TableView | null): State {
  const isOther = view?.round?.id !== state.view?.round?.id;
  const next = { ...(isOther ? ended(state) : state), view };
  // A refusal is cleared with the phase that it concerns; a refusal for lateness, with its round.
  const isOld = view !== null && view.phase !== state.view?.phase && !isTooLate(next.refused?.code ?? '');
  return isOld ? { ...next, refused: null } : next;
}

/** The round is over; an unsent slip was not in it. */
function ended(state: State): State {
  const { wanted } = state;
  const nobody = { ...state, wanted: null, before: [], stood: [], refused: null };
  if (wanted === null || !isUnsent(state)) return nobody;
  return { ...nobody, missed: missedOf(state, wanted, bookIn(state)?.terminals.openNotAccepted) };
}

/** The report on a slip that was not in its round. */
function missedOf(state: State, { number, missedBy }: Want, otherwise: string | null | undefined): Missed {
  const isShort = lackingIn(state) !== undefined;
  const by = isShort ? bookIn(state)?.clauses.limits : (missedBy ?? otherwise);
  return { number, missedBy: by ?? '', isShort };
}

function ownSeen(state: State, own: State['own']): State {
  const next = { ...state, own, isFresh: own !== null && state.link === 'open' };
  const [before, now] = [acceptedOf(state), acceptedOf(next)];
  const isSame = areSameStakes(before, now) || (state.sent !== null && areSameStakes(now, state.sent.slip));
  // Changes made by another page of this terminal cannot be undone here.
  return isSame ? next : { ...next, before: [], stood: [], sent: next.sent && { ...next.sent, before: [] } };
}

const sessionIn = (purse: State['purse']): string | null =>
  purse?.session ? `${purse.terminal}.${purse.session.number}` : null;

/** A new session takes over neither undo history nor unaccepted chips of the one before. */
function purseSeen(state: State, purse: State['purse']): State {
  const [before, now] = [sessionIn(state.purse), sessionIn(purse)];
  if (before === null || before === now) return { ...state, purse };
  const sent = state.sent && { ...state.sent, before: [] };
  return { ...state, purse, sent, wanted: null, before: [], stood: [], refused: null, missed: null };
}

function linked(state: State, link: ConnectionState): State {
  const next = { ...state, link, isFresh: false };
  if (link !== 'open' || state.link !== 'lost') return next;
  // Whether a slip that waited for the connection was in time depends on what the terminal showed meanwhile.
  const terminals = bookIn(state)?.terminals;
  const missedBy = (isShut(state) ? terminals?.closedNotAccepted : terminals?.openNotAccepted) ?? null;
  const marked = <T extends Want>(want: T | null): T | null => want && { ...want, missedBy };
  return { ...next, wanted: marked(state.wanted), sent: marked(state.sent) };
}

function answered(state: State, ask: number, answer: ClientReply<PatronProtocol>): State {
  const { sent, wanted } = state;
  if (sent?.ask !== ask) return state;
  const next = { ...state, sent: null };
  if (answer.type === 'refused') return denied(next, sent, answer);
  if (answer.type !== 'accepted' || !isNow(state, sent.round)) return next;
  const isAll = wanted !== null && areSameStakes(wanted.slip, sent.slip);
  return { ...next, stood: sent.before, wanted: isAll ? null : wanted };
}

function denied(state: State, sent: Sent, answer: Extract<ClientReply<PatronProtocol>, { type: 'refused' }>): State {
  const { number, missedBy, slip } = sent;
  const isOver = !isNow(state, sent.round);
  // The patron was in time and the connection was not: cite the clause for that instead.
  const by = isTooLate(answer.code) ? (missedBy ?? (isOver ? answer.by : null)) : null;
  const refused = isOver ? answer : { ...answer, slip, stood: acceptedOf(state), credit: state.own?.credit ?? 0 };
  const said = by === null ? { refused } : { refused: null, missed: { number, missedBy: by, isShort: false } };
  return { ...(isOver ? state : without(state, sent)), ...said };
}

/** Removes changes that were made on top of a refused slip. Changes that only lower accepted stakes are kept. */
function without(state: State, { slip, before }: Sent): State {
  const { wanted, stood } = state;
  const accepted = acceptedOf(state);
  const isOnTop = areSameStakes(state.before[before.length] ?? wanted?.slip ?? slip, slip);
  if (!isOnTop) return state;
  const takesBack =
    wanted !== null && Object.entries(wanted.slip).every(([wager, stake]) => stake <= (accepted[wager] ?? 0));
  return takesBack ? { ...state, before: [...stood, accepted] } : { ...state, wanted: null, before: stood };
}

/** True if the wanted slip is not the one in flight. */
const isUnsent = ({ wanted, sent }: State): boolean =>
  wanted !== null && !(sent?.round === wanted.round && areSameStakes(sent.slip, wanted.slip));

/** True if the terminal shows the close of the current round. */
const isShut = ({ view, at }: State): boolean => view !== null && view.stopped === null && !takesBets(view, at);

/** Drops a wanted slip that can no longer be sent or is already accepted. */
function tidied(state: State): State {
  const { wanted, sent, view, at, before } = state;
  if (wanted === null || !isUnsent(state)) return state;
  if (!takesBets(view, at)) return shut(state, wanted);
  return sent === null && areSameStakes(wanted.slip, acceptedOf(state))
    ? { ...state, wanted: null, stood: before }
    : state;
}

/** Bets are closed or the table is stopped: nothing is sent any more. [READING 15] */
function shut(state: State, wanted: Want): State {
  const { sent, stood, link, isFresh } = state;
  const refused = barred(state, wanted.slip) ?? null;
  const by = link === 'open' && isFresh ? refused?.by : bookIn(state)?.terminals.closedNotAccepted;
  const said = isShut(state) ? { missed: missedOf(state, wanted, by) } : { refused };
  const isWaiting = sent?.round === wanted.round;
  return { ...state, ...said, wanted: isWaiting ? sent : null, before: isWaiting ? sent.before : stood };
}

/** Sends the wanted slip if that is allowed now. */
function flushed(state: State): Step {
  const { wanted, sent, table, asks, ran, before, isFresh } = state;
  const isReady = wanted !== null && sent === null && table !== null && isFresh && lackingIn(state) === undefined;
  if (!isReady || pauseOf(state) > 0) return { state, messages: [] };
  const { round, slip } = wanted;
  const ask = asks + 1;
  return {
    state: { ...state, asks: ask, next: ran + between, sent: { ...wanted, ask, at: ran, before } },
    messages: [{ ask, table, round, slip }],
  };
}

/** Milliseconds until the next slip may be sent. Shortly before the close no slip has to wait. */
function pauseOf({ next, ran, at, view }: State): number {
  const pause = next - ran;
  return closeOf(view!) - at <= pause ? 0 : pause;
}

const closeOf = ({ round }: TableView): number => round!.deadline ?? round!.closesAt;

/** Milliseconds until time alone changes the state; null if it does not. */
export function dueIn(state: State): number | null {
  const { wanted, sent, view, at, purse } = state;
  const closes = view?.phase === 'closing' && takesBets(view, at) ? [closeOf(view) - at] : [];
  const goes = wanted !== null && sent === null && isNow(state, wanted.round) ? [pauseOf(state)] : [];
  const resumes = (purse?.limits.pausedUntil ?? at) - at;
  const times = [...closes, ...goes, patienceOf(state), resumes].filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}
