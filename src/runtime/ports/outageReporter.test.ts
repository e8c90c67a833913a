import { expect, test } from 'vitest';
import { type Outage, OutageReporter } from './outageReporter.ts';

/** A reporter with a clock that the test moves, and its reports. */
function watched() {
  let at = 0;
  const told: Outage[] = [];
  const waiting: { at: number; run: () => void }[] = [];
  const outages = new OutageReporter({
    clock: () => at,
    after: (time, run) => {
      waiting.push({ at: at + time, run });
      return () => {};
    },
    report: (outage) => told.push(outage),
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

test('outage reporter reports the first failure at once, further ones once a minute, and the end at once', () => {
  const { outages, told, pass } = watched();
  outages.addFailure('table a', full);
  expect(told).toEqual([{ state: 'begun', error: full, lasted: 0, failures: 1, waiting: ['table a'] }]);
  for (let second = 0; second < 150; second++) {
    pass(1_000);
    for (const who of ['table a', 'table b']) outages.addFailure(who, full);
  }
  expect(told.slice(1)).toMatchObject([
    { state: 'lasting', lasted: 60_000, failures: 119, waiting: ['table a', 'table b'] },
    { state: 'lasting', lasted: 120_000, failures: 239, error: full },
  ]);
  outages.endFailure('table a');
  expect(told).toHaveLength(3);
  outages.endFailure('table b');
  expect(told[3]).toEqual({ state: 'over', error: full, lasted: 150_000, failures: 301, waiting: [] });
  pass(600_000);
  expect(told).toHaveLength(4);
});

test('outage reporter counts failures that recover at once and reports them together once a minute', () => {
  const { outages, told, pass } = watched();
  for (let n = 0; n < 90; n++) {
    outages.addFailure('table a', full);
    pass(50);
    outages.endFailure('table a');
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

test('outage reporter reports the true duration when a report is delayed', () => {
  const { outages, told, pass } = watched();
  const fails = (time: number): void => {
    outages.addFailure('table a', full);
    pass(time);
    outages.endFailure('table a');
  };
  fails(200);
  pass(10_000);
  fails(3_000);
  pass(60_000);
  fails(100);
  pass(40_000);
  outages.addFailure('table a', full);
  pass(15_000);
  outages.endFailure('table a');
  expect(told.map(({ state, lasted }) => [state, lasted])).toEqual([
    ['begun', 0],
    ['over', 200],
    ['over', 3_000],
    ['begun', 6_700],
    ['over', 15_000],
  ]);
});

test('outage reporter ignores the recovery of a stream that never failed', () => {
  const { outages, told, pass } = watched();
  outages.endFailure('table a');
  pass(600_000);
  expect(told).toEqual([]);
});
