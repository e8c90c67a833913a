import { expect, test } from 'vitest';
import { type Failures, SignInFailures } from './signInFailures.ts';

function counting() {
  const told: Failures[] = [];
  let due: (() => void) | undefined;
  const after = (time: number, run: () => void) => {
    expect(time).toBe(60_000);
    due = run;
    return () => void (due = undefined);
  };
  const failures = new SignInFailures({ after, tell: (failed) => told.push(failed) });
  return { failures, told, pass: () => due?.() };
}

test('the first secret in vain is told at once, further ones of the minute together, by code alone', () => {
  const { failures, told, pass } = counting();
  failures.refused('wrong-secret');
  expect(told).toEqual([{ 'wrong-secret': 1 }]);
  for (const code of ['wrong-secret', 'wrong-secret', 'sign-in-locked', 'too-many-tries']) failures.refused(code);
  expect(told).toHaveLength(1);
  pass();
  expect(told[1]).toEqual({ 'wrong-secret': 2, 'sign-in-locked': 1, 'too-many-tries': 1 });
  pass();
  failures.refused('wrong-code');
  expect(told.slice(2)).toEqual([{ 'wrong-code': 1 }]);
});

test('what is refused for another reason is no failure, and what is left is told in the end', () => {
  const { failures, told, pass } = counting();
  for (const code of ['not-your-post', 'bad-request', 'secret-due']) failures.refused(code);
  expect(told).toEqual([]);
  failures.refused('codes-locked');
  failures.refused('codes-locked');
  failures.close();
  expect(told).toEqual([{ 'codes-locked': 1 }, { 'codes-locked': 1 }]);
  pass();
  expect(told).toHaveLength(2);
});
