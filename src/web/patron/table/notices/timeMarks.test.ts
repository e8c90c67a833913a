import { expect, test } from 'vitest';
import { markPassed } from './timeMarks.ts';

const readOut = (...seconds: readonly (number | null)[]): readonly number[] =>
  seconds.flatMap((left, n) => (n === 0 ? [] : (markPassed(seconds[n - 1]!, left) ?? [])));

test('10, 5 and 0 seconds are read out once each', () => {
  expect(readOut(null, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, null, null)).toEqual([10, 5, 0]);
});

test('a screen that looks seldom misses none of them, and reads out the nearest alone', () => {
  expect(readOut(null, 12, 9, 4, null)).toEqual([10, 5, 0]);
  expect(readOut(null, 12, 3)).toEqual([5]);
});

test('bets that are closed before their time are over as well', () => {
  expect(readOut(null, 20, null)).toEqual([0]);
});

test('whoever comes later hears what is still to come', () => {
  expect(readOut(null, 7, 6, 5)).toEqual([5]);
});
