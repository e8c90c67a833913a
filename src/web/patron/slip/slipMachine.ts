import { type ClientReply } from '../../../client/pendingRequests.ts';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type PatronMessageTypes } from '../../../client/patronClient.ts';
import { hasSameStakes } from '../../../rules/stakes.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { localRefusalOfSlip, isLateRefusalCode } from './slipRefusals.ts';
import {
  acceptedStakes,
  rulebookOfTable,
  emptySlip,
  visibleSlip,
  isCurrentRound,
  amountToMinimumOf,
  replyTimeLeftMs,
  isShowingOpenBets,
} from './slipView.ts';
import {
  type MissedSlip,
  type SentSlip,
  type SlipState,
  type BettingView,
  type WantedSlip,
  initialSlipState,
} from './slipState.ts';

// Betting as a state machine without clock, screen or network. Each action of a patron makes a new complete slip for
// the server. One slip is in flight at a time. Changes that the patron makes meanwhile are sent with the next slip.
// Only stakes that the server accepted count. These stakes arrive in the terminal's own view, before the reply to the
// slip.

export type SlipEvent =
  | { readonly type: 'chip'; readonly place: number }
  | { readonly type: 'add'; readonly wager: string }
  | { readonly type: 'undo' | 'clear' | 'again' | 'double' }
  | { readonly type: 'table'; readonly table: string | null }
  | { readonly type: 'view'; readonly view: BettingView | null }
  | { readonly type: 'own'; readonly own: SlipState['own'] }
  | { readonly type: 'balance'; readonly balance: SlipState['balance'] }
  | { readonly type: 'connection'; readonly connection: ConnectionState }
  | { readonly type: 'answer'; readonly request: number; readonly answer: ClientReply<PatronMessageTypes> }
  | { readonly type: 'time'; readonly at: number; readonly monotonicMs: number };

/** A slip to send to the server. The `answer` event with its reply has the same `request` number. */
export type SlipMessage = {
  readonly request: number;
  readonly table: string;
  readonly round: string;
  readonly slip: SlipStakes;
};

type Step = { readonly state: SlipState; readonly messages: readonly SlipMessage[] };

const minIntervalMs = 334;

export const reduceSlipState = (state: SlipState, event: SlipEvent): Step =>
  sendWanted(dropObsolete(applyEvent(state, event)));

function applyEvent(state: SlipState, event: SlipEvent): SlipState {
  switch (event.type) {
    case 'chip':
      return { ...state, chip: event.place };
    case 'add': {
      const amount = state.view?.tray[state.chip];
      const felt = visibleSlip(state);
      return amount === undefined
        ? state
        : changeSlip(state, { ...felt, [event.wager]: (felt[event.wager] ?? 0) + amount });
    }
    case 'clear':
      return changeSlip(state, emptySlip);
    case 'again':
      return changeSlip(state, { ...state.own?.rebet });
    case 'double':
      return changeSlip(state, doubled(visibleSlip(state)));
    case 'undo': {
      const last = state.undoHistory.at(-1);
      return last === undefined ? state : wantSlip(state, last, state.undoHistory.slice(0, -1));
    }
    case 'table': {
      // A change of table resets everything that belongs to the table.
      const { connection, balance, at, monotonicMs, chip, requests, next } = state;
      return { ...initialSlipState, table: event.table, connection, balance, at, monotonicMs, chip, requests, next };
    }
    case 'view':
      return onView(state, event.view);
    case 'own':
      return onOwnView(state, event.own);
    case 'balance':
      return onBalance(state, event.balance);
    case 'connection':
      return onConnection(state, event.connection);
    case 'answer':
      return onReply(state, event.request, event.answer);
    case 'time':
      // A new estimate of the server time must not open bets again after the terminal has shown them closed.
      return {
        ...state,
        at: isShownClosed(state) ? Math.max(state.at, event.at) : event.at,
        monotonicMs: event.monotonicMs,
      };
  }
}

const doubled = (slip: SlipStakes): SlipStakes =>
  Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake]));

const changeSlip = (state: SlipState, slip: SlipStakes): SlipState =>
  wantSlip(state, slip, [...state.undoHistory, visibleSlip(state)]);

/**
 * Puts another slip on the felt, with its undo history. If the slip is not allowed, the state gets a refusal and the
 * felt does not change.
 */
function wantSlip(state: SlipState, slip: SlipStakes, undoHistory: readonly SlipStakes[]): SlipState {
  const cleared = { ...state, refused: null, missed: null };
  const refused = localRefusalOfSlip(state, slip);
  if (refused !== undefined) return { ...cleared, refused };
  if (hasSameStakes(slip, visibleSlip(state))) return cleared;
  const { id, number } = state.view!.round!;
  return { ...cleared, undoHistory, wanted: { round: id, number, slip, missedBy: null } };
}

