import { expect, test } from 'vitest';
import { type TerminalTableView, type PublicTableView } from '../../../wire/tableView.ts';
import { type SlipEvent, type SlipMessage, nextTimeoutMs, reduceSlipState } from './slipMachine.ts';
import {
  acceptedStakes,
  uncertainStakeChangeIn,
  visibleSlip,
  freeCreditOf,
  bettingBlockReasonOf,
  isSlipReplyLateIn,
  amountToMinimumOf,
  spotStatus,
  isChipWithinMaximum,
  isShowingOpenBets,
} from './slipView.ts';
import { type SlipState, type BettingView, initialSlipState } from './slipState.ts';

const view = (changes: Partial<BettingView> = {}, number = 1): BettingView => ({
  game: { name: 'Tiger', version: 'tiger@2021-10-28' },
  layout: [
    { wager: 'player', name: 'Player', minimum: 500, maximum: 5_000 },
    { wager: 'tie', name: 'Tie', minimum: 1_000, maximum: 2_000 },
  ],
  tray: [100, 500, 2_500],
  totalMinimum: 500,
  phase: 'betting',
  stopped: null,
  round: { id: `r${number}`, number, closesAt: 60_000, deadline: null },
  ...changes,
});
const closing = (deadline: number): BettingView =>
  view({ phase: 'closing', round: { id: 'r1', number: 1, closesAt: 60_000, deadline } });
const own = (slip: TerminalTableView['slip'], number = 1): SlipEvent => ({
  type: 'own',
  own: { credit: 10_000, round: { id: `r${number}`, number }, slip, rebet: { tie: 1_000 } },
});
const viewEvent = (changes?: Partial<BettingView>, number?: number): SlipEvent => ({
  type: 'view',
  view: view(changes, number),
});
const connection = (now: SlipState['connection']): SlipEvent => ({ type: 'connection', connection: now });
const at = (time: number): SlipEvent => ({ type: 'time', at: time, monotonicMs: time });
const add = (wager: string): SlipEvent => ({ type: 'add', wager });
const accepted = (request: number): SlipEvent => ({
  type: 'answer',
  request,
  answer: { type: 'accepted', id: 'slip-0001', round: 'r1', slip: {} },
});
const refused = (request: number, code: string): SlipEvent => ({
  type: 'answer',
  request,
  answer: { type: 'refused', id: 'slip-0001', code, message: 'No.', by: 'ETG 2.2' },
});

/** A terminal at a table with open bets, and the slips that it has sent. */
class Terminal {
  state = initialSlipState;
  readonly sent: SlipMessage[] = [];

  constructor() {
    this.dispatch({ type: 'table', table: 'tiger' }, connection('open'), viewEvent(), own({}));
  }

  dispatch(...events: readonly SlipEvent[]): this {
    for (const event of events) {
      const { state, messages } = reduceSlipState(this.state, event);
      this.state = state;
      this.sent.push(...messages);
    }
    return this;
  }

  get slips(): readonly SlipMessage['slip'][] {
    return this.sent.map(({ slip }) => slip);
  }
}

test('a tap makes a complete slip that is pending until the server accepts it', () => {
  const terminal = new Terminal().dispatch(add('player'));
  expect(terminal.sent).toEqual([{ request: 1, table: 'tiger', round: 'r1', slip: { player: 500 } }]);
  expect([spotStatus(terminal.state, 'player'), spotStatus(terminal.state, 'tie')]).toEqual(['waiting', null]);
  expect([acceptedStakes(terminal.state), visibleSlip(terminal.state), freeCreditOf(terminal.state)]).toEqual([
    {},
    { player: 500 },
    9_500,
  ]);
  terminal.dispatch(own({ player: 500 }), accepted(1));
  expect(terminal.state.wanted).toBeNull();
  expect(spotStatus(terminal.state, 'player')).toBe('accepted');
});

