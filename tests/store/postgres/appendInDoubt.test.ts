import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/postgresStore.ts';
import { type AppendRequest, WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { DatabaseUnavailableError } from '../../../src/store/failures.ts';
import { entry, load, terminal } from '../storeContract.ts';
import { databases, server } from './databases.ts';
import { withClient } from './postgres.ts';
import { proxyTo } from './proxy.ts';

const batch = (after: number, id = `c${after}`): AppendRequest => ({
  stream: 'a',
  after,
  entries: [entry(after, load(5), id)],
});

async function ids(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const entries of store.read('a')) found.push(...entries.map(({ command }) => command.id));
  return found;
}

describe('an append in doubt', () => {
  const { createDatabase, open } = databases('doubt');

  /** A store behind a proxy with faults, and one with a direct connection. */
  async function openDisturbed(timeoutMs = 5_000) {
    const database = await createDatabase();
    // It creates the tables too, which may take a busy machine longer than the store in doubt waits.
    const other = await open(database);
    const proxy = await proxyTo(Number(new URL(server).port));
    const store = await openPostgresStore(`postgres://punto@127.0.0.1:${proxy.port}/${database}`, { timeoutMs });
    onTestFinished(async () => {
      proxy.set('through');
      await store.close();
      await proxy.close();
    });
    await store.append(batch(0));
    return { database, proxy, store, other };
  }

  test('is found when it was committed, once the database is back', async () => {
    const { proxy, store, other } = await openDisturbed();
    proxy.set('lose answer');
    const result = store.append(batch(1));
    await vi.waitFor(() => expect(proxy.method).toBe('shut'), { timeout: 300_000 });
    await vi.waitFor(async () => expect(await ids(other)).toEqual(['c0', 'c1']), { timeout: 300_000 });
    proxy.set('through');
    expect(await result).toMatchObject({ entries: [{ sequence: 2, command: { id: 'c1' } }] });
    expect(await store.append(batch(2))).toHaveProperty('entries');
    expect(await ids(other)).toEqual(['c0', 'c1', 'c2']);
    expect(await other.balance(terminal)).toEqual({ amount: 15, version: 3 });
  });

  test('is written when it was not committed, once the database is back', async () => {
    const { proxy, store, other } = await openDisturbed();
    proxy.set('lose question');
    const result = store.append(batch(1));
    await vi.waitFor(() => expect(proxy.method).toBe('shut'), { timeout: 300_000 });
    await setTimeout(100);
    expect(await ids(other)).toEqual(['c0']);
    proxy.set('through');
    expect(await result).toMatchObject({ entries: [{ sequence: 2 }] });
    expect(await ids(other)).toEqual(['c0', 'c1']);
  });

  test.each(['lose answer', 'lose question'] as const)(
    'is unknown while the database is away (%s), and the next read resolves it',
    async (mode) => {
      const { proxy, store, other } = await openDisturbed(800);
      proxy.set(mode);
      await expect(store.append(batch(1))).rejects.toThrow(WriteResultUnknownError);
      // A read of the stream, account or command does not know it either.
      const requests = [ids(store), store.balance(terminal), store.findCommands(['c1']), store.append(batch(1))];
      for (const one of await Promise.allSettled(requests)) {
        expect(one).toMatchObject({ status: 'rejected', reason: expect.any(WriteResultUnknownError) });
      }
      // Other data is not in doubt; the database is away.
      await expect(store.findCommands(['c0'])).rejects.toThrow(DatabaseUnavailableError);
      proxy.set('through');
      expect(await ids(store)).toEqual(['c0', 'c1']);
      expect(await store.balance(terminal)).toEqual({ amount: 10, version: 2 });
      expect([...(await store.findCommands(['c1'])).keys()]).toEqual(['c1']);
      expect(await store.append(batch(1, 'again'))).toEqual({ refused: 'stream-moved', at: 2 });
      expect(await other.append(batch(2))).toHaveProperty('entries');
    },
  );

  test('is never committed after another writer has appended meanwhile', async () => {
    const { proxy, store, other } = await openDisturbed(800);
    proxy.set('lose question');
    await expect(store.append(batch(1))).rejects.toThrow(WriteResultUnknownError);
    await other.append(batch(1, 'other'));
    proxy.set('through');
    expect(await ids(store)).toEqual(['c0', 'other']);
    expect((await store.findCommands(['c1'])).size).toBe(0);
    expect(await store.append(batch(1))).toEqual({ refused: 'stream-moved', at: 2 });
    expect(await store.balance(terminal)).toEqual({ amount: 10, version: 2 });
  });

  test('is never committed after a later epoch has begun', async () => {
    const { proxy, store, other } = await openDisturbed(800);
    proxy.set('lose question');
    await expect(store.append({ ...batch(1), epoch: 1 })).rejects.toThrow(WriteResultUnknownError);
    await other.append({ ...batch(1, 'other'), epoch: 2 });
    proxy.set('through');
    expect(await store.append({ ...batch(2), epoch: 1 })).toEqual({ refused: 'epoch-over', epoch: 2 });
    expect(await ids(store)).toEqual(['c0', 'other']);
  });

  test('is written once when the server process is ended in the middle of it', async () => {
    const database = await createDatabase();
    const store = await open(database);
    await store.append(batch(0));
    const result = await withClient(server, database, async (client) => {
      await client.query('BEGIN');
      await client.query("SELECT FROM heads WHERE stream = 'a' FOR UPDATE");
      const appended = store.append(batch(1));
      const ended = (): Promise<void> =>
        withClient(server, database, async (killer) => {
          const { rows } = await killer.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = $1 AND wait_event_type = 'Lock' AND query LIKE 'WITH%'`,
            [database],
          );
          expect(rows).toHaveLength(1);
        });
      // The first try, and then the retry.
      await vi.waitFor(ended, { timeout: 300_000 });
      await vi.waitFor(ended, { timeout: 300_000 });
      await client.query('ROLLBACK');
      return appended;
    });
    expect(result).toMatchObject({ entries: [{ sequence: 2 }] });
    expect(await ids(store)).toEqual(['c0', 'c1']);
    expect(await store.balance(terminal)).toEqual({ amount: 10, version: 2 });
  });

  test('fails and writes nothing when another transaction locks the stream for too long', async () => {
    const database = await createDatabase();
    const store = await open(database, { timeoutMs: 3_000 });
    await store.append(batch(0));
    await withClient(server, database, async (client) => {
      await client.query('BEGIN');
      await client.query("SELECT FROM heads WHERE stream = 'a' FOR UPDATE");
      await expect(store.append(batch(1))).rejects.toThrow(/another write has not ended/);
      await client.query('ROLLBACK');
    });
    expect(await ids(store)).toEqual(['c0']);
    expect(await store.append(batch(1))).toHaveProperty('entries');
  });

  test('a key-value write survives a lost reply, and a checkpoint is written once', async () => {
    const { database, store } = await openDisturbed();
    const end = async (): Promise<void> =>
      withClient(server, database, async (client) => {
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
          [database],
        );
      });
    /** A request that was not sent for lack of a connection is sent again. */
    const patiently = (request: () => Promise<void>): Promise<void> =>
      request().catch((error: unknown) => {
        if (error instanceof DatabaseUnavailableError) return patiently(request);
        throw error;
      });
    for (let number = 1; number < 8; number++) {
      await Promise.all([
        patiently(() => store.putValue('names', 'p', `${number}`)),
        patiently(() => store.recordHeartbeats(['floor'], number)),
        patiently(() => store.saveCheckpoint({ number, text: `t${number}`, signature: 's' })),
        end(),
      ]);
    }
    expect(await store.listValues('names')).toEqual(new Map([['p', '7']]));
    expect(await store.heartbeats()).toEqual(new Map([['floor', 7]]));
    const numbers: number[] = [];
    for await (const chunk of store.checkpoints()) numbers.push(...chunk.map(({ number }) => number));
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
