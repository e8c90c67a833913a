import { expect, test } from 'vitest';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../wire/tableView.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import {
  type RoundAfterReconnect,
  type SavedReconnectState,
  reconnectStateAfterSlipChange,
  reconnectStateAfterRecall,
  roundWithStakesLeftBehind,
  noReconnectState,
  withoutReconnectMessage,
} from './reconnectState.ts';
import { type SlipState, initialSlipState } from '../slip/slipState.ts';

const hands = { player: { cards: [], total: 0 }, banker: { cards: [], total: 0 }, won: null, pushed: null };
const round = (number: number, changes: object = {}): NonNullable<PublicTableView['round']> => ({
  ...hands,
  id: `r${number}`,
  number,
  closesAt: 60_000,
  deadline: null,
  settledAgain: false,
  winner: null,
  voidBy: null,
  ...changes,
});
const paidOn = (stake: number, returned: number): StakeResultView[] => [
  { wager: 'tie', stake, result: 'win', won: 0, commission: 0, returned, by: 'ETG 4.1' },
];

/** A terminal at a table, reduced to its reconnect messages. */
class Terminal {
  state: SlipState = { ...initialSlipState, table: 'tiger', connection: 'open', isFresh: true };
  saved: SavedReconnectState = noReconnectState;

  /** Receives views over an open connection. */
  receives(view: Partial<PublicTableView>, own: Partial<TerminalTableView> = {}): this {
    const sight = {
      view: {
        game: { name: 'Tiger', version: 'tiger@2021-10-28' },
        stopped: null,
        last: null,
        ...view,
      } as PublicTableView,
      own: { credit: 0, round: view.round ?? null, slip: {}, paid: null, last: null, ...own } as TerminalTableView,
    };
    this.state = { ...this.state, view: sight.view, own: sight.own, connection: 'open', isFresh: true };
    this.saved = reconnectStateAfterSlipChange(this.saved, this.state, sight);
    return this;
  }

  disconnects(changes: Partial<SlipState> = {}): this {
    this.state = { ...this.state, ...changes, connection: 'lost', isFresh: false };
    this.saved = reconnectStateAfterSlipChange(this.saved, this.state, {
      view: this.state.view as PublicTableView,
      own: this.state.own as TerminalTableView,
    });
    return this;
  }

  get message(): RoundAfterReconnect | null {
    return this.saved.message;
  }
}

const betting = { phase: 'betting', round: round(1) } as const;
const dealing = { phase: 'dealing', round: round(1) } as const;
const staked = { slip: { tie: 1_000 } };

test('a terminal that reconnects while bets are open shows no message', () => {
  const terminal = new Terminal().receives(betting, staked).disconnects().receives(betting, staked);
  expect([terminal.message, terminal.saved.about]).toEqual([null, null]);
});

test.each([
  ['accepted, closing not shown', betting, staked, staked, 'playing', 'HOUSE 11'],
  ['accepted, closing shown', dealing, staked, staked, 'playing', 'ETG 5.10.1'],
  ['not accepted, closing not shown', betting, {}, {}, 'out', 'ETG 5.10.2'],
  ['not accepted, closing shown', dealing, {}, {}, 'out', 'HOUSE 11'],
  ['accepted by an answer that was lost', betting, {}, staked, 'playing', 'HOUSE 11'],
] as const)(
  '[HOUSE 11] the reconnect message depends on what the terminal showed and what was accepted: %s',
  (_, then, before, now, kind, by) => {
    const terminal = new Terminal().receives(then, before).disconnects().receives(dealing, now);
    expect(terminal.message).toMatchObject({ kind, number: 1, by });
  },
);

test('a disconnected terminal that reaches the close by its own clock has shown it', () => {
  const closing = { phase: 'closing', round: round(1, { deadline: 1_000 }) } as const;
  const terminal = new Terminal()
    .receives(closing, staked)
    .disconnects()
    .disconnects({ at: 1_000 })
    .receives(dealing, staked);
  expect(terminal.message).toMatchObject({ kind: 'playing', by: 'ETG 5.10.1', stake: 1_000 });
});

