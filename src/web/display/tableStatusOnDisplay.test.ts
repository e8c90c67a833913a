import { expect, test } from 'vitest';
import { type PublicTableView } from '../../wire/tableView.ts';
import { isOpenUntilDealerCall } from '../shared/text/tableStatus.ts';
import {
  sideBetsWithCounter,
  counterPageIndex,
  mainOrSideLimitsRange,
  tableStatusOnDisplay,
} from './tableStatusOnDisplay.ts';

const now = 1_000_000;
const round = { voidBy: null, winner: null, deadline: null, closesAt: now + 9_000 };
const shoe = { ready: true };
const viewOf = (state: object): PublicTableView =>
  ({ phase: 'idle', stopped: null, round, shoe, layout: [], ...state }) as unknown as PublicTableView;
const kindOf = (state: object): string => tableStatusOnDisplay(viewOf(state), now).kind;

test('the display shows the status of its table, and the close at the deadline', () => {
  expect(tableStatusOnDisplay(viewOf({ phase: 'betting' }), now)).toEqual({ kind: 'open', left: 9_000 });
  expect(tableStatusOnDisplay(viewOf({ phase: 'closing', round: { ...round, deadline: now + 500 } }), now)).toEqual({
    kind: 'open',
    left: 500,
  });
  expect(kindOf({ phase: 'closing', round: { ...round, deadline: now } })).toBe('shut');
  expect(kindOf({ phase: 'dealing' })).toBe('shut');
  expect(kindOf({ phase: 'closed' })).toBe('closed');
  expect(kindOf({ phase: 'betting', stopped: { kind: 'cannot-record', by: null } })).toBe('cannot-record');
  expect(kindOf({ phase: 'dealing', stopped: { kind: 'wrong-number', by: 'ETG 5.7' } })).toBe('stopped');
});

test('a display keeps a result until the next shoe, and shows no result for a void', () => {
  expect(tableStatusOnDisplay(viewOf({ round: { ...round, winner: 'player' } }), now)).toEqual({
    kind: 'won',
    winner: 'player',
  });
  expect(kindOf({ phase: 'result', round: { ...round, winner: 'player' }, shoe: null })).toBe('won');
  expect(kindOf({ round: { ...round, winner: 'player' }, shoe: null })).toBe('shoe');
  expect(kindOf({ round: { ...round, winner: 'player' }, shoe: { ready: false } })).toBe('shoe');
  expect(kindOf({ round: { ...round, winner: 'player', voidBy: 'ETG 5.9.1' } })).toBe('void');
  expect([kindOf({}), kindOf({ round: null })]).toEqual(['soon', 'soon']);
});

test('an attended table waits for its dealer, and bets stay open until the dealer calls the close', () => {
  const live = { attended: true, bets: 'terminals' };
  expect(kindOf({ ...live, shoe: null })).toBe('dealer');
  expect(kindOf({ ...live, shoe: { ready: false } })).toBe('shoe');
  const called = (state: object): boolean =>
    isOpenUntilDealerCall(
      viewOf({ phase: 'betting', ...state }),
      tableStatusOnDisplay(viewOf({ phase: 'betting', ...state }), now),
    );
  const late = { round: { ...round, closesAt: now - 1 } };
  expect([called(live), called({ ...live, ...late }), called({ ...live, bets: 'chips' })]).toEqual([false, true, true]);
  expect([called({ ...live, ...late, attended: false }), called({ ...live, phase: 'dealing' })]).toEqual([
    false,
    false,
  ]);
});

test('a display has limits for main and other bets, and counters for side bets without number strips', () => {
  const spot = (wager: string, minimum: number, maximum: number) => ({ wager, name: wager, minimum, maximum });
  const layout = [
    spot('player', 100, 500),
    spot('banker', 200, 900),
    spot('tie', 50, 80),
    spot('tiger', 10, 70),
    spot('tie-wins-on-3', 1, 2),
  ];
  expect(mainOrSideLimitsRange(viewOf({ layout }), true)).toEqual([100, 900]);
  expect(mainOrSideLimitsRange(viewOf({ layout }), false)).toEqual([1, 80]);
  expect(mainOrSideLimitsRange(viewOf({ layout: layout.slice(0, 2) }), false)).toBeUndefined();
  expect(sideBetsWithCounter(viewOf({ layout })).map(({ wager }) => wager)).toEqual(['tiger']);
});

test('pages of counters rotate every eight seconds', () => {
  expect([0, 7_999, 8_000, 16_000, 24_000].map((at) => counterPageIndex(3, at))).toEqual([0, 0, 1, 2, 0]);
  expect(counterPageIndex(0, 8_000)).toBe(0);
});