test('one slip is in flight at a time, and the next is sent after a third of a second with the latest state', () => {
  const terminal = new Terminal().dispatch(add('player'), add('player'), add('player'));
  expect(terminal.slips).toEqual([{ player: 500 }]);
  terminal.dispatch(at(10), own({ player: 500 }), accepted(1));
  expect(nextTimeoutMs(terminal.state)).toBe(324);
  terminal.dispatch(at(333));
  expect(terminal.slips).toHaveLength(1);
  terminal.dispatch(at(334));
  expect(terminal.slips).toEqual([{ player: 500 }, { player: 1_500 }]);
});

test('slips are not delayed shortly before the close, and none is sent after it', () => {
  const terminal = new Terminal().dispatch({ type: 'view', view: closing(1_000) }, at(800), add('player'));
  terminal.dispatch(at(850), own({ player: 500 }), accepted(1), add('player'));
  expect(terminal.slips).toEqual([{ player: 500 }, { player: 1_000 }]);
  terminal.dispatch(add('player'));
  expect(nextTimeoutMs(terminal.state)).toBe(150);
  terminal.dispatch(at(1_000), own({ player: 1_000 }), accepted(2));
  expect(terminal.slips).toHaveLength(2);
  expect(visibleSlip(terminal.state)).toEqual({ player: 1_000 });
  expect(terminal.state.missed).toEqual({ number: 1, missedBy: 'ETG 5.5', isShort: false });
  // A clock that is set back a little does not open bets again.
  terminal.dispatch(at(900), add('player'));
  expect(isShowingOpenBets(terminal.state.view, terminal.state.at)).toBe(false);
  expect(terminal.state.refused).toMatchObject({ code: 'late-raise', by: 'ETG 5.5' });
  expect(terminal.slips).toHaveLength(2);
});

test.each([
  [{ type: 'add', wager: 'tie' }, 'bets-closed', 'ETG 5.5'],
  [{ type: 'double' }, 'late-raise', 'ETG 5.5'],
  [{ type: 'clear' }, 'late-withdrawal', 'ETG 5.4'],
] as const)('after the close %o is refused locally with the clause of the rulebook', (event, code, by) => {
  const terminal = new Terminal().dispatch(own({ player: 500 }), viewEvent({ phase: 'dealing' }), event);
  expect(terminal.state.refused).toMatchObject({ code, by, accepted: { player: 500 } });
  expect([terminal.slips, visibleSlip(terminal.state)]).toEqual([[], { player: 500 }]);
});

test.each([
  ['cannot-record', 'cannot-record'],
  ['broken', 'table-stopped'],
  ['referred', 'awaiting-decision'],
  ['mis-scan', 'awaiting-ruling'],
])('a stopped table (%s) refuses bets with the reason', (kind, code) => {
  const terminal = new Terminal().dispatch(viewEvent({ stopped: { kind, by: null } }), add('player'));
  expect([terminal.state.refused?.code, terminal.slips]).toEqual([code, []]);
});

test('chips below a minimum are not sent, the spot shows it, and at the close they are missed', () => {
  const terminal = new Terminal().dispatch(add('tie'), add('player'));
  expect(amountToMinimumOf(terminal.state)).toEqual({ wager: 'tie', amount: 500 });
  expect([spotStatus(terminal.state, 'tie'), spotStatus(terminal.state, 'player')]).toEqual(['short', 'unsent']);
  expect(terminal.slips).toEqual([]);
  terminal.dispatch(viewEvent({ phase: 'dealing' }));
  expect([visibleSlip(terminal.state), terminal.state.missed]).toEqual([
    {},
    { number: 1, missedBy: 'ETG 2.2', isShort: true },
  ]);
});

test('a chip that exceeds the maximum is refused locally, and nothing else changes', () => {
  const terminal = new Terminal().dispatch({ type: 'chip', place: 2 }, add('player'), add('player'));
  const { state } = terminal;
  expect([
    isChipWithinMaximum(state, 'player', 100),
    isChipWithinMaximum(state, 'tie', 2_000),
    isChipWithinMaximum(state, 'tie', 2_500),
  ]).toEqual([false, true, false]);
  terminal.dispatch(add('player'));
  expect(terminal.state.refused).toMatchObject({ code: 'over-maximum', by: 'ETG 2.2' });
  expect(visibleSlip(terminal.state)).toEqual({ player: 5_000 });
  terminal.dispatch({ type: 'undo' });
  expect([terminal.state.refused, visibleSlip(terminal.state)]).toEqual([null, { player: 2_500 }]);
});

