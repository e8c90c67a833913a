import { expect, test } from 'vitest';
import { returnDeviationOf } from './returnDeviation.ts';

/** A fair coin that pays one to one. */
const coin = { expected: { over: 0n, under: 1n }, variance: { over: 1n, under: 1n } };

test('returnDeviationOf compares a return with theory in deviations, the stakes of one round as one', () => {
  // A hundred rounds of 10.00: the standard deviation of the return per unit is a tenth.
  const apart = { staked: 100_000, returned: 120_000, squares: String(100 * 1000 ** 2) };
  expect(returnDeviationOf(apart, coin)).toMatchObject({ theory: 1, actual: 1.2, deviation: 0.1 });
  expect(returnDeviationOf(apart, coin)!.z).toBeCloseTo(2, 12);
  // The whole turnover in one round: the standard deviation is that of a single toss.
  expect(returnDeviationOf({ ...apart, squares: String(100_000 ** 2) }, coin)).toMatchObject({ deviation: 1 });
});

test('returnDeviationOf is undefined without stakes and gives 0 without variance', () => {
  expect(returnDeviationOf({ staked: 0, returned: 0, squares: '0' }, coin)).toBeUndefined();
  const sure = { expected: { over: -1n, under: 1n }, variance: { over: 0n, under: 1n } };
  expect(returnDeviationOf({ staked: 100, returned: 0, squares: '10000' }, sure)).toMatchObject({
    theory: 0,
    actual: 0,
    z: 0,
  });
});
