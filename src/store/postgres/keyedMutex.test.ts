import { expect, test } from 'vitest';
import { KeyedMutex } from './keyedMutex.ts';

test('the keyed mutex runs tasks with a common key in FIFO order and others concurrently', async () => {
  const turns = new KeyedMutex();
  const done: string[] = [];
  const gates = new Map<string, () => void>();
  const act = (name: string, keys: readonly string[]) =>
    turns.run(keys, async () => {
      await new Promise<void>((resolve) => gates.set(name, resolve));
      done.push(name);
      return name;
    });
  const all = [act('a', ['x', 'y']), act('b', ['y', 'z']), act('c', ['w']), act('d', ['z'])];
  const begun = (): readonly string[] => [...gates.keys()];
  expect(begun()).toEqual(['a', 'c']);
  gates.get('c')!();
  gates.get('a')!();
  await all[0];
  await new Promise(setImmediate);
  expect(begun()).toEqual(['a', 'c', 'b']);
  gates.get('b')!();
  await all[1];
  await new Promise(setImmediate);
  gates.get('d')!();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(done).toEqual(['c', 'a', 'b', 'd']);
  await turns.whenIdle();
});

test('the keyed mutex runs the next task after one has failed', async () => {
  const turns = new KeyedMutex();
  const failing = turns.run(['x'], () => Promise.reject(new Error('failed')));
  const next = turns.run(['x'], async () => 'next');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('next');
  await turns.whenIdle();
});