test('[ETG layout-20] RE-BET lays down nothing when a limit is now below a stake of the slip, and shows the reason', () => {
  const rebet = { player: 500, tie: 1_000 };
  const again = (tie: { minimum: number; maximum: number }): Terminal => {
    const layout = [
      { wager: 'player', name: 'Player', minimum: 500, maximum: 5_000 },
      { wager: 'tie', name: 'Tie', ...tie },
    ];
    const last: SlipEvent = { type: 'own', own: { credit: 10_000, round: { id: 'r1', number: 1 }, slip: {}, rebet } };
    return new Terminal().dispatch(last, viewEvent({ layout }), { type: 'again' });
  };
  const over = again({ minimum: 500, maximum: 900 });
  expect(over.state.refused).toMatchObject({ code: 'over-maximum', by: 'ETG 2.2', slip: rebet });
  expect([visibleSlip(over.state), over.slips, over.state.undoHistory]).toEqual([{}, [], []]);
  // Below a minimum the whole slip waits on the felt and is not sent. [READING 36]
  const under = again({ minimum: 1_200, maximum: 5_000 });
  expect(amountToMinimumOf(under.state)).toEqual({ wager: 'tie', amount: 200 });
  expect([visibleSlip(under.state), under.slips]).toEqual([rebet, []]);
  const fits = again({ minimum: 500, maximum: 1_000 });
  expect([visibleSlip(fits.state), fits.slips, fits.state.undoHistory]).toEqual([rebet, [rebet], [{}]]);
});

test('[ETG layout-17] UNDO reverts clear, re-bet and double step by step', () => {
  const terminal = new Terminal().dispatch({ type: 'again' }, { type: 'double' }, { type: 'clear' }, { type: 'clear' });
  expect(terminal.state.undoHistory).toEqual([{}, { tie: 1_000 }, { tie: 2_000 }]);
  for (const felt of [{ tie: 2_000 }, { tie: 1_000 }, {}, {}]) {
    terminal.dispatch({ type: 'undo' });
    expect(visibleSlip(terminal.state)).toEqual(felt);
  }
});

test('a change that is undone before it was sent is never sent', () => {
  const terminal = new Terminal().dispatch(add('player'), own({ player: 500 }), accepted(1), add('player'));
  terminal.dispatch({ type: 'undo' }, at(1_000));
  expect([terminal.state.wanted, terminal.slips]).toEqual([null, [{ player: 500 }]]);
  expect(terminal.state.undoHistory).toEqual([{}]);
});

test('a refusal drops the changes on top of it, and undo continues from the accepted slip', () => {
  const terminal = new Terminal().dispatch(add('player'), own({ player: 500 }), accepted(1), at(1_000));
  terminal.dispatch(add('player'), add('player'), refused(2, 'not-enough-credit'));
  expect(terminal.state.refused).toMatchObject({ slip: { player: 1_000 }, accepted: { player: 500 }, credit: 10_000 });
  expect([visibleSlip(terminal.state), spotStatus(terminal.state, 'player')]).toEqual([{ player: 500 }, 'accepted']);
  terminal.dispatch({ type: 'undo' });
  expect([visibleSlip(terminal.state), terminal.state.undoHistory]).toEqual([{}, []]);
});

test('a reduction made meanwhile is still sent after a refusal', () => {
  const cleared = new Terminal().dispatch(add('player'), own({ player: 500 }), accepted(1), at(1_000));
  cleared.dispatch(
    { type: 'chip', place: 2 },
    add('player'),
    { type: 'clear' },
    refused(2, 'not-enough-credit'),
    at(2_000),
  );
  expect(cleared.slips.at(-1)).toEqual({});
  expect(cleared.state.undoHistory).toEqual([{}, { player: 500 }]);
  const undone = new Terminal().dispatch(add('player'), add('player'), at(1_000));
  undone.dispatch({ type: 'undo' }, { type: 'undo' }, { type: 'again' }, refused(1, 'not-enough-credit'));
  expect(undone.slips.at(-1)).toEqual({ tie: 1_000 });
});

