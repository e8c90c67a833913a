import { expect, test } from 'vitest';
import { type Account } from '../../src/ledger/accounts.ts';
import { genesisHash, entryBodyOf, hashEntryBody } from '../../src/store/hashChain.ts';
import {
  type StoredCheckpoint,
  type NewEntry,
  type Store,
  type StoredEntry,
  WriterTakenOverError,
} from '../../src/store/store.ts';

export const external: Account = 'sg1/SGD/external/T7';
export const terminal: Account = 'sg1/SGD/terminal/T7';
const stakes: Account = 'sg1/SGD/stakes/B1';

/** First entry of a command, by default of a new one. */
export const entry = (at: number, postings: NewEntry['postings'] = [], id = `e${at}`): NewEntry => ({
  event: { type: 'Noted', v: 1, at, text: '庄 "quoted" \n' },
  postings,
  command: {
    id,
    hash: `sha256:${'1'.repeat(64)}`,
    request: { type: 'Note', actor: { system: 'test' }, same: ['text'] },
    context: { credit: 5 },
    decider: 'note@1',
  },
});

/** A further entry of a command. */
const more = (at: number, id: string): NewEntry => ({ ...entry(at), command: { id } });

export const load = (amount: number): NewEntry['postings'] => [{ from: external, to: terminal, amount }];
const stake = (amount: number): NewEntry['postings'] => [{ from: terminal, to: stakes, amount }];

async function all(store: Store, stream: string, after?: number): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entries of store.read(stream, after)) found.push(...entries);
  return found;
}

const checkpoint = (number: number): StoredCheckpoint => ({ number, text: `{"n":${number}}`, signature: `s${number}` });

async function checkpoints(store: Store, after?: number): Promise<readonly StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = [];
  for await (const chunk of store.checkpoints(after)) found.push(...chunk);
  return found;
}

/** How to open a store. */
export type StoreOpener = {
  /** Opens an empty store. */
  readonly open: () => Promise<Store>;
  /** Opens the same event store again, after it was closed. */
  readonly reopen: (store: Store) => Promise<Store>;
};