test('the reconnect message follows the round to its end and stays until the patron closes it', () => {
  const terminal = new Terminal().receives(betting, staked).disconnects().receives(dealing, staked);
  expect(terminal.message?.kind).toBe('playing');
  const ended = { phase: 'idle', round: round(1, { winner: 'tie', won: ['tie'] }) } as const;
  terminal.receives(ended, { ...staked, paid: paidOn(1_000, 9_000) });
  const message = {
    kind: 'settled',
    round: 'r1',
    number: 1,
    by: 'HOUSE 11',
    stake: 1_000,
    returned: 9_000,
    winner: 'tie',
  };
  expect(terminal.message).toEqual(message);
  terminal.receives({ phase: 'betting', round: round(2) }).receives({ phase: 'betting', round: round(3) });
  expect(terminal.message).toEqual(message);
  terminal.saved = withoutReconnectMessage(terminal.saved);
  terminal.receives({ phase: 'dealing', round: round(3) });
  expect(terminal.message).toBeNull();
});

test('the reconnect message about the previous round comes from the last round of the view', () => {
  const last = { ...hands, id: 'r1', number: 1, winner: 'banker', voidBy: null } as const;
  const next = { phase: 'betting', round: round(2), last } as const;
  const paid = paidOn(1_000, 0);
  const terminal = new Terminal().receives(betting, staked).disconnects();
  const { saved } = terminal;
  terminal.receives(next, { last: { id: 'r1', number: 1, slip: staked.slip, paid } });
  expect(terminal.message).toMatchObject({ kind: 'settled', returned: 0, winner: 'banker' });
  terminal.saved = saved;
  terminal.receives(next);
  expect(terminal.message).toEqual({ kind: 'out', number: 1, by: 'ETG 5.10.2' });
  terminal.saved = saved;
  terminal.receives(
    { ...next, last: { ...last, voidBy: 'ETG 5.9.1' } },
    { last: { id: 'r1', number: 1, slip: staked.slip, paid: paidOn(1_000, 1_000) } },
  );
  expect(terminal.message).toMatchObject({ kind: 'void', by: 'ETG 5.9.1', returned: 1_000 });
});

test.each([
  [staked, null, 'over'],
  [{}, { round: 'r1', number: 1, slip: { tie: 500 }, missedBy: null }, 'unsure'],
  [{}, null, null],
] as const)('the reconnect message about an old round claims only what is known: %o, %o', (own, wanted, kind) => {
  const terminal = new Terminal()
    .receives(betting, own)
    .disconnects({ wanted })
    .receives({ phase: 'betting', round: round(9) });
  expect(terminal.message?.kind ?? null).toBe(kind);
});

test('the reconnect message waits while bets are closing or the table is stopped', () => {
  const terminal = new Terminal().receives(betting, staked).disconnects();
  terminal.receives({ phase: 'closing', round: round(1, { deadline: 0 }) }, staked);
  expect(terminal.message).toBeNull();
  terminal.receives({ ...betting, stopped: { kind: 'foreign-card', by: 'ETG 5.1' } }, staked);
  expect(terminal.message).toBeNull();
  terminal.receives(dealing, staked);
  expect(terminal.message).toMatchObject({ kind: 'playing', by: 'HOUSE 11' });
});

test('the reconnect message cites no clause for lost terminals when the table itself was interrupted', () => {
  const stopped = { kind: 'interruption', by: 'ETG 5.9' };
  const terminal = new Terminal()
    .receives(dealing, staked)
    .disconnects()
    .receives({ ...dealing, stopped }, staked);
  expect(terminal.message).toBeNull();
  expect(terminal.receives(dealing, staked).message).toBeNull();
  // Another terminal had no stake in the round. Its message says so in spite of the interruption.
  const other = new Terminal()
    .receives(dealing)
    .disconnects()
    .receives({ ...dealing, stopped });
  expect(other.message).toMatchObject({ kind: 'out' });
});

test('a reloaded page continues from the saved state, and another table starts without it', () => {
  const { saved } = new Terminal().receives(betting, staked);
  const reloaded = new Terminal();
  reloaded.saved = { ...(JSON.parse(JSON.stringify(saved)) as SavedReconnectState), isAway: true };
  // The reloaded page has no view yet.
  reloaded.saved = reconnectStateAfterSlipChange(reloaded.saved, { ...initialSlipState, table: 'tiger' }, null);
  reloaded.receives(dealing, staked);
  expect(reloaded.message).toMatchObject({ kind: 'playing', number: 1, stake: 1_000 });
  const elsewhere = new Terminal();
  elsewhere.saved = { ...saved, isAway: true };
  elsewhere.state = { ...elsewhere.state, table: 'baccarat' };
  elsewhere.receives(dealing, staked);
  expect(elsewhere.message).toBeNull();
});