test('a reply to a slip of the previous round does not change the current one', () => {
  const terminal = new Terminal().dispatch(
    add('player'),
    viewEvent({}, 2),
    own({}, 2),
    add('player'),
    refused(1, 'bets-closed'),
  );
  expect(terminal.state.missed).toEqual({ number: 1, missedBy: 'ETG 2.2', isShort: false });
  expect(visibleSlip(terminal.state)).toEqual({ player: 500 });
  terminal.dispatch(at(1_000));
  expect(terminal.sent.at(-1)).toMatchObject({ request: 2, round: 'r2' });
  const taken = new Terminal().dispatch(add('player'), viewEvent({}, 2), own({}, 2), add('player'), accepted(1));
  expect([visibleSlip(taken.state), taken.state.acceptedHistory]).toEqual([{ player: 500 }, []]);
});

test('a reply applies only to the slip with its number', () => {
  const terminal = new Terminal().dispatch(
    add('player'),
    { type: 'table', table: 'baccarat' },
    at(1_000),
    viewEvent(),
    own({}),
  );
  terminal.dispatch(add('player'), refused(1, 'not-enough-credit'));
  expect(terminal.state).toMatchObject({ refused: null, sent: { request: 2 } });
  expect(terminal.sent.map(({ table }) => table)).toEqual(['tiger', 'baccarat']);
});

test('while disconnected a slip in flight is in doubt and later taps are unsent, until the connection is back', () => {
  const terminal = new Terminal().dispatch(own({ player: 500 }), { type: 'again' }, connection('lost'));
  expect(terminal.slips).toEqual([{ tie: 1_000 }]);
  expect([spotStatus(terminal.state, 'tie'), spotStatus(terminal.state, 'player')]).toEqual(['maybe', 'maybe']);
  expect(uncertainStakeChangeIn(terminal.state)).toBe(500);
  terminal.dispatch(add('tie'));
  expect(visibleSlip(terminal.state)).toEqual({ tie: 1_500 });
  terminal.dispatch(at(5_000), connection('open'), viewEvent());
  expect(terminal.slips).toHaveLength(1);
  terminal.dispatch(own({ tie: 1_000 }), accepted(1));
  expect([terminal.slips.at(-1), uncertainStakeChangeIn(terminal.state)]).toEqual([{ tie: 1_500 }, null]);
});

test('taps while disconnected are unsent, and nothing is in doubt when no slip is in flight', () => {
  const terminal = new Terminal().dispatch(connection('lost'), own({}), add('player'));
  expect([spotStatus(terminal.state, 'player'), uncertainStakeChangeIn(terminal.state), terminal.slips]).toEqual([
    'unsent',
    null,
    [],
  ]);
});

test('a slip in flight from the previous round puts nothing in doubt in the current one', () => {
  const terminal = new Terminal().dispatch(add('player'), viewEvent({}, 2), own({}, 2), connection('lost'));
  expect([spotStatus(terminal.state, 'player'), uncertainStakeChangeIn(terminal.state)]).toEqual([null, null]);
});

test.each([
  ['open', 'ETG 5.10.2', (terminal: Terminal) => terminal],
  ['closed', 'HOUSE 11', (terminal: Terminal) => terminal.dispatch({ type: 'view', view: closing(100) })],
])('a slip that did not arrive is missed by the clause for what the terminal showed: %s', (_, by, before) => {
  const terminal = before(new Terminal()).dispatch(add('player'), connection('lost'), at(5_000), connection('open'));
  terminal.dispatch(viewEvent({ phase: 'dealing' }), own({}), refused(1, 'bets-closed'));
  expect([terminal.state.missed, terminal.state.refused]).toEqual([{ number: 1, missedBy: by, isShort: false }, null]);
  // A slip that was never sent is missed too.
  const unsent = before(new Terminal()).dispatch(connection('lost'), add('player'), at(5_000), connection('open'));
  unsent.dispatch(viewEvent({ phase: 'dealing' }), own({}));
  expect([unsent.state.missed, unsent.slips, visibleSlip(unsent.state)]).toEqual([
    { number: 1, missedBy: by, isShort: false },
    [],
    {},
  ]);
});