/** Contract of every event store. */
export function storeContract(name: string, { open, reopen }: StoreOpener): void {
  test(`${name}: a stream holds its entries in order, chained by hash`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: [entry(1), entry(2)] });
    await store.append({ stream: 'b', after: 0, entries: [entry(3)] });
    const appended = await store.append({ stream: 'a', after: 2, entries: [entry(4, load(5), 'a "quoted" id')] });
    const entries = await all(store, 'a');
    expect(entries.map(({ sequence, at }) => [sequence, at])).toEqual([
      [1, 1],
      [2, 2],
      [3, 4],
    ]);
    expect(appended).toEqual({ entries: entries.slice(2) });
    let previous = genesisHash;
    for (const one of entries) {
      expect(one.previous).toBe(previous);
      expect(one.hash).toBe(hashEntryBody(entryBodyOf(one)));
      previous = one.hash;
    }
    expect(entries[0]!.event).toEqual(entry(1).event);
    expect(entries[0]!.command).toEqual(entry(1).command);
    expect(await all(store, 'a', 2)).toEqual(entries.slice(2));
    const ones: number[] = [];
    for await (const chunk of store.read('a', 1, 1)) ones.push(chunk.length);
    expect(ones).toEqual([1, 1]);
    expect(await all(store, 'none')).toEqual([]);
    expect(await store.streams()).toEqual(['a', 'b']);
    const heads = await store.heads();
    expect([...heads.keys()].toSorted()).toEqual(['a', 'b']);
    expect(heads.get('a')).toEqual({ sequence: 3, hash: previous, epoch: 0 });
    await store.close();
  });

  test(`${name}: an append is refused and writes nothing when its expected sequence is not the last`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: [entry(1)] });
    expect(await store.append({ stream: 'a', after: 0, entries: [entry(2, load(5))] })).toEqual({
      refused: 'stream-moved',
      at: 1,
    });
    expect(await store.append({ stream: 'a', after: 7, entries: [entry(2)] })).toEqual({
      refused: 'stream-moved',
      at: 1,
    });
    expect(await all(store, 'a')).toHaveLength(1);
    expect(await store.balance(terminal)).toEqual({ amount: 0, version: 0 });
    await store.close();
  });

  test(`${name}: a posting changes balances and holds them before and after`, async () => {
    const store = await open();
    await store.append({
      stream: 'a',
      after: 0,
      entries: [entry(1, load(500)), entry(2, [...stake(200), ...stake(100)])],
    });
    const [, second] = await all(store, 'a');
    expect(second!.postings).toEqual([
      {
        from: terminal,
        to: stakes,
        amount: 200,
        fromBefore: 500,
        fromAfter: 300,
        fromVersion: 2,
        toBefore: 0,
        toAfter: 200,
        toVersion: 1,
      },
      {
        from: terminal,
        to: stakes,
        amount: 100,
        fromBefore: 300,
        fromAfter: 200,
        fromVersion: 3,
        toBefore: 200,
        toAfter: 300,
        toVersion: 2,
      },
    ]);
    expect(await store.balance(terminal)).toEqual({ amount: 200, version: 3 });
    expect(await store.balances()).toEqual(
      new Map([
        [external, { amount: -500, version: 1 }],
        [terminal, { amount: 200, version: 3 }],
        [stakes, { amount: 300, version: 2 }],
      ]),
    );
    await store.close();
  });

  test(`${name}: an append is refused with its entry and writes nothing when a guarded balance would be negative`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: [entry(1, load(500))] });
    const refused = await store.append({
      stream: 'a',
      after: 1,
      entries: [entry(2, stake(300)), entry(3, stake(300))],
    });
    expect(refused).toEqual({ refused: 'balance-guard', account: terminal, entry: 1 });
    expect(await store.balance(terminal)).toMatchObject({ amount: 500 });
    expect(await all(store, 'a')).toHaveLength(1);
    expect(await store.append({ stream: 'a', after: 1, entries: [entry(2, stake(300))] })).toHaveProperty('entries');
    await store.close();
  });

  test(`${name}: an append is refused and writes nothing when a balance would exceed a safe integer`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: [entry(1, load(Number.MAX_SAFE_INTEGER))] });
    const refused = await store.append({ stream: 'a', after: 1, entries: [entry(2, stake(5)), entry(3, load(1))] });
    expect(refused).toMatchObject({ refused: 'balance-range', entry: 1 });
    expect(await all(store, 'a')).toHaveLength(1);
    await store.close();
  });

  test(`${name}: a command id is stored once`, async () => {
    const store = await open();
    await store.append({
      stream: 'a',
      after: 0,
      entries: [entry(1, [], 'c1'), more(2, 'c1'), entry(3, [], 'c2')],
    });
    expect([...(await store.findCommands(['c9', 'c1']))]).toEqual([['c1', { stream: 'a', sequence: 1 }]]);
    expect(await store.findCommands([])).toEqual(new Map());
    const again = await store.append({ stream: 'b', after: 0, entries: [entry(4), entry(5, [], 'c2')] });
    expect(again).toEqual({ refused: 'command-known', entry: 1, command: 'c2' });
    expect(await all(store, 'b')).toEqual([]);
    await store.close();
  });

  test(`${name}: the entries of a command are contiguous`, async () => {
    const store = await open();
    const apart = await store.append({
      stream: 'a',
      after: 0,
      entries: [entry(1, [], 'c1'), entry(2, [], 'c2'), more(3, 'c1')],
    });
    expect(apart).toEqual({ refused: 'command-known', entry: 2, command: 'c1' });
    expect(await store.streams()).toEqual([]);
    await store.close();
  });

  test(`${name}: a refused append does not affect concurrent ones`, async () => {
    const store = await open();
    const [one, two, three] = await Promise.all([
      store.append({ stream: 'a', after: 0, entries: [entry(1, load(5), 'c1')] }),
      store.append({ stream: 'b', after: 0, entries: [entry(2, load(Number.MAX_SAFE_INTEGER), 'c2')] }),
      store.append({ stream: 'c', after: 0, entries: [entry(3, load(5), 'c3')] }),
    ]);
    expect(['entries' in one, 'entries' in three]).toEqual([true, true]);
    expect(two).toMatchObject({ refused: 'balance-range' });
    expect(await store.streams()).toEqual(['a', 'c']);
    expect(await store.balance(terminal)).toEqual({ amount: 10, version: 2 });
    await store.close();
  });

  test(`${name}: concurrent appends to many streams all succeed`, async () => {
    const store = await open();
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        store.append({ stream: `s${n % 3}`, after: Math.floor(n / 3), entries: [entry(n, load(1), `c${n}`)] }),
      ),
    );
    expect(results.every((result) => 'entries' in result)).toBe(true);
    expect(await store.balance(terminal)).toEqual({ amount: 300, version: 300 });
    await store.close();
  });

  test(`${name}: an append of an earlier epoch is fenced`, async () => {
    const store = await open();
    const append = (at: number, epoch?: number) =>
      store.append({
        stream: 'a',
        after: at - 1,
        entries: [entry(at, load(1))],
        ...(epoch !== undefined && { epoch }),
      });
    expect(await append(1, 3)).toHaveProperty('entries');
    expect(await append(2, 2)).toEqual({ refused: 'epoch-over', epoch: 3 });
    expect(await append(2, 3)).toHaveProperty('entries');
    expect(await append(3, 4)).toHaveProperty('entries');
    expect(await append(4, 3)).toEqual({ refused: 'epoch-over', epoch: 4 });
    // An ended epoch stays ended, even after other appends.
    expect(await append(2, 3)).toEqual({ refused: 'epoch-over', epoch: 4 });
    // Without an epoch the append is in the current one.
    expect(await append(4)).toHaveProperty('entries');
    expect(await store.append({ stream: 'b', after: 0, entries: [entry(9)] })).toHaveProperty('entries');
    const again = await reopen(store);
    const heads = await again.heads();
    expect([heads.get('a')?.epoch, heads.get('b')?.epoch]).toEqual([4, 0]);
    expect(await all(again, 'a')).toHaveLength(4);
    expect(await again.balance(terminal)).toEqual({ amount: 4, version: 4 });
    const late = await again.append({ stream: 'a', after: 4, epoch: 3, entries: [entry(5)] });
    expect(late).toEqual({ refused: 'epoch-over', epoch: 4 });
    await again.close();
  });

  test(`${name}: checkpoints are stored in order and only the next number is accepted`, async () => {
    const store = await open();
    expect(await checkpoints(store)).toEqual([]);
    await expect(store.saveCheckpoint(checkpoint(2))).rejects.toThrow('a checkpoint has the next number');
    await store.saveCheckpoint(checkpoint(1));
    for (const number of [1, 3, 0]) {
      await expect(store.saveCheckpoint({ ...checkpoint(number), text: 'other' })).rejects.toThrow('the next number');
    }
    await Promise.all(Array.from({ length: 1_100 }, (_, n) => store.saveCheckpoint(checkpoint(n + 2))));
    const again = await reopen(store);
    expect(await checkpoints(again)).toEqual(Array.from({ length: 1_101 }, (_, n) => checkpoint(n + 1)));
    expect(await checkpoints(again, 1_100)).toEqual([checkpoint(1_101)]);
    expect(await checkpoints(again, 1_101)).toEqual([]);
    await again.saveCheckpoint(checkpoint(1_102));
    await again.close();
  });

  test(`${name}: a writer begins an epoch with its first write and a reader begins none`, async () => {
    const store = await open();
    expect([store.writerEpoch, await store.epoch()]).toEqual([1, 0]);
    await store.recordHeartbeats(['a'], 1);
    expect(await store.epoch()).toBe(1);
    const reader = await reopen(store);
    expect([reader.writerEpoch, await reader.epoch()]).toEqual([2, 1]);
    const again = await reopen(reader);
    await again.recordHeartbeats(['a'], 2);
    await again.recordHeartbeats(['a'], 3);
    expect([again.writerEpoch, await again.epoch()]).toEqual([2, 2]);
    await again.close();
  });

  test(`${name}: findBySubject finds entries of all streams, newest first`, async () => {
    const store = await open();
    const happened = (at: number, event: object): NewEntry => ({
      ...entry(at),
      event: { v: 1, at, ...event } as never,
    });
    const slip = (at: number, session: string, round: string): NewEntry =>
      happened(at, { type: 'SlipSet', terminal: session, round });
    const dealt = (at: number, round: string): NewEntry => happened(at, { type: 'CardDealt', round });
    await store.append({
      stream: 'a',
      after: 0,
      entries: [slip(1, 'T1.1', 'r1'), slip(2, 'T2.1', 'r1'), dealt(3, 'r1')],
    });
    await store.append({ stream: 'b', after: 0, entries: [slip(4, 'T1.1', 'r2'), entry(5), dealt(6, 'r2')] });
    await store.append({ stream: 'a', after: 3, entries: [dealt(7, 'r1'), slip(8, 'T1.1', 'r3')] });
    const again = await reopen(store);
    const about = async (...what: Parameters<Store['findBySubject']>) =>
      (await again.findBySubject(...what)).map(({ at }) => at);
    expect(await about('T1.1')).toEqual([8, 4, 1]);
    expect(await about('r1')).toEqual([7, 3]);
    expect(await about('T3.1')).toEqual([]);
    expect(await about('T1.1', { maxEntries: 2 })).toEqual([8, 4]);
    expect(await about('T1.1', { maxEntries: 1, before: { stream: 'b', sequence: 1 } })).toEqual([1]);
    expect(await about('T1.1', { before: { stream: 'a', sequence: 1 } })).toEqual([]);
    expect(await about('T1.1', { after: { stream: 'a', sequence: 1 } })).toEqual([4, 8]);
    expect(await about('T1.1', { after: { stream: 'a', sequence: 1 }, maxEntries: 1 })).toEqual([4]);
    expect(await about('T1.1', { after: { stream: 'a', sequence: 5 } })).toEqual([]);
    expect(await about('T1.1', { after: { stream: 'a', sequence: 3 } })).toEqual([]);
    // The position of an entry about another subject does not count.
    expect(await about('T1.1', { before: { stream: 'a', sequence: 3 } })).toEqual([]);
    expect((await again.findBySubject('T2.1'))[0]).toEqual((await all(again, 'a'))[1]);
    await again.close();
  });

  test(`${name}: a long stream is read in pages`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: Array.from({ length: 2500 }, (_, n) => entry(n)) });
    let chunkCount = 0;
    for await (const entries of store.read('a')) chunkCount += entries.length > 0 ? 1 : 0;
    expect(chunkCount).toBe(3);
    expect((await all(store, 'a', 2400)).map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, n) => 2400 + n));
    await store.close();
  });
}

