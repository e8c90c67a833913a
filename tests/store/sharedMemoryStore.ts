import { MemoryStoreContents, createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';

/** Store of one of several processes on the same memory: none of them is taken over, as with PostgreSQL. */
export function openSharedMemory(memory: MemoryStoreContents): Store {
  memory.epoch += 1;
  const store = createMemoryStore(Object.assign(new MemoryStoreContents(), memory, { epoch: memory.epoch - 1 }));
  return { ...store, epoch: async () => memory.epoch };
}