function onView(state: SlipState, view: BettingView | null): SlipState {
  const isOther = view?.round?.id !== state.view?.round?.id;
  const next = { ...(isOther ? onRoundEnd(state) : state), view };
  // A change of phase clears the refusal. But a refusal because bets are closed stays until the round ends.
  const isOld = view !== null && view.phase !== state.view?.phase && !isLateRefusalCode(next.refused?.code ?? '');
  return isOld ? { ...next, refused: null } : next;
}

/** State after the end of a round. A wanted slip that was not sent is reported as missed. */
function onRoundEnd(state: SlipState): SlipState {
  const { wanted } = state;
  const cleared = { ...state, wanted: null, undoHistory: [], acceptedHistory: [], refused: null };
  if (wanted === null || !isUnsent(state)) return cleared;
  return { ...cleared, missed: missedOf(state, wanted, rulebookOfTable(state)?.terminals.openNotAccepted) };
}

function missedOf(
  state: SlipState,
  { number, missedBy }: WantedSlip,
  otherwise: string | null | undefined,
): MissedSlip {
  const isShort = amountToMinimumOf(state) !== undefined;
  const by = isShort ? rulebookOfTable(state)?.clauses.limits : (missedBy ?? otherwise);
  return { number, missedBy: by ?? '', isShort };
}

function onOwnView(state: SlipState, own: SlipState['own']): SlipState {
  const next = { ...state, own, isFresh: own !== null && state.connection === 'open' };
  const [before, now] = [acceptedStakes(state), acceptedStakes(next)];
  const isSame = hasSameStakes(before, now) || (state.sent !== null && hasSameStakes(now, state.sent.slip));
  // If the new stakes are not those that this page sent, another page of this terminal has changed the stakes. This
  // page cannot undo that change, so it drops its undo history.
  return isSame
    ? next
    : { ...next, undoHistory: [], acceptedHistory: [], sent: next.sent && { ...next.sent, undoHistory: [] } };
}

const sessionIn = (balance: SlipState['balance']): string | null =>
  balance?.session ? `${balance.terminal}.${balance.session.number}` : null;

/**
 * State after a new balance. If the balance belongs to another session, the undo history and the unaccepted chips are
 * dropped.
 */
function onBalance(state: SlipState, balance: SlipState['balance']): SlipState {
  const [before, now] = [sessionIn(state.balance), sessionIn(balance)];
  if (before === null || before === now) return { ...state, balance };
  const sent = state.sent && { ...state.sent, undoHistory: [] };
  return {
    ...state,
    balance,
    sent,
    wanted: null,
    undoHistory: [],
    acceptedHistory: [],
    refused: null,
    missed: null,
  };
}

function onConnection(state: SlipState, connection: ConnectionState): SlipState {
  const next = { ...state, connection, isFresh: false };
  if (connection !== 'open' || state.connection !== 'lost') return next;
  // The clause to cite if the server does not accept the slip after the reconnect. There is one clause for a terminal
  // that still shows open bets, and another one for a terminal that shows closed bets.
  const terminals = rulebookOfTable(state)?.terminals;
  const missedBy = (isShownClosed(state) ? terminals?.closedNotAccepted : terminals?.openNotAccepted) ?? null;
  const marked = <T extends WantedSlip>(want: T | null): T | null => want && { ...want, missedBy };
  return { ...next, wanted: marked(state.wanted), sent: marked(state.sent) };
}

function onReply(state: SlipState, request: number, reply: ClientReply<PatronMessageTypes>): SlipState {
  const { sent, wanted } = state;
  if (sent?.request !== request) return state;
  const next = { ...state, sent: null };
  if (reply.type === 'refused') return onRefusal(next, sent, reply);
  if (reply.type !== 'accepted' || !isCurrentRound(state, sent.round)) return next;
  const isAll = wanted !== null && hasSameStakes(wanted.slip, sent.slip);
  return { ...next, acceptedHistory: sent.undoHistory, wanted: isAll ? null : wanted };
}

function onRefusal(
  state: SlipState,
  sent: SentSlip,
  reply: Extract<ClientReply<PatronMessageTypes>, { type: 'refused' }>,
): SlipState {
  const { number, missedBy, slip } = sent;
  const isOver = !isCurrentRound(state, sent.round);
  // The server refuses a slip that arrives after the close. If the connection was lost before the reply, or the round
  // is over, the patron reads that the slip was missed. Otherwise the patron reads the refusal.
  const by = isLateRefusalCode(reply.code) ? (missedBy ?? (isOver ? reply.by : null)) : null;
  const refused = isOver ? reply : { ...reply, slip, accepted: acceptedStakes(state), credit: state.own?.credit ?? 0 };
  const report = by === null ? { refused } : { refused: null, missed: { number, missedBy: by, isShort: false } };
  return { ...(isOver ? state : dropOnTop(state, sent)), ...report };
}

