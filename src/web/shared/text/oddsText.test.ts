import { formatMoney, formatShortMoney } from '../../../base/formatMoney.ts';
import { describe, expect, test } from 'vitest';
import { games } from '../../../games/registry.ts';
import { type PayLine, type Wager } from '../../../rules/wager.ts';
import { wagerOddsText } from './oddsText.ts';

test.each([
  [0, '0.00', '0'],
  [5, '0.05', '0.05'],
  [100, '1.00', '1'],
  [99_999, '999.99', '999.99'],
  [100_000, '1,000.00', '1,000'],
  [123_456_789, '1,234,567.89', '1,234,567.89'],
  [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91', '90,071,992,547,409.91'],
  [Number.MAX_SAFE_INTEGER - 1, '90,071,992,547,409.90', '90,071,992,547,409.90'],
  [Number.MAX_SAFE_INTEGER - 91, '90,071,992,547,409.00', '90,071,992,547,409'],
])('%d cents are formatted as %s, or %s in a small space', (cents, long, brief) => {
  expect(formatMoney(cents)).toBe(long);
  expect(formatShortMoney(cents)).toBe(brief);
});

const wagerOf = (...lines: readonly Pick<PayLine, 'pays' | 'commission'>[]): Wager => ({
  name: 'A wager',
  by: 'TEST 1',
  lines: lines.map((line) => ({ when: {}, by: 'TEST 1', ...line })),
});

describe('odds', () => {
  test.each([
    ['baccarat', 'banker', '0.95 : 1', '0.95 : 1'],
    ['tiger', 'tiger', '20 · 12 : 1', '20 · 12 : 1'],
    ['tiger', 'tiger-pair', '100 · 20 · 4 : 1', '100 · 20 · 4 : 1'],
    ['no-commission', 'banker', '1 : 1 · 1 : 2', '1 : 1 · 1 : 2'],
    ['fabulous-4', 'player', '2 : 1 · 1 : 1 · 1 : 2', '2 : 1 · 1 : 1 · 1 : 2'],
    ['sands-super', 'sands-six', '6 : 1', '6 : 1'],
    ['sands-super', 'player-precious-pair', '30 · 15 · 12 · 9 : 1', '30–9 : 1'],
    ['super-6', 'player-dragon-bonus', '30 · 10 · 6 · 4 · 2 · 1 : 1', '30–1 : 1'],
  ])('%s %s pays %s, in short %s', (game, wager, all, brief) => {
    expect(wagerOddsText(games.find(({ id }) => id === game)!.wagers[wager]!)).toEqual({ all, brief });
  });

  test('are exact whatever a commission leaves', () => {
    expect(wagerOddsText(wagerOf({ pays: [1, 1], commission: [1, 8] })).all).toBe('0.875 : 1');
    expect(wagerOddsText(wagerOf({ pays: [8, 1], commission: [1, 20] })).all).toBe('7.6 : 1');
    expect(wagerOddsText(wagerOf({ pays: [20, 1], commission: [1, 20] })).all).toBe('19 : 1');
    expect(wagerOddsText(wagerOf({ pays: [1, 1], commission: [1, 3] })).all).toBe('2 : 3');
  });
});
