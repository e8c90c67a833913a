import { Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';

/** A program that has opened a memory which others have open as well: nobody is taken over there, as in a database. */
export function openSharedMemory(memory: Memory): Store {
  memory.epoch += 1;
  const store = memoryStore(Object.assign(new Memory(), memory, { epoch: memory.epoch - 1 }));
  return { ...store, epoch: async () => memory.epoch };
}