/**
 * After the refusal of a slip: drops the wanted slip if it equals the refused slip or was made from it by further
 * changes. A wanted slip that raises no accepted stake is kept.
 */
function dropOnTop(state: SlipState, { slip, undoHistory }: SentSlip): SlipState {
  const { wanted, acceptedHistory } = state;
  const accepted = acceptedStakes(state);
  const isOnTop = hasSameStakes(state.undoHistory[undoHistory.length] ?? wanted?.slip ?? slip, slip);
  if (!isOnTop) return state;
  const takesBack =
    wanted !== null && Object.entries(wanted.slip).every(([wager, stake]) => stake <= (accepted[wager] ?? 0));
  return takesBack
    ? { ...state, undoHistory: [...acceptedHistory, accepted] }
    : { ...state, wanted: null, undoHistory: acceptedHistory };
}

/** True when there is a wanted slip and no equal slip is in flight. */
const isUnsent = ({ wanted, sent }: SlipState): boolean =>
  wanted !== null && !(sent?.round === wanted.round && hasSameStakes(sent.slip, wanted.slip));

/** True when the terminal shows closed bets for the current round. */
const isShownClosed = ({ view, at }: SlipState): boolean =>
  view !== null && view.stopped === null && !isShowingOpenBets(view, at);

/** Drops a wanted slip that can no longer be sent, or that the server has already accepted. */
function dropObsolete(state: SlipState): SlipState {
  const { wanted, sent, view, at, undoHistory } = state;
  if (wanted === null || !isUnsent(state)) return state;
  if (!isShowingOpenBets(view, at)) return dropAfterClose(state, wanted);
  return sent === null && hasSameStakes(wanted.slip, acceptedStakes(state))
    ? { ...state, wanted: null, acceptedHistory: undoHistory }
    : state;
}

/**
 * Drops the wanted slip after the close or at a stopped table, and reports the reason. If another slip of the round is
 * in flight, that slip becomes the wanted slip, since the server may still accept it. [READING 15]
 */
function dropAfterClose(state: SlipState, wanted: WantedSlip): SlipState {
  const { sent, acceptedHistory, connection, isFresh } = state;
  const refused = localRefusalOfSlip(state, wanted.slip) ?? null;
  const by = connection === 'open' && isFresh ? refused?.by : rulebookOfTable(state)?.terminals.closedNotAccepted;
  const report = isShownClosed(state) ? { missed: missedOf(state, wanted, by) } : { refused };
  const isWaiting = sent?.round === wanted.round;
  return {
    ...state,
    ...report,
    wanted: isWaiting ? sent : null,
    undoHistory: isWaiting ? sent.undoHistory : acceptedHistory,
  };
}

function sendWanted(state: SlipState): Step {
  const { wanted, sent, table, requests, monotonicMs, undoHistory, isFresh } = state;
  const isReady =
    wanted !== null && sent === null && table !== null && isFresh && amountToMinimumOf(state) === undefined;
  if (!isReady || waitMs(state) > 0) return { state, messages: [] };
  const { round, slip } = wanted;
  const request = requests + 1;
  return {
    state: {
      ...state,
      requests: request,
      next: monotonicMs + minIntervalMs,
      sent: { ...wanted, request, at: monotonicMs, undoHistory },
    },
    messages: [{ request, table, round, slip }],
  };
}

/**
 * Milliseconds until the minimum interval between two slips is over. 0 if bets close before the end of the interval:
 * the slip is then sent at once.
 */
function waitMs({ next, monotonicMs, at, view }: SlipState): number {
  const pause = next - monotonicMs;
  return closeOf(view!) - at <= pause ? 0 : pause;
}

const closeOf = ({ round }: BettingView): number => round!.deadline ?? round!.closesAt;

/**
 * Milliseconds until the state changes without another event: bets close, a slip may be sent, a reply becomes overdue
 * or a break ends. Null if none of these is due.
 */
export function nextTimeoutMs(state: SlipState): number | null {
  const { wanted, sent, view, at, balance } = state;
  const closes = view?.phase === 'closing' && isShowingOpenBets(view, at) ? [closeOf(view) - at] : [];
  const goes = wanted !== null && sent === null && isCurrentRound(state, wanted.round) ? [waitMs(state)] : [];
  const resumes = (balance?.limits.pausedUntil ?? at) - at;
  const times = [...closes, ...goes, replyTimeLeftMs(state), resumes].filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}
