import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../store/memoryStore.ts';
import { StoreOperationTracker } from './storeOperationTracker.ts';

test('store activity is idle when the tasks of all operations have ended, also after a failed operation', async () => {
  const activity = new StoreOperationTracker();
  const gate = Promise.withResolvers<void>();
  const memory = createMemoryStore();
  const store = activity.track({
    ...memory,
    heads: async () => {
      await gate.promise;
      throw new Error('The database does not answer.');
    },
  });
  await activity.untilIdle();
  const steps: string[] = [];
  const task = async (): Promise<void> => {
    await store.heads().catch(() => steps.push('failed'));
    await setImmediate();
    for await (const _ of store.checkpoints()) steps.push('read a page');
    await store.putValue('kind', 'id', 'value');
    steps.push('wrote');
  };
  void task();
  const idle = activity.untilIdle().then(() => steps.push('idle'));
  await setImmediate();
  gate.resolve();
  await idle;
  expect(steps).toEqual(['failed', 'wrote', 'idle']);
  expect(await memory.listValues('kind')).toEqual(new Map([['id', 'value']]));
  expect(store.writerEpoch).toBe(memory.writerEpoch);
});

test('store activity ends a read when its reader stops early', async () => {
  const activity = new StoreOperationTracker();
  let isEnded = false;
  const store = activity.track({
    ...createMemoryStore(),
    read: async function* () {
      try {
        for (;;) yield [];
      } finally {
        isEnded = true;
      }
    },
  });
  for await (const _ of store.read('stream')) {
    // No operation is in flight while the reader keeps a page and reads no further.
    await activity.untilIdle();
    break;
  }
  expect(isEnded).toBe(true);
});
