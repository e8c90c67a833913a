import { expect, test } from 'vitest';
import { factorFrom, sampleOf, reportToSoak, times } from './times.ts';

test('counts are those of npm test without PUNTO_SOAK, and refused where it is no whole number of 1 or more', () => {
  expect([undefined, '1', '2', '1000'].map(factorFrom)).toEqual([1, 1, 2, 1000]);
  for (const text of ['', '0', '-1', '1.5', '1e3', 'x', ' 2']) {
    expect(() => factorFrom(text)).toThrow(`PUNTO_SOAK is "${text}"; give it a whole number of 1 or more.`);
  }
});

test('a sample has different cases in their order, as many as counted, and other names have others', () => {
  const cases = Array.from({ length: 1_000_000 }, (_, n) => n);
  const sample = sampleOf('one', cases, 3);
  expect(sample).toHaveLength(times(3));
  expect(sample).toEqual([...new Set(sample)].toSorted((one, other) => one - other));
  expect(sampleOf('one', cases, 3)).toEqual(sample);
  expect(sampleOf('two', cases, 3)).not.toEqual(sample);
  reportToSoak(`a sample of ${sample.length}`);
});

test('a sample has all cases where there are no more', () => {
  expect(sampleOf('one', ['a', 'b'], 3)).toEqual(['a', 'b']);
  expect(sampleOf('one', [], 3)).toEqual([]);
});