/** Contract of a store with a single writer; the same event store is opened again while it is open. */
export function singleWriterContract(
  name: string,
  { open, takeOver }: Pick<StoreOpener, 'open'> & { readonly takeOver: (store: Store) => Promise<Store> },
): void {
  test(`${name}: a writer is fenced once another has opened the store`, async () => {
    const store = await open();
    await store.append({ stream: 'a', after: 0, entries: [entry(1, load(5))] });
    const other = await takeOver(store);
    await other.putValue('others', 'p2', 'second');
    expect([store.writerEpoch, other.writerEpoch, await store.epoch()]).toEqual([1, 2, 2]);
    const refused = await Promise.allSettled([
      store.append({ stream: 'a', after: 1, entries: [entry(2, load(5))] }),
      store.saveSnapshot('a', { sequence: 1, version: 2, state: '{}', hash: 'h' }),
      store.putBlob('x', Uint8Array.of(1)),
      store.recordHeartbeats(['a'], 9),
      store.putValue('names', 'p1', 'first'),
      store.putValueIfAbsent('names', 'p1', 'first'),
      store.saveCheckpoint(checkpoint(1)),
    ]);
    for (const one of refused) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(WriterTakenOverError) });
    }
    expect(await all(other, 'a')).toHaveLength(1);
    expect([await other.heartbeats(), await other.blobIds(), await other.snapshots()]).toEqual([new Map(), [], []]);
    expect([await other.listValues('names'), await checkpoints(other)]).toEqual([new Map(), []]);
    expect(await other.append({ stream: 'a', after: 1, entries: [entry(3, load(2))] })).toHaveProperty('entries');
    // A store that was taken over can still read and close.
    expect(await all(store, 'a')).toHaveLength(2);
    await store.close();
    await other.recordHeartbeats(['a'], 10);
    await other.close();
  });
}
