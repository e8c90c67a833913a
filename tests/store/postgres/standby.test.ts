import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Account } from '../../../src/ledger/accounts.ts';
import { type PostgresStoreOptions, openPostgresStore } from '../../../src/store/postgres/postgresStore.ts';
import { ClusterMembership, type RegisteredNode } from '../../../src/store/postgres/clusterMembership.ts';
import { ReadPositionTracker } from '../../../src/store/postgres/readPositions.ts';
import { WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { WriteFailedError } from '../../../src/store/failures.ts';
import { entry, external, load } from '../storeContract.ts';
import { reportToSoak, times } from '../../times.ts';
import { servers } from './databases.ts';

/** Number of acknowledged appends before the primary is lost, and again afterwards. */
const minWrites = 300;

describe('a primary with a synchronous standby', () => {
  const { startPair } = servers('standby');

  async function pair() {
    const { primary, standby, address } = await startPair();
    const open = async (opening: PostgresStoreOptions = {}): Promise<Store> => {
      const store = await openPostgresStore(address, opening);
      onTestFinished(() => store.close());
      return store;
    };
    const openMembership = async (readPositions?: ReadPositionTracker): Promise<ClusterMembership> => {
      const leases = await ClusterMembership.open(address, {
        timeoutMs: 2_000,
        ...(readPositions && { readPositions }),
      });
      onTestFinished(() => leases.close());
      return leases;
    };
    return { primary, standby, open, openMembership };
  }

  const append = (store: Store, after: number) =>
    store.append({ stream: 'a', after, entries: [entry(after, load(1), `c${after}`)] });

  async function lengthOf(store: Store, stream: string): Promise<number> {
    let length = 0;
    for await (const entries of store.read(stream)) length += entries.length;
    return length;
  }

  test('acknowledges no write while the standby is lost and continues when it is back', async () => {
    const { standby, open } = await pair();
    const [longTimeoutStore, shortTimeoutStore] = [await open({ timeoutMs: 60_000 }), await open({ timeoutMs: 3_000 })];
    expect(await append(longTimeoutStore, 0)).toHaveProperty('entries');
    await shortTimeoutStore.append({ stream: 'b', after: 0, entries: [entry(0, [], 'b0')] });
    await standby.end();
    let isAnswered = false;
    const appending = append(longTimeoutStore, 1).then((result) => {
      isAnswered = true;
      return result;
    });
    const unknown = shortTimeoutStore.append({ stream: 'b', after: 1, entries: [entry(1, [], 'b1')] });
    await expect(unknown).rejects.toThrow(WriteResultUnknownError);
    // A later append is refused with the reason, and writes nothing.
    await expect(shortTimeoutStore.append({ stream: 'c', after: 0, entries: [entry(1, [], 'd1')] })).rejects.toThrow(
      /does not confirm writes; its synchronous standby may be down/,
    );
    await expect(open({ timeoutMs: 3_000 })).rejects.toThrow(/does not confirm writes; its synchronous/);
    expect(isAnswered).toBe(false);
    await standby.start();
    expect(await appending).toMatchObject({ entries: [{ sequence: 2 }] });
    await vi.waitFor(async () => expect(await lengthOf(shortTimeoutStore, 'b')).toBe(2), { timeout: 300_000 });
    expect(await lengthOf(shortTimeoutStore, 'c')).toBe(0);
    expect(await shortTimeoutStore.append({ stream: 'c', after: 0, entries: [entry(1, [], 'd1')] })).toHaveProperty(
      'entries',
    );
  });

  test('does not acknowledge a write whose wait for the standby was cancelled', async () => {
    const { primary, standby, open } = await pair();
    const store = await open({ timeoutMs: 3_000 });
    await append(store, 0);
    await standby.end();
    const appended = append(store, 1);
    const refused = expect(appended).rejects.toThrow(WriteResultUnknownError);
    await vi.waitFor(
      async () => {
        const { rows } = await primary.withClient('punto', (client) =>
          client.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 300_000 },
    );
    // Only the primary has it now, and shows it to every reader.
    await primary.withClient('punto', async (client) => {
      const { rows } = await client.query("SELECT sequence FROM heads WHERE stream = 'a'");
      expect(rows).toEqual([{ sequence: '2' }]);
    });
    await refused;
    await expect(lengthOf(store, 'a')).rejects.toThrow(WriteResultUnknownError);
    // The operator may continue without the standby.
    await primary.setSynchronousStandby('');
    await vi.waitFor(async () => expect(await lengthOf(store, 'a')).toBe(2), { timeout: 300_000 });
    expect(await append(store, 2)).toHaveProperty('entries');
  });

  test('is not used when it is behind what was written, and the right one is used when it is back', async () => {
    const { primary, standby, open } = await pair();
    const store = await open({ timeoutMs: 2_000 });
    await append(store, 0);
    await primary.setSynchronousStandby('');
    await standby.end();
    await append(store, 1);
    await primary.end('SIGKILL');
    await standby.start();
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    await expect(append(store, 2)).rejects.toThrow(
      new RegExp(
        `^The database postgres://punto@.* cannot be used: 127.0.0.1:${primary.port} refuses connections: no server listens there; 127.0.0.1:${standby.port} is behind: it lacks entry 2 of a that this process has read\\.$`,
      ),
    );
    await standby.end();
    await primary.start();
    expect(await append(store, 2)).toHaveProperty('entries');
    expect(await lengthOf(store, 'a')).toBe(3);
  });

  const member: RegisteredNode = { id: 'one', browserUrl: '', nodeUrl: '', mayLead: true, stage: 'open' };
  const renew = (membership: ClusterMembership) => membership.renew(member, ['x'], [], 4_000);

  test('is not used for data or leases when it is behind what was read', async () => {
    const { primary, standby, open, openMembership } = await pair();
    const readPositions = new ReadPositionTracker();
    const [writer, reader] = [await open(), await open({ timeoutMs: 2_000, readPositions })];
    const leases = await openMembership(readPositions);
    await append(writer, 0);
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    await primary.setSynchronousStandby('');
    await standby.end();
    await append(writer, 1);
    expect(await lengthOf(reader, 'a')).toBe(2);
    await primary.end('SIGKILL');
    await standby.start();
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    const isBehind = /is behind: it lacks entry 2 of a that this process has read\.$/;
    // Connections from before notice that the server is no primary any more.
    await vi.waitFor(() => expect(lengthOf(reader, 'a')).rejects.toThrow(isBehind), { timeout: 300_000 });
    await vi.waitFor(() => expect(renew(leases)).rejects.toThrow(isBehind), { timeout: 300_000 });
  });

  test('grants leases at the promoted standby although the isolated primary still calls itself primary', async () => {
    const { standby, open, openMembership } = await pair();
    const store = await open({ timeoutMs: 3_000 });
    await append(store, 0);
    const leases = await openMembership();
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    await vi.waitFor(async () => expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] }), {
      timeout: 300_000,
    });
    // The store continues there as well, at once or after the append in doubt is resolved.
    await append(store, 1).catch((error: unknown) => expect(error).toBeInstanceOf(WriteResultUnknownError));
    await vi.waitFor(async () => expect(await lengthOf(store, 'a')).toBe(2), { timeout: 300_000 });
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    const { rows } = await standby.withClient('punto', (client) => client.query('SELECT name FROM leases'));
    expect(rows).toEqual([{ name: 'x' }]);
  });

  /** Results of the writers. */
  type WriteResults = { readonly acknowledged: string[]; unknown: number; away: number };

  /** Appends to its own stream with postings from a shared account; reads the head after any failure. */
  async function write(store: Store, stream: string, writes: WriteResults, over: AbortSignal): Promise<void> {
    const to: Account = `sg1/SGD/terminal/${stream}`;
    let after = 0;
    for (let number = 0; !over.aborted;) {
      const id = `${stream}.${number}`;
      const entries = [entry(number, [{ from: external, to, amount: 2 }], id)];
      try {
        const result = await store.append({ stream, after, entries });
        if ('entries' in result) writes.acknowledged.push(id);
        else if (result.refused !== 'stream-moved' && result.refused !== 'command-known')
          throw new Error(result.refused);
        number += 1;
        after = 'entries' in result ? after + 1 : await lengthOf(store, stream);
      } catch (error) {
        if (error instanceof WriteResultUnknownError) writes.unknown += 1;
        else if (error instanceof WriteFailedError) writes.away += 1;
        else throw error;
        // The command is sent again with the same id.
        await setTimeout(50);
      }
    }
  }

  /**
   * Kills a primary under load; then its standby is promoted, or it is started again. Returns lost and duplicate
   * writes.
   */
  async function killPrimary(
    isPromoted: boolean,
  ): Promise<{ readonly lost: readonly string[]; readonly doubled: number }> {
    const { primary, standby, open } = await pair();
    const nodes = [await open({ timeoutMs: 5_000 }), await open({ timeoutMs: 5_000 })];
    const writes: WriteResults = { acknowledged: [], unknown: 0, away: 0 };
    const { acknowledged } = writes;
    const over = new AbortController();
    const writers = Promise.all(
      nodes.flatMap((store, node) =>
        Array.from({ length: 5 }, (_, index) => write(store, `s${node}.${index}`, writes, over.signal)),
      ),
    );
    const acknowledges = (more: number): Promise<void> => {
      const minAcknowledged = acknowledged.length + more;
      return vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(minAcknowledged), {
        timeout: 300_000,
      });
    };
    await acknowledges(minWrites);
    await primary.end('SIGKILL');
    const startedAt = performance.now();
    if (isPromoted) await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    else await primary.start();
    await acknowledges(20);
    const took = performance.now() - startedAt;
    await acknowledges(minWrites);
    over.abort();
    await writers;
    const [store] = nodes as [Store, Store];
    const found: string[] = [];
    for (const stream of await store.streams()) {
      for await (const entries of store.read(stream)) found.push(...entries.map(({ command }) => command.id));
    }
    const all = new Set(found);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const balances = await store.balances();
    expect(balances.get(external)).toEqual({ amount: -2 * found.length, version: found.length });
    expect([...balances.values()].reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    await Promise.all(nodes.map((node) => node.close()));
    await Promise.all([primary.remove(), standby.remove()]);
    const how = isPromoted ? 'its standby promoted' : 'started again';
    const counts = `${acknowledged.length} appends acknowledged, ${found.length} found, ${writes.unknown} unknown, ${writes.away} refused`;
    reportToSoak(`a primary was killed and ${how}: ${counts}; on again after ${Math.round(took)} ms`);
    return { lost: acknowledged.filter((id) => !all.has(id)), doubled: found.length - all.size };
  }

  const none = { lost: [], doubled: 0 };

  test('loses and duplicates no acknowledged write when it is killed and the standby promoted', async () => {
    for (let kills = times(1); kills > 0; kills--) expect(await killPrimary(true)).toEqual(none);
  });

  test('loses and duplicates no acknowledged write when it is killed and started again', async () => {
    for (let kills = times(1); kills > 0; kills--) expect(await killPrimary(false)).toEqual(none);
  });
});