test('a slip without a reply is in doubt after 2.5 seconds, although the connection is open', () => {
  const terminal = new Terminal().dispatch(add('player'), at(400));
  expect(nextTimeoutMs(terminal.state)).toBe(2_100);
  terminal.dispatch(at(2_499));
  expect([isSlipReplyLateIn(terminal.state), spotStatus(terminal.state, 'player')]).toEqual([false, 'waiting']);
  terminal.dispatch(at(2_500));
  expect([
    isSlipReplyLateIn(terminal.state),
    spotStatus(terminal.state, 'player'),
    uncertainStakeChangeIn(terminal.state),
  ]).toEqual([true, 'maybe', 500]);
  terminal.dispatch(own({ player: 500 }), accepted(1));
  expect([isSlipReplyLateIn(terminal.state), nextTimeoutMs(terminal.state)]).toEqual([false, null]);
});

test('a change by another page of the terminal counts, and cannot be undone here', () => {
  const terminal = new Terminal().dispatch(add('player'), own({ player: 500 }), accepted(1), own({ tie: 1_000 }));
  expect([visibleSlip(terminal.state), terminal.state.undoHistory]).toEqual([{ tie: 1_000 }, []]);
  // The undo history of a slip in flight is dropped too.
  const under = new Terminal().dispatch(add('player'), own({ tie: 1_000 }), own({ player: 500 }), accepted(1));
  expect([under.state.undoHistory, under.state.acceptedHistory]).toEqual([[], []]);
});

test('at the close the slip in flight stays pending, and changes on top of it are missed', () => {
  const terminal = new Terminal().dispatch(
    { type: 'view', view: closing(1_000) },
    add('player'),
    add('player'),
    at(1_000),
  );
  expect([visibleSlip(terminal.state), spotStatus(terminal.state, 'player')]).toEqual([{ player: 500 }, 'waiting']);
  expect([terminal.state.undoHistory, terminal.state.missed]).toEqual([
    [{}],
    { number: 1, missedBy: 'ETG 5.5', isShort: false },
  ]);
  terminal.dispatch(own({ player: 500 }), accepted(1));
  expect([spotStatus(terminal.state, 'player'), terminal.slips]).toEqual(['accepted', [{ player: 500 }]]);
});

test('a refusal is cleared with its phase, a late one with its round, and another table starts empty', () => {
  const terminal = new Terminal().dispatch(add('player'), refused(1, 'not-enough-credit'));
  terminal.dispatch({ type: 'view', view: closing(1_000) });
  expect(terminal.state.refused).toBeNull();
  terminal.dispatch(at(1_000), add('player'), viewEvent({ phase: 'dealing' }));
  expect(terminal.state.refused).toMatchObject({ code: 'bets-closed' });
  terminal.dispatch(viewEvent({}, 2));
  expect(terminal.state.refused).toBeNull();
  terminal.dispatch(own({}, 2), { type: 'chip', place: 2 }, add('player'), { type: 'table', table: 'baccarat' });
  expect(terminal.state).toMatchObject({ table: 'baccarat', view: null, wanted: null, sent: null, chip: 2 });
  terminal.dispatch(accepted(2), add('player'), { type: 'undo' });
  expect(terminal.state).toMatchObject({ wanted: null, refused: null });
});

test('stakes accepted in the previous round are not shown for the next one', () => {
  const terminal = new Terminal().dispatch(own({ player: 500 }), viewEvent({}, 2));
  expect(acceptedStakes(terminal.state)).toEqual({});
  terminal.dispatch(add('player'), own({}, 2), at(1_000));
  expect(terminal.sent.at(-1)).toMatchObject({ round: 'r2', slip: { player: 500 } });
});

test('a table with an unknown game takes no bets', () => {
  const game: PublicTableView['game'] = { name: 'Other', version: 'other@1' };
  const terminal = new Terminal().dispatch(viewEvent({ game }), add('player'));
  expect([terminal.state.refused, terminal.slips]).toMatchObject([{ code: 'bets-closed', by: null }, []]);
});

