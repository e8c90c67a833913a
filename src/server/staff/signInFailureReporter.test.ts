import { expect, test } from 'vitest';
import { type SignInFailureCounts, SignInFailureReporter } from './signInFailureReporter.ts';

function counting() {
  const reported: SignInFailureCounts[] = [];
  let due: (() => void) | undefined;
  const after = (time: number, run: () => void) => {
    expect(time).toBe(60_000);
    due = run;
    return () => void (due = undefined);
  };
  const failures = new SignInFailureReporter({ after, report: (failed) => reported.push(failed) });
  return { failures, reported, pass: () => due?.() };
}

test('sign-in failures are reported at once, then together once a minute, by code only', () => {
  const { failures, reported, pass } = counting();
  failures.count('wrong-secret');
  expect(reported).toEqual([{ 'wrong-secret': 1 }]);
  for (const code of ['wrong-secret', 'wrong-secret', 'sign-in-locked', 'too-many-attempts']) failures.count(code);
  expect(reported).toHaveLength(1);
  pass();
  expect(reported[1]).toEqual({ 'wrong-secret': 2, 'sign-in-locked': 1, 'too-many-attempts': 1 });
  pass();
  failures.count('wrong-code');
  expect(reported.slice(2)).toEqual([{ 'wrong-code': 1 }]);
});

test('sign-in failures ignore other codes and report the rest on close', () => {
  const { failures, reported, pass } = counting();
  for (const code of ['not-your-role', 'bad-request', 'secret-due']) failures.count(code);
  expect(reported).toEqual([]);
  failures.count('codes-locked');
  failures.count('codes-locked');
  failures.close();
  expect(reported).toEqual([{ 'codes-locked': 1 }, { 'codes-locked': 1 }]);
  pass();
  expect(reported).toHaveLength(2);
});
