import { expect, test } from 'vitest';
import { type TerminalTableView, type StakeResultView, type View } from '../../../wire/tableView.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import {
  type ReconnectMessage,
  type SavedReconnectState,
  keptAfter,
  keptRecalled,
  stateAtLeave,
  nothingKept,
  putAway,
} from './reconnectState.ts';
import { type State, initial } from '../slip/slipState.ts';

const hands = { player: { cards: [], total: 0 }, banker: { cards: [], total: 0 }, won: null, pushed: null };
const round = (number: number, changes: object = {}): NonNullable<View['round']> => ({
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
  state: State = { ...initial, table: 'tiger', link: 'open', isFresh: true };
  kept: SavedReconnectState = nothingKept;

  /** Receives views over an open connection. */
  sees(view: Partial<View>, own: Partial<TerminalTableView> = {}): this {
    const sight = {
      view: {
        game: { name: 'Tiger', version: 'tiger@2021-10-28' },
        stopped: null,
        last: null,
        ...view,
      } as View,
      own: { credit: 0, round: view.round ?? null, slip: {}, paid: null, last: null, ...own } as TerminalTableView,
    };
    this.state = { ...this.state, view: sight.view, own: sight.own, link: 'open', isFresh: true };
    this.kept = keptAfter(this.kept, this.state, sight);
    return this;
  }

  loses(changes: Partial<State> = {}): this {
    this.state = { ...this.state, ...changes, link: 'lost', isFresh: false };
    this.kept = keptAfter(this.kept, this.state, {
      view: this.state.view as View,
      own: this.state.own as TerminalTableView,
    });
    return this;
  }

  get said(): ReconnectMessage | null {
    return this.kept.said;
  }
}

const betting = { phase: 'betting', round: round(1) } as const;
const dealing = { phase: 'dealing', round: round(1) } as const;
const staked = { slip: { tie: 1_000 } };

test('a terminal that comes back while bets are open has nothing to say', () => {
  const terminal = new Terminal().sees(betting, staked).loses().sees(betting, staked);
  expect([terminal.said, terminal.kept.about]).toEqual([null, null]);
});

test.each([
  ['accepted, closing not shown', betting, staked, staked, 'playing', 'HOUSE 11'],
  ['accepted, closing shown', dealing, staked, staked, 'playing', 'ETG 5.10.1'],
  ['not accepted, closing not shown', betting, {}, {}, 'out', 'ETG 5.10.2'],
  ['not accepted, closing shown', dealing, {}, {}, 'out', 'HOUSE 11'],
  ['accepted by an answer that was lost', betting, {}, staked, 'playing', 'HOUSE 11'],
] as const)('in the round or not, by what it showed and what was accepted: %s', (_, then, before, now, kind, by) => {
  const terminal = new Terminal().sees(then, before).loses().sees(dealing, now);
  expect(terminal.said).toMatchObject({ kind, number: 1, by });
});

test('a terminal that reaches the close by its own clock while the link is lost has shown it', () => {
  const closing = { phase: 'closing', round: round(1, { deadline: 1_000 }) } as const;
  const terminal = new Terminal().sees(closing, staked).loses().loses({ at: 1_000 }).sees(dealing, staked);
  expect(terminal.said).toMatchObject({ kind: 'playing', by: 'ETG 5.10.1', stake: 1_000 });
});

test('the round is told to its end, and then stays told until it is closed', () => {
  const terminal = new Terminal().sees(betting, staked).loses().sees(dealing, staked);
  expect(terminal.said?.kind).toBe('playing');
  const ended = { phase: 'idle', round: round(1, { winner: 'tie', won: ['tie'] }) } as const;
  terminal.sees(ended, { ...staked, paid: paidOn(1_000, 9_000) });
  const said = {
    kind: 'settled',
    round: 'r1',
    number: 1,
    by: 'HOUSE 11',
    stake: 1_000,
    returned: 9_000,
    winner: 'tie',
  };
  expect(terminal.said).toEqual(said);
  terminal.sees({ phase: 'betting', round: round(2) }).sees({ phase: 'betting', round: round(3) });
  expect(terminal.said).toEqual(said);
  terminal.kept = putAway(terminal.kept);
  terminal.sees({ phase: 'dealing', round: round(3) });
  expect(terminal.said).toBeNull();
});

test('what happened in the round before the one in sight is told from its last round', () => {
  const last = { ...hands, id: 'r1', number: 1, winner: 'banker', voidBy: null } as const;
  const next = { phase: 'betting', round: round(2), last } as const;
  const paid = paidOn(1_000, 0);
  const terminal = new Terminal().sees(betting, staked).loses();
  const { kept } = terminal;
  terminal.sees(next, { last: { id: 'r1', number: 1, slip: staked.slip, paid } });
  expect(terminal.said).toMatchObject({ kind: 'settled', returned: 0, winner: 'banker' });
  terminal.kept = kept;
  terminal.sees(next);
  expect(terminal.said).toEqual({ kind: 'out', number: 1, by: 'ETG 5.10.2' });
  terminal.kept = kept;
  terminal.sees(
    { ...next, last: { ...last, voidBy: 'ETG 5.9.1' } },
    { last: { id: 'r1', number: 1, slip: staked.slip, paid: paidOn(1_000, 1_000) } },
  );
  expect(terminal.said).toMatchObject({ kind: 'void', by: 'ETG 5.9.1', returned: 1_000 });
});

test.each([
  [staked, null, 'over'],
  [{}, { round: 'r1', number: 1, slip: { tie: 500 }, missedBy: null }, 'unsure'],
  [{}, null, null],
] as const)('of a round that is long over no more is said than is known: %o, %o', (own, wanted, kind) => {
  const terminal = new Terminal()
    .sees(betting, own)
    .loses({ wanted })
    .sees({ phase: 'betting', round: round(9) });
  expect(terminal.said?.kind ?? null).toBe(kind);
});

test('closing, or a table that stands still, is not the end of the matter', () => {
  const terminal = new Terminal().sees(betting, staked).loses();
  terminal.sees({ phase: 'closing', round: round(1, { deadline: 0 }) }, staked);
  expect(terminal.said).toBeNull();
  terminal.sees({ ...betting, stopped: { kind: 'foreign-card', by: 'ETG 5.1' } }, staked);
  expect(terminal.said).toBeNull();
  terminal.sees(dealing, staked);
  expect(terminal.said).toMatchObject({ kind: 'playing', by: 'HOUSE 11' });
});

test('[ETG 5.9] where the table itself was away, its bets are told by no clause of a lost terminal', () => {
  const stopped = { kind: 'interruption', by: 'ETG 5.9' };
  const terminal = new Terminal()
    .sees(dealing, staked)
    .loses()
    .sees({ ...dealing, stopped }, staked);
  expect(terminal.said).toBeNull();
  expect(terminal.sees(dealing, staked).said).toBeNull();
  // A terminal that was not in the round gets the message.
  const other = new Terminal()
    .sees(dealing)
    .loses()
    .sees({ ...dealing, stopped });
  expect(other.said).toMatchObject({ kind: 'out' });
});

test('a page that begins anew goes on from what was kept, and another table from nothing', () => {
  const { kept } = new Terminal().sees(betting, staked);
  const anew = new Terminal();
  anew.kept = { ...(JSON.parse(JSON.stringify(kept)) as SavedReconnectState), isAway: true };
  // There is no view yet.
  anew.kept = keptAfter(anew.kept, { ...initial, table: 'tiger' }, null);
  anew.sees(dealing, staked);
  expect(anew.said).toMatchObject({ kind: 'playing', number: 1, stake: 1_000 });
  const elsewhere = new Terminal();
  elsewhere.kept = { ...kept, isAway: true };
  elsewhere.state = { ...elsewhere.state, table: 'baccarat' };
  elsewhere.sees(dealing, staked);
  expect(elsewhere.said).toBeNull();
});

test('a link that is lost again before the table was told keeps what was known first', () => {
  const terminal = new Terminal().sees(betting, staked).loses();
  const next = { ...terminal.state.view!, round: round(2) };
  terminal.loses({ view: next }).sees({ phase: 'betting', round: round(3) });
  expect(terminal.said).toMatchObject({ kind: 'over', number: 1 });
});

/** A terminal that was, or may have been, in round 1 and reconnects in round 9. */
const longAway = (own: Partial<TerminalTableView>, wanted: State['wanted'] = null): SavedReconnectState =>
  new Terminal()
    .sees(betting, own)
    .loses({ wanted })
    .sees({ phase: 'betting', round: round(9) }).kept;
const recalled = (changes: Partial<RecalledRound> = {}): RecalledRound =>
  ({
    id: 'r1',
    winner: 'tie',
    voidBy: null,
    settled: [{ settlement: 's', at: 1, paid: paidOn(1_000, 9_000), short: 0 }],
    ...changes,
  }) as Partial<RecalledRound> as RecalledRound;

test('what became of a round that is long over is said once the rounds of the session are told', () => {
  const kept = longAway(staked);
  expect(kept.said).toMatchObject({ kind: 'over', by: 'HOUSE 11' });
  const ended = { number: 1, stake: 1_000, returned: 9_000, winner: 'tie' };
  expect(keptRecalled(kept, [recalled({ id: 'r8' }), recalled()]).said).toEqual({
    ...ended,
    kind: 'settled',
    round: 'r1',
    by: 'HOUSE 11',
  });
  expect(keptRecalled(kept, [recalled({ voidBy: 'ETG 5.2' })]).said).toMatchObject({ kind: 'void', by: 'ETG 5.2' });
  // A round that is not settled yet, or not among the recalled ones, adds nothing.
  expect(keptRecalled(kept, [recalled({ settled: [] })])).toBe(kept);
  expect(keptRecalled(kept, [recalled({ id: 'r8' })])).toBe(kept);
});

test('whether a change was in a round that is long over is said once the rounds of the session are told', () => {
  const kept = longAway({}, { round: 'r1', number: 1, slip: { tie: 1_000 }, missedBy: null });
  expect(kept.said).toMatchObject({ kind: 'unsure' });
  expect(keptRecalled(kept, []).said).toEqual({ kind: 'out', number: 1, by: 'ETG 5.10.2' });
  expect(keptRecalled(kept, [recalled()]).said).toMatchObject({ kind: 'settled', returned: 9_000 });
  expect(keptRecalled(nothingKept, [recalled()])).toBe(nothingKept);
});

test('whoever leaves the table without a link is told what is in there and what may be, wherever he looks', () => {
  const wanted = { round: 'r1', number: 1, slip: { tie: 1_500 }, missedBy: null };
  const sent = { ...wanted, ask: 1, at: 0, before: [] };
  const terminal = new Terminal().sees(betting, staked).loses({ wanted, sent });
  expect(stateAtLeave(terminal.kept, terminal.state)).toBeNull();
  for (const table of [null, 'tiger', 'baccarat']) {
    const state: State = { ...initial, table, link: 'lost' };
    terminal.kept = keptAfter(terminal.kept, state, null);
    const told = { table: 'tiger', number: 1, accepted: { tie: 1_000 }, waits: true, doubt: 500 };
    expect(stateAtLeave(terminal.kept, state)).toMatchObject(told);
  }
  expect(stateAtLeave(terminal.kept, { link: 'open', view: null })).toBeNull();
  const gone = keptAfter(new Terminal().sees(betting, staked).kept, { ...initial, link: 'open' }, null);
  expect(stateAtLeave({ ...gone, isAway: true }, { link: 'lost', view: null })).toBeNull();
  // A slip that was never sent is not in doubt, and without stakes there is no message.
  const unsent = new Terminal().sees(betting).loses({ wanted });
  expect(stateAtLeave(unsent.kept, { link: 'lost', view: null })).toMatchObject({ waits: true, doubt: null });
  expect(stateAtLeave(new Terminal().sees(betting).loses().kept, { link: 'lost', view: null })).toBeNull();
});
