import { expect, test } from 'vitest';
import { stackOf } from './chips.ts';

const tray = [100, 500, 2500, 10_000, 50_000];

test.each([
  [100, 0, 1],
  [400, 0, 4],
  [500, 1, 1],
  [600, 1, 2],
  [1500, 1, 3],
  [2500, 2, 1],
  [12_600, 3, 3],
  [50_000, 4, 1],
  [49_900, 3, 15],
])('%d is a stack with chip %d on top, of %d chips', (stake, place, chips) => {
  expect(stackOf(stake, tray)).toEqual({ place, chips });
});

test('a stake below the smallest chip is one of those', () => {
  expect(stackOf(50, tray)).toEqual({ place: 0, chips: 1 });
  expect(stackOf(50, [])).toEqual({ place: 0, chips: 1 });
});

test('the tray may lie in any order', () => {
  expect(stackOf(1500, [2500, 100, 500])).toEqual({ place: 2, chips: 3 });
});
