import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Account } from '../../src/ledger/accounts.ts';
import { type PostgresOptions, postgresStore } from '../../src/store/postgres/postgresStore.ts';
import { Membership, type Node } from '../../src/store/postgres/membership.ts';
import { ReadPositions } from '../../src/store/postgres/readPositions.ts';
import { ResultUnknown, type Store } from '../../src/store/store.ts';
import { WriteFailed } from '../../src/store/failures.ts';
import { entry, external, load } from './storeContract.ts';
import { reportToSoak, times } from '../times.ts';
import { servers } from './databases.ts';

/** So many appends are acknowledged before the primary is lost, and again after it. */
const minWrites = 300;

describe('a primary with a synchronous standby', () => {
  const { startPair } = servers('standby');

  async function pair() {
    const { primary, standby, address } = await startPair();
    const open = async (opening: PostgresOptions = {}): Promise<Store> => {
      const store = await postgresStore(address, opening);
      onTestFinished(() => store.close());
      return store;
    };
    const ground = async (seen?: ReadPositions): Promise<Membership> => {
      const leases = await Membership.open(address, { timeoutMs: 500, ...(seen && { readPositions: seen }) });
      onTestFinished(() => leases.close());
      return leases;
    };
    return { primary, standby, open, ground };
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
    const [patient, hasty] = [await open({ timeoutMs: 60_000 }), await open({ timeoutMs: 1_000 })];
    expect(await append(patient, 0)).toHaveProperty('entries');
    await hasty.append({ stream: 'b', after: 0, entries: [entry(0, [], 'b0')] });
    await standby.end();
    let isAnswered = false;
    const waiting = append(patient, 1).then((answer) => {
      isAnswered = true;
      return answer;
    });
    const unknown = hasty.append({ stream: 'b', after: 1, entries: [entry(1, [], 'b1')] });
    await expect(unknown).rejects.toThrow(ResultUnknown);
    // Whoever comes then is told why, and nothing of it stands.
    await expect(hasty.append({ stream: 'c', after: 0, entries: [entry(1, [], 'd1')] })).rejects.toThrow(
      /does not confirm what is written; its synchronous standby may be lost/,
    );
    await expect(open({ timeoutMs: 500 })).rejects.toThrow(/does not confirm what is written; its synchronous/);
    expect(isAnswered).toBe(false);
    await standby.start();
    expect(await waiting).toMatchObject({ entries: [{ sequence: 2 }] });
    await vi.waitFor(async () => expect(await lengthOf(hasty, 'b')).toBe(2), { timeout: 300_000 });
    expect(await lengthOf(hasty, 'c')).toBe(0);
    expect(await hasty.append({ stream: 'c', after: 0, entries: [entry(1, [], 'd1')] })).toHaveProperty('entries');
  });

  test('does not acknowledge a write whose wait for the standby was cancelled', async () => {
    const { primary, standby, open } = await pair();
    const store = await open({ timeoutMs: 3_000 });
    await append(store, 0);
    await standby.end();
    const appended = append(store, 1);
    const refused = expect(appended).rejects.toThrow(ResultUnknown);
    await vi.waitFor(
      async () => {
        const { rows } = await primary.withClient('punto', (client) =>
          client.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 300_000 },
    );
    // The primary alone has it now, and shows it to everybody.
    await primary.withClient('punto', async (client) => {
      const { rows } = await client.query("SELECT sequence FROM heads WHERE stream = 'a'");
      expect(rows).toEqual([{ sequence: '2' }]);
    });
    await refused;
    await expect(lengthOf(store, 'a')).rejects.toThrow(ResultUnknown);
    // The operator may go on without the standby.
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
        `^The database postgres://punto@.* cannot be used: 127.0.0.1:${primary.port} refuses connections: nothing listens there; 127.0.0.1:${standby.port} is behind: it does not hold entry 2 of a as this program has seen it\\.$`,
      ),
    );
    await standby.end();
    await primary.start();
    expect(await append(store, 2)).toHaveProperty('entries');
    expect(await lengthOf(store, 'a')).toBe(3);
  });

  const member: Node = { id: 'one', address: '', link: '', drives: true, stage: 'open' };
  const renew = (ground: Membership) => ground.renew(member, ['x'], [], 4_000);

  test('is not used for data or leases when it is behind what was read', async () => {
    const { primary, standby, open, ground } = await pair();
    const seen = new ReadPositions();
    const [writer, reader] = [await open(), await open({ timeoutMs: 2_000, readPositions: seen })];
    const leases = await ground(seen);
    await append(writer, 0);
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    await primary.setSynchronousStandby('');
    await standby.end();
    await append(writer, 1);
    expect(await lengthOf(reader, 'a')).toBe(2);
    await primary.end('SIGKILL');
    await standby.start();
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    const isBehind = /is behind: it does not hold entry 2 of a as this program has seen it\.$/;
    // What was connected before finds out that it is not any more.
    await vi.waitFor(() => expect(lengthOf(reader, 'a')).rejects.toThrow(isBehind), { timeout: 300_000 });
    await vi.waitFor(() => expect(renew(leases)).rejects.toThrow(isBehind), { timeout: 300_000 });
  });

  test('grants leases at the promoted standby although the isolated primary still calls itself primary', async () => {
    const { standby, open, ground } = await pair();
    const store = await open({ timeoutMs: 1_000 });
    await append(store, 0);
    const leases = await ground();
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    await vi.waitFor(async () => expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] }), {
      timeout: 300_000,
    });
    // The record goes on there as well, by itself or once it is found out what became of it.
    await append(store, 1).catch((error: unknown) => expect(error).toBeInstanceOf(ResultUnknown));
    await vi.waitFor(async () => expect(await lengthOf(store, 'a')).toBe(2), { timeout: 300_000 });
    expect(await renew(leases)).toMatchObject({ mine: [{ name: 'x' }] });
    const { rows } = await standby.withClient('punto', (client) => client.query('SELECT name FROM leases'));
    expect(rows).toEqual([{ name: 'x' }]);
  });

  /** What writers were told, and how it went. */
  type Told = { readonly acknowledged: string[]; unknown: number; away: number };

  /** Writes to a stream of its own and from an account that all share; after any trouble it asks where the stream stands. */
  async function write(store: Store, stream: string, told: Told, over: AbortSignal): Promise<void> {
    const to: Account = `sg1/SGD/terminal/${stream}`;
    let after = 0;
    for (let number = 0; !over.aborted;) {
      const id = `${stream}.${number}`;
      const entries = [entry(number, [{ from: external, to, amount: 2 }], id)];
      try {
        const answer = await store.append({ stream, after, entries });
        if ('entries' in answer) told.acknowledged.push(id);
        else if (answer.refused !== 'stream-moved' && answer.refused !== 'command-known')
          throw new Error(answer.refused);
        number += 1;
        after = 'entries' in answer ? after + 1 : await lengthOf(store, stream);
      } catch (error) {
        if (error instanceof ResultUnknown) told.unknown += 1;
        else if (error instanceof WriteFailed) told.away += 1;
        else throw error;
        // The command is brought again under its own id.
        await setTimeout(50);
      }
    }
  }

  /** Kills a primary under load; then its standby is promoted, or it comes back itself. What is lost, and how many are there twice. */
  async function killed(isPromoted: boolean): Promise<{ readonly lost: readonly string[]; readonly doubled: number }> {
    const { primary, standby, open } = await pair();
    const nodes = [await open({ timeoutMs: 5_000 }), await open({ timeoutMs: 5_000 })];
    const told: Told = { acknowledged: [], unknown: 0, away: 0 };
    const { acknowledged } = told;
    const over = new AbortController();
    const writers = Promise.all(
      nodes.flatMap((store, node) =>
        Array.from({ length: 5 }, (_, place) => write(store, `s${node}.${place}`, told, over.signal)),
      ),
    );
    const acknowledges = (more: number): Promise<void> => {
      const wanted = acknowledged.length + more;
      return vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(wanted), { timeout: 300_000 });
    };
    await acknowledges(minWrites);
    await primary.end('SIGKILL');
    const begun = performance.now();
    if (isPromoted) await standby.withClient('postgres', (client) => client.query('SELECT pg_promote(true, 30)'));
    else await primary.start();
    await acknowledges(20);
    const took = performance.now() - begun;
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
    const counts = `${acknowledged.length} appends acknowledged, ${found.length} found, ${told.unknown} unknown, ${told.away} refused`;
    reportToSoak(`a primary was killed and ${how}: ${counts}; on again after ${Math.round(took)} ms`);
    return { lost: acknowledged.filter((id) => !all.has(id)), doubled: found.length - all.size };
  }

  const none = { lost: [], doubled: 0 };

  test('loses and duplicates no acknowledged write when it is killed and the standby promoted', async () => {
    for (let kills = times(1); kills > 0; kills--) expect(await killed(true)).toEqual(none);
  });

  test('loses and duplicates no acknowledged write when it is killed and started again', async () => {
    for (let kills = times(1); kills > 0; kills--) expect(await killed(false)).toEqual(none);
  });
});
