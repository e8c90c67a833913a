import { expect, test } from 'vitest';
import { type SignInFailureCounts, SignInFailures } from './signInFailures.ts';

function counting() {
  const told: SignInFailureCounts[] = [];
  let due: (() => void) | undefined;
  const after = (time: number, run: () => void) => {
    expect(time).toBe(60_000);
    due = run;
    return () => void (due = undefined);
  };
  const failures = new SignInFailures({ after, report: (failed) => told.push(failed) });
  return { failures, told, pass: () => due?.() };
}

test('sign-in failures are reported at once, then together once a minute, by code only', () => {
  const { failures, told, pass } = counting();
  failures.count('wrong-secret');
  expect(told).toEqual([{ 'wrong-secret': 1 }]);
  for (const code of ['wrong-secret', 'wrong-secret', 'sign-in-locked', 'too-many-attempts']) failures.count(code);
  expect(told).toHaveLength(1);
  pass();
  expect(told[1]).toEqual({ 'wrong-secret': 2, 'sign-in-locked': 1, 'too-many-attempts': 1 });
  pass();
  failures.count('wrong-code');
  expect(told.slice(2)).toEqual([{ 'wrong-code': 1 }]);
});

test('sign-in failures ignore other codes and report the rest on close', () => {
  const { failures, told, pass } = counting();
  for (const code of ['not-your-role', 'bad-request', 'secret-due']) failures.count(code);
  expect(told).toEqual([]);
  failures.count('codes-locked');
  failures.count('codes-locked');
  failures.close();
  expect(told).toEqual([{ 'codes-locked': 1 }, { 'codes-locked': 1 }]);
  pass();
  expect(told).toHaveLength(2);
});
