import { expect, test } from 'vitest';
import { passedCountdownMark } from './countdownMarks.ts';

const readOut = (...seconds: readonly (number | null)[]): readonly number[] =>
  seconds.flatMap((left, n) => (n === 0 ? [] : (passedCountdownMark(seconds[n - 1]!, left) ?? [])));

test('10, 5 and 0 seconds are announced once each', () => {
  expect(readOut(null, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, null, null)).toEqual([10, 5, 0]);
});

test('a slow screen announces only the nearest passed mark', () => {
  expect(readOut(null, 12, 9, 4, null)).toEqual([10, 5, 0]);
  expect(readOut(null, 12, 3)).toEqual([5]);
});

test('bets that close before the deadline announce 0 seconds', () => {
  expect(readOut(null, 20, null)).toEqual([0]);
});

test('a screen that opens later announces only the remaining marks', () => {
  expect(readOut(null, 7, 6, 5)).toEqual([5]);
});
