import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memoryStore.ts';
import { type AppendRequest } from '../store/store.ts';
import { DatabaseUnavailableError } from '../store/failures.ts';
import { createFencedStore } from './fencedStore.ts';

let commands = 0;
const batch = (stream: string, after: number): AppendRequest => ({
  stream,
  after,
  entries: [{ event: { type: 'Something', v: 1, at: 1 }, postings: [], command: { id: `c${commands++}` } }],
});

function made() {
  const right: { isSure: boolean; epoch: number | undefined } = { isSure: true, epoch: 3 };
  const plain = createMemoryStore();
  const store = createFencedStore(plain, 'table', { isCertain: () => right.isSure, epoch: () => right.epoch });
  return { right, plain, store };
}

test('fenced store appends to its stream with the fencing epoch, to others without', async () => {
  const { store, plain } = made();
  expect(await store.append(batch('table', 0))).toHaveProperty('entries');
  expect(await store.append(batch('terminal', 0))).toHaveProperty('entries');
  const heads = await plain.heads();
  expect([heads.get('table')?.epoch, heads.get('terminal')?.epoch]).toEqual([3, 0]);
});

test('fenced store refuses appends and blobs when the lease is uncertain, and other streams continue', async () => {
  const { store, right } = made();
  right.isSure = false;
  await expect(store.append(batch('table', 0))).rejects.toThrow(DatabaseUnavailableError);
  await expect(store.putBlob('shoe', new Uint8Array(1))).rejects.toThrow(DatabaseUnavailableError);
  await expect(store.saveSnapshot('table', undefined)).rejects.toThrow(DatabaseUnavailableError);
  await store.saveSnapshot('terminal', undefined);
  await store.putValue('kind', 'id', 'value');
  expect(await store.append(batch('terminal', 0))).toHaveProperty('entries');
  right.isSure = true;
  await store.putBlob('shoe', new Uint8Array(1));
  await store.saveSnapshot('table', undefined);
  expect(await store.append(batch('table', 0))).toHaveProperty('entries');
});

test('fenced store refuses with epoch-over when the lease is lost, even if the database does not answer', async () => {
  const { store, right, plain } = made();
  await store.append(batch('table', 0));
  right.epoch = undefined;
  right.isSure = false;
  expect(await store.append(batch('table', 1))).toEqual({ refused: 'epoch-over', epoch: 4 });
  expect((await plain.heads()).get('table')?.sequence).toBe(1);
});
