import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from './memoryStore.ts';
import { reauthenticateSnapshots, verifySnapshot, snapshotSchemaVersion, snapshotMac } from './snapshot.ts';
import { type Store } from './store.ts';

const [former, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const streams = ['a', 'b', 'c'];

/** Three streams with snapshots: two have a MAC of the former key, and one has a MAC of a foreign key. */
async function saved(): Promise<Store> {
  const store = createMemoryStore();
  for (const [stream, key] of [
    ['a', former],
    ['b', other],
    ['c', former],
  ] as const) {
    await store.append({
      stream,
      after: 0,
      entries: [{ event: { type: 'Noted', v: 1, at: 1 }, postings: [], command: { id: stream } }],
    });
    const state = JSON.stringify({ stream });
    const hash = snapshotMac(state, (await store.heads()).get(stream)!.hash, key);
    await store.saveSnapshot(stream, { sequence: 1, version: snapshotSchemaVersion, state, hash });
  }
  return store;
}

/** Streams whose snapshots have a valid MAC that was made with `key`. */
async function hashWith(store: Store, key: Buffer): Promise<readonly string[]> {
  const found: string[] = [];
  for (const stream of await store.snapshots()) {
    if (await verifySnapshot(store, stream, (await store.snapshot(stream))!, key)) found.push(stream);
  }
  return found;
}

test('reauthenticateSnapshots authenticates snapshots with the next key and drops forged ones', async () => {
  const store = await saved();
  expect(await reauthenticateSnapshots(store, former, next)).toEqual(['b']);
  expect([await hashWith(store, next), await hashWith(store, former)]).toEqual([['a', 'c'], []]);
  expect(await store.snapshots()).toEqual(['a', 'c']);
  expect((await store.snapshot('c'))!.state).toBe('{"stream":"c"}');
});

test('reauthenticateSnapshots can be repeated after an interruption at any point', async () => {
  for (let writes = 0; writes < streams.length; writes++) {
    const store = await saved();
    let left = writes;
    const cut: Store = {
      ...store,
      saveSnapshot: async (...what) => {
        if (left-- === 0) throw new Error('The plug was pulled.');
        await store.saveSnapshot(...what);
      },
    };
    await expect(reauthenticateSnapshots(cut, former, next)).rejects.toThrow('The plug was pulled.');
    expect(await hashWith(store, next)).toHaveLength([0, 1, 1][writes]!);
    await reauthenticateSnapshots(store, former, next);
    expect(await hashWith(store, next)).toEqual(['a', 'c']);
    expect(await reauthenticateSnapshots(store, former, next)).toEqual([]);
  }
});

test('reauthenticateSnapshots drops a snapshot of an entry that does not exist', async () => {
  const store = await saved();
  await store.saveSnapshot('a', { ...(await store.snapshot('a'))!, sequence: 2 });
  expect(await reauthenticateSnapshots(store, former, next)).toEqual(['a', 'b']);
});

test.each([0, -1])(
  'reauthenticateSnapshots drops a snapshot from before the first entry (sequence %i)',
  async (sequence) => {
    const store = await saved();
    const { state } = (await store.snapshot('a'))!;
    const made = { sequence, version: snapshotSchemaVersion, state, hash: snapshotMac(state, '', former) };
    await store.saveSnapshot('a', made);
    expect(await verifySnapshot(store, 'a', made, former)).toBeUndefined();
    expect(await reauthenticateSnapshots(store, former, next)).toEqual(['a', 'b']);
  },
);
