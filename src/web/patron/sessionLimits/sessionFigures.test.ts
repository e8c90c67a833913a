import { expect, test } from 'vitest';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import {
  totalOpenStakes,
  sessionLimitChoices,
  lossAgainstLimit,
  sessionMinutes,
  highestOpenRoundStake,
  sessionNet,
  dueRealityCheckCount,
} from './sessionFigures.ts';

const balance = (credit: number, stakes: readonly number[] = [], loaded = 100_000): TerminalMoneyState => ({
  terminal: 'T1',
  credit,
  session: { number: 1, since: 1_000, loaded },
  openStakes: stakes.map((stake, n) => ({ table: `B${n}`, round: `r${n}`, stake })),
  limits: { stake: null, loss: null, pausedUntil: null, realityCheckMs: 3_600_000, help: null },
  collect: null,
  locked: null,
  owed: 0,
  demo: true,
});
const none: TerminalMoneyState = { ...balance(100_000), session: null };

test('open stakes are no loss in the session result, and count as lost against a limit', () => {
  const one = balance(90_000, [5_000, 2_000]);
  expect([totalOpenStakes(one), highestOpenRoundStake(one), sessionNet(one), lossAgainstLimit(one)]).toEqual([
    7_000, 5_000, -3_000, 10_000,
  ]);
  const winning = balance(120_000, [5_000]);
  expect([sessionNet(winning), lossAgainstLimit(winning)]).toEqual([25_000, 0]);
  expect([totalOpenStakes(none), highestOpenRoundStake(none), sessionNet(none), lossAgainstLimit(none)]).toEqual([
    0, 0, 0, 0,
  ]);
});

test('offered limits are below the current limit, or up to the loaded credit when there is none', () => {
  expect(sessionLimitChoices(null, 100_000)).toEqual([100_000, 50_000, 20_000, 10_000, 5_000, 2_000]);
  expect(sessionLimitChoices(50_000, 100_000)).toEqual([20_000, 10_000, 5_000, 2_000, 1_000]);
  expect(sessionLimitChoices(1_000, 100_000)).toEqual([]);
  expect(sessionLimitChoices(null, 0)).toEqual([1_000]);
});

test('a reality check is due at each full interval of the session', () => {
  expect([1_000, 3_600_999, 3_601_000, 7_201_000].map((now) => dueRealityCheckCount(balance(0), now))).toEqual([
    0, 0, 1, 2,
  ]);
  expect([500, 61_000, 3_601_000].map((now) => sessionMinutes(balance(0), now))).toEqual([0, 1, 60]);
  expect([dueRealityCheckCount(none, 9_000_000), sessionMinutes(none, 9_000_000)]).toEqual([0, 0]);
});
