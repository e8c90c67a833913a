import { expect, test } from 'vitest';
import { type StakeResultView } from '../../../../wire/tableView.ts';
import { spotResultOf, isWithoutCelebration } from './spotResult.ts';

const paid = (result: StakeResultView['result']): StakeResultView => ({
  wager: 'tie',
  stake: 500,
  result,
  won: 0,
  commission: 0,
  returned: 0,
  by: 'ETG 4.7',
});

test.each([
  ['win', 'won'],
  ['lose', 'lost'],
  ['push', 'back'],
  ['void', 'back'],
] as const)('a stake with the result %s is %s', (result, fate) => {
  expect(spotResultOf('tie', paid(result), { won: ['tie'], voidBy: null })).toBe(fate);
});

test('a spot without a stake is lit if it won, dim if it did not, and unchanged in a round without a result', () => {
  expect(spotResultOf('tie', undefined, { won: ['tie', 'tiger-tie'], voidBy: null })).toBe('hit');
  expect(spotResultOf('player', undefined, { won: ['tie', 'tiger-tie'], voidBy: null })).toBe('idle');
  expect(spotResultOf('player', undefined, { won: null, voidBy: null })).toBe('open');
  expect(spotResultOf('player', undefined, { won: null, voidBy: 'ETG 5.1.1' })).toBe('open');
});

test('a result is celebrated only when it is paid and exceeds the stake', () => {
  expect([
    isWithoutCelebration(500, { net: 1 }),
    isWithoutCelebration(500, { net: 0 }),
    isWithoutCelebration(500, { net: -500 }),
  ]).toEqual([false, true, true]);
  // Between the result and the settlement, the net result is unknown: a winning spot may be part of a net loss.
  expect(isWithoutCelebration(500, null)).toBe(true);
  expect(isWithoutCelebration(0, null)).toBe(false);
});
