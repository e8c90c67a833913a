import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Progress, StalledError, resultOf, stallMs } from '../../bench/support/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reports in turn, each after a wait in milliseconds; then none. */
function reports(...waits: readonly (readonly [waitMs: number, report: Progress<string>])[]) {
  const left = [...waits];
  return (): Promise<Progress<string>> => {
    const next = left.shift();
    return new Promise((resolve) => next && setTimeout(() => resolve(next[1]), next[0]));
  };
}

const goal = { count: 4_000, of: 'terminals were seated' };

test('a task of a bench may take any time while it makes progress', async () => {
  const slow = Array.from({ length: 100 }, (_, n) => [stallMs - 1, { count: n + 1 }] as const);
  const result = resultOf(reports(...slow, [stallMs - 1, { result: 'all seated' }]), goal);
  await vi.advanceTimersByTimeAsync(101 * stallMs);
  expect(await result).toBe('all seated');
  expect(vi.getTimerCount()).toBe(0);
});

test('a task of a bench fails with its progress when it makes no further progress', async () => {
  const stalled = resultOf(reports([10, { count: 1_500 }]), goal);
  const failure = expect(stalled).rejects.toThrow(
    new StalledError('1,500 of 4,000 terminals were seated, and no more for 60 s; a quieter machine may do better.'),
  );
  await vi.advanceTimersByTimeAsync(10 + stallMs);
  await failure;
});
