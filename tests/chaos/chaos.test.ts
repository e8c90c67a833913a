import { expect, test } from 'vitest';
import { type Ran } from './counts.ts';
import { chaos } from './run.ts';
import { fair, storm } from './faultRates.ts';
import { seed as run } from '../seed.ts';
import { times } from '../times.ts';
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { demoSettings } from '../runtime/demo.ts';

const ran: Ran[] = [];
const sum = (of: (one: Ran) => number): number => ran.reduce((all, one) => all + of(one), 0);
const all = (counts: { readonly [name: string]: number }): number => Object.values(counts).reduce((a, b) => a + b, 0);

/** Rounds of a floor on which nothing fails. */
const calm = times(300);

test(`a quiet floor of ten tables: ${calm} rounds and slips, and the books of a stranger agree`, async () => {
  const quiet = await chaos(`quiet ${run}`, calm, fair);
  ran.push(quiet);
  expect(quiet.wrong).toEqual([]);
  expect(quiet.settled).toBeGreaterThanOrEqual(calm);
  expect(quiet.accepted).toBeGreaterThan(calm);
  expect([quiet.voids, quiet.unknown, quiet.halts, all(quiet.faults)]).toEqual([0, 0, 0, 0]);
});

/** Two of the ten tables, so that each has a long record in a short time; five seeds in a row have them all. */
const tablesOf = (seed: number) => demoSettings.slice(2 * (seed % 5), 2 * (seed % 5) + 2);

/** Seeds that once failed stay here. */
const seeds = [1, 2, 13, 9, 5];

/** A soak adds others by chance. */
const more = Array.from({ length: times(seeds.length) - seeds.length }, () => systemRandom.below(2 ** 32));

for (const seed of [...seeds, ...more]) {
  test(`a floor in a storm, seed ${seed}: store and network fail, plugs are pulled anywhere, and nothing is lost, doubled or told wrongly`, async () => {
    const stormy = await chaos(`${seed}`, 400, storm, tablesOf(seed));
    ran.push(stormy);
    expect(stormy.wrong).toEqual([]);
    expect(stormy.settled + stormy.voids).toBeGreaterThanOrEqual(400);
    expect(stormy.settled).toBeGreaterThan(300);
    expect(stormy.accepted).toBeGreaterThan(2_000);
    expect(all(stormy.crashes)).toBeGreaterThan(15);
    expect(stormy.issued).toBeGreaterThan(50);
    expect(stormy.paid).toBeGreaterThan(40);
    expect(stormy.refusedTickets).toBeGreaterThan(20);
    expect(stormy.set).toBeGreaterThan(20);
    expect(stormy.refusedWishes).toBeGreaterThan(5);
    expect(all(stormy.faults)).toBeGreaterThan(200);
    expect(stormy.backFromSnapshot).toBeGreaterThan(20);
  });
}

test('all storms together: thousands of rounds, failures of every store function, crashes at every point', () => {
  expect(sum(({ settled, voids }) => settled + voids)).toBeGreaterThanOrEqual(2_000 + calm);
  expect(sum(({ accepted }) => accepted)).toBeGreaterThanOrEqual(5_000);
  expect(sum(({ refused }) => refused)).toBeGreaterThan(1_000);
  expect(sum(({ unknown }) => unknown)).toBeGreaterThan(0);
  expect(sum(({ healed }) => healed)).toBeGreaterThan(0);
  expect(sum(({ voids }) => voids)).toBeGreaterThan(100);
  expect(sum(({ parks }) => parks)).toBeGreaterThan(15);
  expect(sum(({ snapshots }) => snapshots)).toBeGreaterThanOrEqual(8);
  const faults = new Set(ran.flatMap((one) => Object.keys(one.faults)));
  for (const name of ['append', 'read', 'findCommands', 'recordHeartbeats', 'putBlob', 'snapshot']) {
    for (const how of ['before', 'after', 'late']) expect(faults).toContain(`${name} ${how}`);
  }
  // What is seldom asked fails in one way or another.
  for (const name of ['saveSnapshot', 'streams', 'balance', 'balances', 'blob', 'heartbeats']) {
    expect(
      ['before', 'after', 'late'].some((how) => faults.has(`${name} ${how}`)),
      name,
    ).toBe(true);
  }
  const crashes = new Set(ran.flatMap((one) => Object.keys(one.crashes)));
  for (const where of ['any', 'opening', 'parking', 'append', 'findCommands', 'read']) expect(crashes).toContain(where);
});

test('a run is deterministic by its seed', async () => {
  const [one, two, other] = [await chaos('a', 40, storm), await chaos('a', 40, storm), await chaos('b', 40, storm)];
  expect(two).toEqual(one);
  expect(other.hash).not.toBe(one.hash);
});
