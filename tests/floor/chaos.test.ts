import { expect, test } from 'vitest';
import { chaos } from '../../src/chaos/run.ts';

const fair = { faults: { before: 0, after: 0 }, crash: 0, drop: 0, double: 0 };

test('a quiet floor: thousands of bets, and the books of a stranger agree', async () => {
  const { rounds, slips, wrong } = await chaos('quiet', 300, fair);
  expect(wrong).toEqual([]);
  expect(rounds).toBeGreaterThanOrEqual(300);
  expect(slips).toBeGreaterThan(200);
});

const bad = { faults: { before: 20, after: 20 }, crash: 400, drop: 5, double: 20 };

for (const seed of ['1', '2', '3', '4', '5']) {
  test(`a floor in a storm, seed ${seed}: store and network fail, plugs are pulled, and nothing is lost or doubled`, async () => {
    const { wrong, crashes } = await chaos(seed, 300, bad);
    expect(wrong).toEqual([]);
    expect(crashes).toBeGreaterThan(0);
  });
}
