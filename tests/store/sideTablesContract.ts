import { expect, test } from 'vitest';
import { type StoreOpener } from './storeContract.ts';

/** Contract of every store for data that are no entries: snapshots, blobs, heartbeats and the key-value table. */
export function sideTablesContract(name: string, { open, reopen }: StoreOpener): void {
  test(`${name}: snapshots, blobs and heartbeats are stored`, async () => {
    const store = await open();
    expect([await store.snapshot('a'), await store.blob('x'), await store.heartbeats()]).toEqual([
      undefined,
      undefined,
      new Map(),
    ]);
    await store.saveSnapshot('a', { sequence: 5, version: 2, state: '{}', hash: 'h5' });
    await store.saveSnapshot('a', { sequence: 9, version: 3, state: '{"x":1}', hash: 'h9' });
    await store.putBlob('x', Uint8Array.of(1, 2, 255));
    await store.recordHeartbeats(['a', 'b'], 7);
    await store.recordHeartbeats(['b'], 8);
    const reopened = await reopen(store);
    expect(await reopened.snapshots()).toEqual(['a']);
    expect(await reopened.snapshot('a')).toEqual({ sequence: 9, version: 3, state: '{"x":1}', hash: 'h9' });
    await reopened.saveSnapshot('a', undefined);
    expect([await reopened.snapshots(), await reopened.snapshot('a')]).toEqual([[], undefined]);
    expect(await reopened.blob('x')).toEqual(Uint8Array.of(1, 2, 255));
    expect(await reopened.heartbeats()).toEqual(
      new Map([
        ['a', 7],
        ['b', 8],
      ]),
    );
    await reopened.close();
  });

  test(`${name}: heartbeats and blob ids are listed`, async () => {
    const store = await open();
    expect([await store.heartbeats(), await store.blobIds()]).toEqual([new Map(), []]);
    await store.recordHeartbeats(['b', 'a'], 7);
    await store.recordHeartbeats(['a'], 8);
    await store.putBlob('y', Uint8Array.of(1));
    await store.putBlob('x', Uint8Array.of(2));
    const reopened = await reopen(store);
    expect(await reopened.heartbeats()).toEqual(
      new Map([
        ['a', 8],
        ['b', 7],
      ]),
    );
    expect(await reopened.blobIds()).toEqual(['x', 'y']);
    await reopened.close();
  });

  test(`${name}: the key-value table puts, replaces and deletes values`, async () => {
    const store = await open();
    expect(await store.listValues('names')).toEqual(new Map());
    await store.putValue('names', 'p1', 'first');
    await store.putValue('names', 'p2', 'second');
    await store.putValue('names', 'p1', 'other');
    await store.putValue('bindings', 'p1', 'T1');
    await store.putValue('names', 'p2', undefined);
    await store.putValue('names', 'p3', undefined);
    const reopened = await reopen(store);
    expect(await reopened.listValues('names')).toEqual(new Map([['p1', 'other']]));
    expect(await reopened.listValues('bindings')).toEqual(new Map([['p1', 'T1']]));
    await reopened.close();
  });

  test(`${name}: the key-value table lists values by ids`, async () => {
    const store = await open();
    for (const id of ['p1', 'p2', 'p "3"']) await store.putValue('names', id, `name of ${id}`);
    await store.putValue('bindings', 'p2', 'T2');
    expect(await store.listValues('names', ['p2', 'p "3"', 'p4', 'p2'])).toEqual(
      new Map([
        ['p2', 'name of p2'],
        ['p "3"', 'name of p "3"'],
      ]),
    );
    expect([await store.listValues('names', []), await store.listValues('others', ['p2'])]).toEqual([
      new Map(),
      new Map(),
    ]);
    await store.close();
  });

  test(`${name}: putValueIfAbsent keeps the first value and returns it to all claimants`, async () => {
    const store = await open();
    const claims = await Promise.all(
      ['T1', 'T2', 'T3'].map((value) => store.putValueIfAbsent('bindings', 'p1', value)),
    );
    expect(claims).toEqual(Array.from({ length: 3 }, () => claims[0]));
    expect(await store.listValues('bindings')).toEqual(new Map([['p1', claims[0]]]));
    expect(await store.putValueIfAbsent('names', 'p1', 'another kind')).toBe('another kind');
    await store.putValue('bindings', 'p1', 'put');
    expect(await store.putValueIfAbsent('bindings', 'p1', 'late')).toBe('put');
    await store.putValue('bindings', 'p1', undefined);
    const reopened = await reopen(store);
    expect(await reopened.putValueIfAbsent('bindings', 'p1', 'next')).toBe('next');
    expect(await reopened.listValues('bindings', ['p1'])).toEqual(new Map([['p1', 'next']]));
    await reopened.close();
  });
}