const balance = (number: number | null, changes: Partial<NonNullable<SlipState['balance']>> = {}): SlipEvent => ({
  type: 'balance',
  balance: {
    terminal: 'T1',
    session: number === null ? null : { number },
    locked: null,
    limits: { pausedUntil: null },
    ...changes,
  },
});

test('the session after COLLECT has neither undo history nor chips of the one before', () => {
  const terminal = new Terminal().dispatch(balance(1), add('player'), own({ player: 500 }), accepted(1), at(1_000));
  terminal.dispatch({ type: 'clear' }, own({}), accepted(2), add('tie'));
  expect([terminal.state.undoHistory.length, visibleSlip(terminal.state)]).toEqual([3, { tie: 500 }]);
  terminal.dispatch(balance(null));
  expect(terminal.state).toMatchObject({ undoHistory: [], acceptedHistory: [], wanted: null });
  terminal.dispatch(balance(2), { type: 'undo' }, at(2_000));
  expect([visibleSlip(terminal.state), terminal.slips]).toEqual([{}, [{ player: 500 }, {}]]);
});

test('a late reply to a slip of the previous session adds no undo step', () => {
  const terminal = new Terminal().dispatch(balance(1), add('player'), balance(2), own({ player: 500 }), accepted(1));
  expect(terminal.state).toMatchObject({ undoHistory: [], acceptedHistory: [], sent: null });
});

test('the first bet starts a session and keeps its undo history', () => {
  const terminal = new Terminal().dispatch(balance(null), add('player'), balance(1), own({ player: 500 }), accepted(1));
  expect(terminal.state.undoHistory).toEqual([{}]);
});

test('a refused raise leaves the accepted stakes accepted', () => {
  const terminal = new Terminal().dispatch(own({ player: 5_000 }), { type: 'double' });
  expect(terminal.state.refused).toMatchObject({ code: 'over-maximum' });
  expect(spotStatus(terminal.state, 'player')).toBe('accepted');
  terminal.dispatch(add('tie'), { type: 'chip', place: 2 }, add('tie'));
  expect(terminal.state.refused).toMatchObject({ code: 'over-maximum', slip: { tie: 3_000 } });
  const refusedTerminal = new Terminal().dispatch({ type: 'again' }, refused(1, 'not-enough-credit'));
  expect([spotStatus(refusedTerminal.state, 'tie'), spotStatus(refusedTerminal.state, 'player')]).toEqual([
    'refused',
    null,
  ]);
});

test('a locked terminal refuses everything, in the lobby and at any table', () => {
  const terminal = new Terminal().dispatch(own({ player: 500 }), balance(null, { locked: 'hand-pay' }));
  terminal.dispatch({ type: 'table', table: null });
  expect(bettingBlockReasonOf(terminal.state)).toBe('terminal-locked');
  terminal.dispatch({ type: 'table', table: 'baccarat' }, viewEvent(), own({ player: 500 }));
  for (const event of [add('player'), { type: 'clear' }] as const) {
    terminal.dispatch(event);
    expect([terminal.state.refused?.code, terminal.slips]).toEqual(['terminal-locked', []]);
  }
  terminal.dispatch(balance(null), add('player'));
  expect(terminal.slips).toEqual([{ player: 1_000 }]);
});

test('during a break stakes may only be lowered, and it ends automatically', () => {
  const terminal = new Terminal().dispatch(own({ player: 1_000 }), balance(1, { limits: { pausedUntil: 5_000 } }));
  expect([bettingBlockReasonOf(terminal.state), nextTimeoutMs(terminal.state)]).toEqual(['on-a-break', 5_000]);
  terminal.dispatch({ type: 'double' });
  expect([terminal.state.refused?.code, terminal.slips]).toEqual(['on-a-break', []]);
  terminal.dispatch({ type: 'clear' });
  expect([terminal.state.refused, terminal.slips]).toEqual([null, [{}]]);
  terminal.dispatch(own({}), accepted(1), at(5_000), add('player'));
  expect([bettingBlockReasonOf(terminal.state), terminal.slips.at(-1)]).toEqual([null, { player: 500 }]);
});
