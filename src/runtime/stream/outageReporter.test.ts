import { expect, test } from 'vitest';
import { type OutageReport, OutageReporter } from './outageReporter.ts';

/** A reporter with a clock that the test moves, and its reports. */
function watched() {
  let at = 0;
  const reported: OutageReport[] = [];
  const failing: { at: number; run: () => void }[] = [];
  const outages = new OutageReporter({
    clock: () => at,
    after: (time, run) => {
      failing.push({ at: at + time, run });
      return () => {};
    },
    report: (outage) => reported.push(outage),
  });
  const pass = (time: number): void => {
    const end = at + time;
    for (let next = failing[0]; next && next.at <= end; next = failing[0]) {
      failing.shift();
      at = next.at;
      next.run();
    }
    at = end;
  };
  return { outages, reported, pass };
}

const full = new Error('The disk is full.');

test('outage reporter reports the first failure at once, further ones once a minute, and the end at once', () => {
  const { outages, reported, pass } = watched();
  outages.addFailure('table a', full);
  expect(reported).toEqual([{ state: 'begun', error: full, durationMs: 0, failures: 1, failing: ['table a'] }]);
  for (let second = 0; second < 150; second++) {
    pass(1_000);
    for (const who of ['table a', 'table b']) outages.addFailure(who, full);
  }
  expect(reported.slice(1)).toMatchObject([
    { state: 'lasting', durationMs: 60_000, failures: 119, failing: ['table a', 'table b'] },
    { state: 'lasting', durationMs: 120_000, failures: 239, error: full },
  ]);
  outages.endFailure('table a');
  expect(reported).toHaveLength(3);
  outages.endFailure('table b');
  expect(reported[3]).toEqual({ state: 'over', error: full, durationMs: 150_000, failures: 301, failing: [] });
  pass(600_000);
  expect(reported).toHaveLength(4);
});

test('outage reporter counts failures that recover at once and reports them together once a minute', () => {
  const { outages, reported, pass } = watched();
  for (let n = 0; n < 90; n++) {
    outages.addFailure('table a', full);
    pass(50);
    outages.endFailure('table a');
    pass(950);
  }
  expect(reported.map(({ state, failures }) => [state, failures])).toEqual([
    ['begun', 1],
    ['over', 1],
    ['over', 59],
  ]);
  pass(60_000);
  expect(reported.at(-1)).toMatchObject({ state: 'over', failures: 30 });
  expect(reported).toHaveLength(4);
});

test('outage reporter reports the true duration when a report is delayed', () => {
  const { outages, reported, pass } = watched();
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
  expect(reported.map(({ state, durationMs }) => [state, durationMs])).toEqual([
    ['begun', 0],
    ['over', 200],
    ['over', 3_000],
    ['begun', 6_700],
    ['over', 15_000],
  ]);
});

test('outage reporter ignores the recovery of a stream that never failed', () => {
  const { outages, reported, pass } = watched();
  outages.endFailure('table a');
  pass(600_000);
  expect(reported).toEqual([]);
});