test('the saved state keeps the first loss when the connection is lost again before the view arrives', () => {
  const terminal = new Terminal().receives(betting, staked).disconnects();
  const next = { ...terminal.state.view!, round: round(2) };
  terminal.disconnects({ view: next }).receives({ phase: 'betting', round: round(3) });
  expect(terminal.message).toMatchObject({ kind: 'over', number: 1 });
});

/** State of a terminal that was, or may have been, in round 1 and reconnects in round 9. */
const longAway = (own: Partial<TerminalTableView>, wanted: SlipState['wanted'] = null): SavedReconnectState =>
  new Terminal()
    .receives(betting, own)
    .disconnects({ wanted })
    .receives({ phase: 'betting', round: round(9) }).saved;
const recalled = (changes: Partial<RecalledRound> = {}): RecalledRound =>
  ({
    id: 'r1',
    winner: 'tie',
    voidBy: null,
    settled: [{ settlement: 's', at: 1, paid: paidOn(1_000, 9_000), short: 0 }],
    ...changes,
  }) as Partial<RecalledRound> as RecalledRound;

test('the result of an old round is reported once the rounds of the session are recalled', () => {
  const saved = longAway(staked);
  expect(saved.message).toMatchObject({ kind: 'over', by: 'HOUSE 11' });
  const ended = { number: 1, stake: 1_000, returned: 9_000, winner: 'tie' };
  expect(reconnectStateAfterRecall(saved, [recalled({ id: 'r8' }), recalled()]).message).toEqual({
    ...ended,
    kind: 'settled',
    round: 'r1',
    by: 'HOUSE 11',
  });
  expect(reconnectStateAfterRecall(saved, [recalled({ voidBy: 'ETG 5.2' })]).message).toMatchObject({
    kind: 'void',
    by: 'ETG 5.2',
  });
  // A recalled round that is not settled yet changes nothing, and neither does a recall without the round.
  expect(reconnectStateAfterRecall(saved, [recalled({ settled: [] })])).toBe(saved);
  expect(reconnectStateAfterRecall(saved, [recalled({ id: 'r8' })])).toBe(saved);
});

test('whether a slip was in an old round is reported once the rounds of the session are recalled', () => {
  const saved = longAway({}, { round: 'r1', number: 1, slip: { tie: 1_000 }, missedBy: null });
  expect(saved.message).toMatchObject({ kind: 'unsure' });
  expect(reconnectStateAfterRecall(saved, []).message).toEqual({ kind: 'out', number: 1, by: 'ETG 5.10.2' });
  expect(reconnectStateAfterRecall(saved, [recalled()]).message).toMatchObject({ kind: 'settled', returned: 9_000 });
  expect(reconnectStateAfterRecall(noReconnectState, [recalled()])).toBe(noReconnectState);
});

test('a patron who leaves a table while disconnected sees accepted and doubtful stakes on every page', () => {
  const wanted = { round: 'r1', number: 1, slip: { tie: 1_500 }, missedBy: null };
  const sent = { ...wanted, request: 1, at: 0, undoHistory: [] };
  const terminal = new Terminal().receives(betting, staked).disconnects({ wanted, sent });
  expect(roundWithStakesLeftBehind(terminal.saved, terminal.state)).toBeNull();
  for (const table of [null, 'tiger', 'baccarat']) {
    const state: SlipState = { ...initialSlipState, table, connection: 'lost' };
    terminal.saved = reconnectStateAfterSlipChange(terminal.saved, state, null);
    const expected = { table: 'tiger', number: 1, accepted: { tie: 1_000 }, hasUnaccepted: true, doubtfulChange: 500 };
    expect(roundWithStakesLeftBehind(terminal.saved, state)).toMatchObject(expected);
  }
  expect(roundWithStakesLeftBehind(terminal.saved, { connection: 'open', view: null })).toBeNull();
  const gone = reconnectStateAfterSlipChange(
    new Terminal().receives(betting, staked).saved,
    { ...initialSlipState, connection: 'open' },
    null,
  );
  expect(roundWithStakesLeftBehind({ ...gone, isAway: true }, { connection: 'lost', view: null })).toBeNull();
  // A slip that was never sent is not in doubt.
  const unsent = new Terminal().receives(betting).disconnects({ wanted });
  expect(roundWithStakesLeftBehind(unsent.saved, { connection: 'lost', view: null })).toMatchObject({
    hasUnaccepted: true,
    doubtfulChange: null,
  });
  expect(
    roundWithStakesLeftBehind(new Terminal().receives(betting).disconnects().saved, {
      connection: 'lost',
      view: null,
    }),
  ).toBeNull();
});
