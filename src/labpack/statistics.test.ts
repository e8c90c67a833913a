import { expect, test } from 'vitest';
import { chiSquareTail, normalTwoSidedTail, failedByHolm, upperIncompleteGamma } from './statistics.ts';

test('the chi-square tail matches the published tables', () => {
  const published = [
    [3.841458820694124, 1, 0.05],
    [6.634896601021213, 1, 0.01],
    [10.827566170662733, 1, 0.001],
    [5.991464547107979, 2, 0.05],
    [18.307038053275146, 10, 0.05],
    [3.94029913611906, 10, 0.95],
    [50.892181311517092, 30, 0.01],
    [124.34211340400407, 100, 0.05],
    [135.80672317102676, 100, 0.01],
    [70.06489492539978, 100, 0.99],
  ] as const;
  for (const [statistic, freedom, p] of published) expect(chiSquareTail(statistic, freedom)).toBeCloseTo(p, 11);
});

test('the chi-square tail matches the closed form for even degrees of freedom, up to thousands', () => {
  for (const freedom of [2, 4, 50, 256, 2704, 65_536]) {
    for (const part of [0.5, 0.9, 0.99, 1, 1.01, 1.1, 1.5]) {
      const x = (freedom * part) / 2;
      let [term, sum] = [0, 0];
      for (let k = 0; k < freedom / 2; k++) {
        sum += Math.exp(term - x);
        term += Math.log(x) - Math.log(k + 1);
      }
      const found = chiSquareTail(2 * x, freedom);
      expect(Math.abs(found - sum)).toBeLessThan(1e-9);
      if (freedom < 300 && sum > 1e-300) expect(found / sum).toBeCloseTo(1, 9);
    }
  }
});

test('the normal tail matches the published error function', () => {
  const published = [
    [0.5, 0.4795001221869535],
    [1, 0.15729920705028513],
    [1.5, 0.033894853524689274],
    [2, 0.004677734981047266],
    [3, 2.209049699858544e-5],
    [5, 1.5374597944280349e-12],
  ] as const;
  for (const [x, erfc] of published) expect(normalTwoSidedTail(x * Math.SQRT2) / erfc).toBeCloseTo(1, 11);
  expect(normalTwoSidedTail(-1.959963984540054)).toBeCloseTo(0.05, 12);
  expect(normalTwoSidedTail(0)).toBe(1);
  expect(upperIncompleteGamma(0.25, 0.01)).toBeGreaterThan(upperIncompleteGamma(0.25, 0.02));
});

test("Holm's method raises its bound from the smallest p on, and stops at the first test that passes", () => {
  expect(failedByHolm([0.01, 0.04, 0.03, 0.005], 0.05)).toEqual([true, false, false, true]);
  expect(failedByHolm([0.02, 0.02, 0.02], 0.05)).toEqual([false, false, false]);
  expect(failedByHolm([0.5, 0.01], 0.02)).toEqual([false, true]);
  expect(failedByHolm([], 0.05)).toEqual([]);
});
