import { describe, expect, onTestFinished, test } from 'vitest';
import { type Account } from '../../../src/ledger/accounts.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgresStore.ts';
import { type AppendRequest, type AppendResult, DamagedStoreError, type Store } from '../../../src/store/store.ts';
import { entry, external, load, terminal } from '../storeContract.ts';
import { databases, server } from './databases.ts';
import { withClient } from './postgres.ts';
import { proxyTo } from './proxy.ts';

const isAppended = (appended: AppendResult): boolean => 'entries' in appended;

/** Reads all streams; the reader checks every entry against its hash and the one before. */
async function lengths(store: Store): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const stream of await store.streams()) {
    let count = 0;
    for await (const entries of store.read(stream)) count += entries.length;
    found.set(stream, count);
  }
  return found;
}

describe('several nodes on one database', () => {
  const { createDatabase, open } = databases('nodes');
  const pair = async (): Promise<readonly [Store, Store, string]> => {
    const database = await createDatabase();
    return [await open(database), await open(database), database];
  };

  test('nodes that open an empty database at once create it once and get different epochs', async () => {
    const database = await createDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => open(database)));
    expect(new Set(stores.map(({ writerEpoch: epoch }) => epoch))).toEqual(new Set([1, 2, 3, 4, 5]));
    await Promise.all(stores.map((store) => store.recordHeartbeats([`node ${store.writerEpoch}`], store.writerEpoch)));
    expect(await stores[0]!.heartbeats()).toEqual(new Map([1, 2, 3, 4, 5].map((epoch) => [`node ${epoch}`, epoch])));
    expect(await stores[0]!.epoch()).toBe(5);
  });

  test('one of two appends with the same expected sequence is refused with the last one', async () => {
    const [one, other] = await pair();
    for (let after = 0; after < 30; after++) {
      const results = await Promise.all(
        [one, other].map((store, node) =>
          store.append({ stream: 'a', after, entries: [entry(after, load(1), `c${after}.${node}`)] }),
        ),
      );
      expect(results.filter(isAppended)).toHaveLength(1);
      expect(results.filter((result) => !isAppended(result))).toEqual([{ refused: 'stream-moved', at: after + 1 }]);
    }
    expect(await lengths(one)).toEqual(new Map([['a', 30]]));
    expect(await other.balance(terminal)).toEqual({ amount: 30, version: 30 });
  });

  test('an append with a current cache takes one round trip', async () => {
    const database = await createDatabase();
    const proxy = await proxyTo(Number(new URL(server).port));
    const near = await openPostgresStore(`postgres://punto@127.0.0.1:${proxy.port}/${database}`);
    const other = await open(database);
    onTestFinished(async () => {
      await near.close();
      await proxy.close();
    });
    const trips = async (stream: string, after: number, count = 1): Promise<number> => {
      const before = proxy.counts.trips;
      const entries = Array.from({ length: count }, (_, n) => entry(after, load(5), `${stream}.${after + n}`));
      expect(await near.append({ stream, after, entries })).toHaveProperty('entries');
      return proxy.counts.trips - before;
    };
    await trips('a', 0);
    expect([await trips('a', 1), await trips('a', 2, 50), await trips('a', 52), await trips('b', 0)]).toEqual([
      1, 1, 1, 1,
    ]);
    // When another node has changed an account, the reply brings its balance, and the next try appends.
    await other.append({ stream: 'c', after: 0, entries: [entry(1, load(5), 'c.0')] });
    expect([await trips('a', 53), await trips('a', 54)]).toEqual([2, 1]);
    // A stream that is not in the cache is read first.
    expect([await trips('c', 1), await trips('c', 2)]).toEqual([2, 1]);
  });

  test('putValueIfAbsent gives two claimants the same owner', async () => {
    const [one, other] = await pair();
    for (let turn = 0; turn < 30; turn++) {
      const claim = (store: Store): Promise<string> =>
        store.putValueIfAbsent('bindings', `p${turn}`, `of ${store.writerEpoch}`);
      const [first, second] = await Promise.all([claim(one), claim(other)]);
      expect(first).toBe(second);
      expect(await other.listValues('bindings', [`p${turn}`])).toEqual(new Map([[`p${turn}`, first]]));
    }
  });

  test('debits of one account from many streams on two nodes never make it negative', async () => {
    const [one, other] = await pair();
    await one.append({ stream: 'load', after: 0, entries: [entry(0, load(100))] });
    const take = async (store: Store, stream: string): Promise<number> => {
      for (let after = 0; ; after++) {
        const stakes: Account = `sg1/SGD/stakes/${stream}`;
        const postings = [{ from: terminal, to: stakes, amount: 3 }];
        const result = await store.append({ stream, after, entries: [entry(1, postings, `${stream}.${after}`)] });
        if (isAppended(result)) continue;
        expect(result).toEqual({ refused: 'balance-guard', account: terminal, entry: 0 });
        return after;
      }
    };
    const taken = await Promise.all([
      ...['a', 'b', 'c'].map((stream) => take(one, stream)),
      ...['d', 'e', 'f'].map((stream) => take(other, stream)),
    ]);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(33);
    expect(await one.balance(terminal)).toEqual({ amount: 1, version: 34 });
    let sum = 0;
    for (const { amount } of (await other.balances()).values()) sum += amount;
    expect(sum).toBe(0);
    await lengths(other);
  });

  test('two nodes that first post to one account at once both succeed', async () => {
    const [one, other] = await pair();
    for (let round = 0; round < 20; round++) {
      const to: Account = `sg1/SGD/terminal/N${round}`;
      const results = await Promise.all(
        [one, other].map((store, node) =>
          store.append({
            stream: `s${round}.${node}`,
            after: 0,
            entries: [entry(1, [{ from: external, to, amount: 5 }], `n${round}.${node}`)],
          }),
        ),
      );
      expect(results.every(isAppended)).toBe(true);
      expect(await one.balance(to)).toEqual({ amount: 10, version: 2 });
    }
    expect(await one.balance(external)).toEqual({ amount: -200, version: 40 });
  });

  test('a command sent to two streams at once is stored once', async () => {
    const [one, other] = await pair();
    const ids = Array.from({ length: 20 }, (_, round) => `both ${round}`);
    const sequences = [0, 0];
    for (const id of ids) {
      const results = await Promise.all(
        [one, other].map((store, node) =>
          store.append({ stream: `s${node}`, after: sequences[node]!, entries: [entry(1, load(1), id)] }),
        ),
      );
      const winner = results.findIndex(isAppended);
      expect(results[1 - winner]).toEqual({ refused: 'command-known', command: id, entry: 0 });
      sequences[winner]! += 1;
    }
    expect((await other.findCommands(ids)).size).toBe(ids.length);
  });

  test('a later epoch fences the former leader even when the stream has not moved', async () => {
    const [one, other] = await pair();
    const append = (store: Store, after: number, epoch?: number) =>
      store.append({
        stream: 'a',
        after,
        entries: [entry(after, load(1), `c${after}.${epoch}`)],
        ...(epoch !== undefined && { epoch }),
      });
    await append(one, 0, 1);
    expect(await append(other, 1, 2)).toHaveProperty('entries');
    expect(await append(one, 1, 1)).toEqual({ refused: 'epoch-over', epoch: 2 });
    expect(await append(one, 2, 1)).toEqual({ refused: 'epoch-over', epoch: 2 });
    // Without an epoch the append is in the current one.
    expect(await append(one, 2)).toHaveProperty('entries');
    expect((await other.heads()).get('a')).toMatchObject({ sequence: 3, epoch: 2 });
  });

  test('concurrent appends of two nodes to shared accounts all succeed', async () => {
    const [one, other] = await pair();
    const accounts = Array.from({ length: 6 }, (_, n): Account => `sg1/SGD/house/H${n}`);
    const appendTo = async (store: Store, stream: string, turn: number): Promise<void> => {
      for (let after = 0; after < 25; after++) {
        const order = accounts.map((_, index) => accounts[(index * turn + after) % accounts.length]!);
        const postings = [1, 2, 3].map((n) => ({ from: order[n]!, to: order[n - 1]!, amount: n }));
        const batch: AppendRequest = { stream, after, entries: [entry(after, postings, `${stream}.${after}`)] };
        expect(await store.append(batch)).toHaveProperty('entries');
      }
    };
    await Promise.all([
      ...[1, 5].map((turn) => appendTo(one, `one${turn}`, turn)),
      ...[1, 5].map((turn) => appendTo(other, `other${turn}`, turn)),
    ]);
    const all = [...(await one.balances()).values()];
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    expect(all.reduce((sum, { version }) => sum + version, 0)).toBe(4 * 25 * 6);
    expect([...(await lengths(other)).values()]).toEqual([25, 25, 25, 25]);
  });

  test('a number outside the safe integers is refused by every reader', async () => {
    const [one, other, database] = await pair();
    await one.append({ stream: 'a', after: 0, entries: [entry(1, load(5))] });
    await withClient(server, database, (client) =>
      client.query("UPDATE balances SET amount = 9007199254740993, version = 7 WHERE account LIKE '%terminal%'"),
    );
    const tooLarge = 'The database table balances contains a number that is too large to be exact.';
    await expect(other.balance(terminal)).rejects.toThrow(tooLarge);
    await expect(other.balances()).rejects.toThrow(DamagedStoreError);
    await expect(one.append({ stream: 'a', after: 1, entries: [entry(2, load(5))] })).rejects.toThrow(
      DamagedStoreError,
    );
    expect((await one.heads()).get('a')?.sequence).toBe(1);
  });

  test('the database has a check constraint for guarded balances', async () => {
    const [one, other, database] = await pair();
    await one.append({ stream: 'a', after: 0, entries: [entry(1, load(5))] });
    const set = (kind: string): Promise<unknown> =>
      withClient(server, database, (client) =>
        client.query(`UPDATE balances SET amount = -1 WHERE account LIKE '%${kind}%'`),
      );
    await expect(set('terminal')).rejects.toThrow(/balances_check/);
    await expect(set('external')).resolves.toBeDefined();
    await withClient(server, database, (client) =>
      client.query("UPDATE balances SET guarded = 1, amount = 9 WHERE account LIKE '%external%'"),
    );
    await expect(other.balances()).rejects.toThrow('against a negative balance is stored as 1, but must be 0.');
  });

  test('a read throws when an entry was changed in the database', async () => {
    const [one, other, database] = await pair();
    await one.append({ stream: 'a', after: 0, entries: [entry(1), entry(2), entry(3)] });
    await withClient(server, database, (client) =>
      client.query(`UPDATE entries SET body = replace(body, '"at":2', '"at":9') WHERE sequence = 2`),
    );
    await expect(lengths(other)).rejects.toThrow('Entry 2 of a does not match its hash.');
    await withClient(server, database, (client) => client.query('DELETE FROM entries WHERE sequence = 2'));
    await expect(lengths(other)).rejects.toThrow('Entry 2 of a is missing.');
  });
});
