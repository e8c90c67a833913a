import { expect, test } from 'vitest';
import { type Outage, Outages } from './outageReporter.ts';

/** What is told of failures, with the time in the hands of the test. */
function watched() {
  let at = 0;
  const told: Outage[] = [];
  const waiting: { at: number; run: () => void }[] = [];
  const outages = new Outages({
    clock: () => at,
    after: (time, run) => {
      waiting.push({ at: at + time, run });
      return () => {};
    },
    tell: (outage) => told.push(outage),
  });
  const pass = (time: number): void => {
    const end = at + time;
    for (let next = waiting[0]; next && next.at <= end; next = waiting[0]) {
      waiting.shift();
      at = next.at;
      next.run();
    }
    at = end;
  };
  return { outages, told, pass };
}

const full = new Error('The disk is full.');

test('the first failure is told at once and whole, what goes on once a minute, and the end at once', () => {
  const { outages, told, pass } = watched();
  outages.failed('table a', full);
  expect(told).toEqual([{ state: 'begun', error: full, lasted: 0, failures: 1, waiting: ['table a'] }]);
  for (let second = 0; second < 150; second++) {
    pass(1_000);
    for (const who of ['table a', 'table b']) outages.failed(who, full);
  }
  expect(told.slice(1)).toMatchObject([
    { state: 'lasting', lasted: 60_000, failures: 119, waiting: ['table a', 'table b'] },
    { state: 'lasting', lasted: 120_000, failures: 239, error: full },
  ]);
  outages.mended('table a');
  expect(told).toHaveLength(3);
  outages.mended('table b');
  expect(told[3]).toEqual({ state: 'over', error: full, lasted: 150_000, failures: 301, waiting: [] });
  pass(600_000);
  expect(told).toHaveLength(4);
});

test('failures that are got over at once are counted, and told together once a minute', () => {
  const { outages, told, pass } = watched();
  for (let n = 0; n < 90; n++) {
    outages.failed('table a', full);
    pass(50);
    outages.mended('table a');
    pass(950);
  }
  expect(told.map(({ state, failures }) => [state, failures])).toEqual([
    ['begun', 1],
    ['over', 1],
    ['over', 59],
  ]);
  pass(60_000);
  expect(told.at(-1)).toMatchObject({ state: 'over', failures: 30 });
  expect(told).toHaveLength(4);
});

test('what is told later is told as long as it was, and by itself', () => {
  const { outages, told, pass } = watched();
  const fails = (time: number): void => {
    outages.failed('table a', full);
    pass(time);
    outages.mended('table a');
  };
  fails(200);
  pass(10_000);
  fails(3_000);
  pass(60_000);
  fails(100);
  pass(40_000);
  outages.failed('table a', full);
  pass(15_000);
  outages.mended('table a');
  expect(told.map(({ state, lasted }) => [state, lasted])).toEqual([
    ['begun', 0],
    ['over', 200],
    ['over', 3_000],
    ['begun', 6_700],
    ['over', 15_000],
  ]);
});

test('who never failed is not mended', () => {
  const { outages, told, pass } = watched();
  outages.mended('table a');
  pass(600_000);
  expect(told).toEqual([]);
});
