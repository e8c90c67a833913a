import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  ClusterMembership,
  type RegisteredNode,
  type NodeStage,
} from '../../../src/store/postgres/clusterMembership.ts';
import { entry } from '../storeContract.ts';
import { databases, server } from './databases.ts';
import { withClient } from './postgres.ts';
import { SchemaTooOldError } from '../../../src/store/schemaVersion.ts';

const nodeOf = (id: string, stage: NodeStage = 'open'): RegisteredNode => ({
  id,
  browserUrl: `http://${id}/`,
  nodeUrl: `ws://${id}/`,
  mayLead: true,
  stage,
});
const [one, other] = [nodeOf('one'), nodeOf('other')];
const sortedNames = (...names: readonly string[]) => names.map((name) => ({ name, since: expect.any(Number) }));

describe('leases on a database', () => {
  const { createDatabase, open } = databases('ground');

  async function on(database: string): Promise<ClusterMembership> {
    return ClusterMembership.open(`${server}/${database}`);
  }

  /** Lets a lease expire. */
  const lapse = (database: string, name: string) =>
    withClient(server, database, (client) =>
      client.query("UPDATE leases SET until = clock_timestamp() - interval '1 second' WHERE name = $1", [name]),
    );

  test('one connection serves all requests when the database has no other left', async () => {
    const database = await createDatabase();
    const role = `${database}_lone`;
    await (await on(database)).close();
    await withClient(server, database, async (client) => {
      await client.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 1`);
      await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
      await client.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    });
    const membership = await ClusterMembership.open(`${server}/${database}`.replace('punto@', `${role}@`));
    expect(await membership.renew(one, ['x'], [], 60_000)).toMatchObject({ mine: sortedNames('x') });
    expect((await membership.beginEpochs(one, ['x'])).size).toBe(1);
    expect(await membership.readHeads(['x'])).toBeInstanceOf(Map);
    await membership.releaseLeases(one, ['x']);
    expect(await membership.renew(one, [], [], 60_000)).toMatchObject({ mine: [], others: [] });
    await membership.close();
    await withClient(server, database, async (client) => {
      await client.query(`DROP OWNED BY ${role}`);
      await client.query(`DROP ROLE ${role}`);
    });
  });

  test('a lease stays with its node until it is released or expires, then goes to one other node', async () => {
    const database = await createDatabase();
    const grounds = await Promise.all([on(database), on(database)]);
    const [first, second] = grounds;
    expect(await first.renew(one, ['floor'], [], 60_000)).toMatchObject({
      mine: sortedNames('floor'),
      others: [],
      nodes: [],
    });
    const requests = await second.renew(nodeOf('other', 'coming'), ['floor', 'x'], [], 60_000);
    expect(requests).toMatchObject({
      mine: sortedNames('x'),
      others: [{ name: 'floor', node: 'one', left: expect.any(Number) }],
      nodes: [{ ...one, silent: expect.any(Number) }],
    });
    expect(requests.others[0]!.left).toBeGreaterThan(50_000);
    expect(Math.abs(requests.at - Date.now())).toBeLessThan(10_000);
    expect(await ClusterMembership.listNodes(`${server}/${database}`)).toMatchObject([
      { ...one, holds: ['floor'] },
      { id: 'other', stage: 'coming', nodeUrl: 'ws://other/', holds: ['x'] },
    ]);
    // It has expired, but no other node wanted it: its holder continues.
    await lapse(database, 'x');
    expect((await second.renew(other, ['x'], [], 60_000)).mine).toEqual(requests.mine);
    await lapse(database, 'x');
    expect(await first.renew(one, ['floor', 'x'], [], 60_000)).toMatchObject({ mine: sortedNames('floor', 'x') });
    expect(await second.renew(other, ['x'], [], 60_000)).toMatchObject({ mine: [] });
    await first.releaseLeases(one, ['x']);
    const again = await second.renew(other, ['floor', 'x'], [], 60_000);
    expect(again.mine).toEqual(sortedNames('x'));
    // Another node held it in between.
    expect(again.mine[0]!.since).toBeGreaterThan(requests.mine[0]!.since);
    await first.leave(one);
    expect(await second.renew(other, ['floor', 'x'], [], 60_000)).toMatchObject({
      mine: sortedNames('floor', 'x'),
      others: [],
      nodes: [],
    });
    expect(await ClusterMembership.listNodes(`${server}/${database}`)).toMatchObject([
      { id: 'other', holds: ['floor', 'x'] },
    ]);
    await Promise.all(grounds.map((membership) => membership.close()));
  });

  test('one of many nodes gets a lease that all request at once', async () => {
    const database = await createDatabase();
    const grounds = await Promise.all(Array.from({ length: 8 }, () => on(database)));
    for (let round = 0; round < 5; round++) {
      const requests = await Promise.all(
        grounds.map((membership, n) => membership.renew(nodeOf(`n${n}`), [`lease ${round}`], [], 60_000)),
      );
      expect(requests.filter(({ mine }) => mine.length === 1)).toHaveLength(1);
    }
    await Promise.all(grounds.map((membership) => membership.close()));
  });

  test('beginEpochs raises the epoch of leased streams only, and a late append of the former leader fails', async () => {
    const database = await createDatabase();
    const [former, next] = [await open(database), await open(database)];
    const membership = await on(database);
    await membership.renew(one, ['a', 'b'], [], 60_000);
    // A stream without entries has its epoch in the lease.
    expect(await membership.beginEpochs(one, ['a'])).toEqual(new Map([['a', { epoch: 1, heartbeatAt: undefined }]]));
    expect(await membership.beginEpochs(one, ['b', 'c'])).toEqual(
      new Map([['b', { epoch: 1, heartbeatAt: undefined }]]),
    );
    for (const stream of ['a', 'b', 'c']) {
      await former.append({ stream, after: 0, epoch: 1, entries: [entry(1, [], `${stream}1`)] });
    }
    // A node without the lease raises no epoch.
    await withClient(server, database, (client) =>
      client.query("UPDATE leases SET until = now() - interval '1 second'"),
    );
    expect(await membership.beginEpochs(one, ['a'])).toEqual(new Map());
    expect(await membership.renew(other, ['a'], [], 60_000)).toMatchObject({ mine: sortedNames('a') });
    expect(await membership.beginEpochs(one, ['a'])).toEqual(new Map());
    expect((await next.heads()).get('a')?.epoch).toBe(1);
    expect(await membership.beginEpochs(other, ['a'])).toEqual(new Map([['a', { epoch: 2, heartbeatAt: undefined }]]));
    expect(await former.append({ stream: 'a', after: 1, epoch: 1, entries: [entry(2, [], 'a2')] })).toEqual({
      refused: 'epoch-over',
      epoch: 2,
    });
    expect(await former.append({ stream: 'b', after: 1, epoch: 1, entries: [entry(2, [], 'b2')] })).toHaveProperty(
      'entries',
    );
    expect(await next.append({ stream: 'a', after: 1, epoch: 2, entries: [entry(3, [], 'a3')] })).toHaveProperty(
      'entries',
    );
    // A node that returns begins a later epoch.
    await membership.releaseLeases(other, ['a']);
    await membership.renew(one, ['a'], [], 60_000);
    expect((await membership.beginEpochs(one, ['a'])).get('a')?.epoch).toBe(3);
    expect(await membership.readHeads(['a', 'b', 'x'])).toEqual(
      new Map([
        ['a', 2],
        ['b', 2],
      ]),
    );
    await membership.close();
  });

  test('a renewal records heartbeats of led streams by the time of the database, and the next leader gets the last', async () => {
    const database = await createDatabase();
    const store = await open(database);
    const membership = await on(database);
    await membership.renew(nodeOf('one', 'coming'), ['a'], [], 60_000);
    expect(await store.heartbeats()).toEqual(new Map());
    for (const stream of ['a', 'b', 'c']) {
      await store.append({ stream, after: 0, epoch: 1, entries: [entry(1, [], `${stream}1`)] });
    }
    const { at } = await membership.renew(one, ['a', 'b', 'd'], ['a', 'c', 'd'], 60_000);
    const heartbeat = Math.floor(at);
    // A leased stream that is not led has no heartbeat, and neither has a stream without the lease, nor a led table that
    // was never opened: it has no stream.
    expect(await store.heartbeats()).toEqual(
      new Map([
        ['floor', heartbeat],
        ['a', heartbeat],
      ]),
    );
    await membership.leave(one);
    const later = await membership.renew(other, ['a', 'b'], [], 60_000);
    expect(await membership.beginEpochs(other, ['a', 'b'])).toEqual(
      new Map([
        ['a', { epoch: 2, heartbeatAt: heartbeat }],
        ['b', { epoch: 2, heartbeatAt: undefined }],
      ]),
    );
    expect((await store.heartbeats()).get('a')).toBe(heartbeat);
    expect((await store.heartbeats()).get('floor')).toBe(Math.floor(later.at));
    await membership.close();
  });

  test('a connection that ended is opened again', async () => {
    const database = await createDatabase();
    const membership = await on(database);
    await membership.renew(one, ['floor'], [], 60_000);
    await withClient(server, 'postgres', (client) =>
      client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]),
    );
    await setTimeout(50);
    await expect(
      membership.renew(one, ['floor'], [], 60_000).catch(() => membership.renew(one, ['floor'], [], 60_000)),
    ).resolves.toMatchObject({ mine: sortedNames('floor') });
    await membership.close();
  });

  test('a store of an earlier schema version is refused and left as it is', async () => {
    const database = await createDatabase();
    const statements = [
      'CREATE TABLE punto_forms (form integer PRIMARY KEY)',
      'DROP TABLE punto_forms; CREATE TABLE punto_schema AS SELECT 5 AS version, now() AS at',
    ];
    for (const statement of statements) {
      await withClient(server, database, (client) => client.query(statement));
      await expect(ClusterMembership.listNodes(`${server}/${database}`)).rejects.toThrow(SchemaTooOldError);
      await expect(on(database)).rejects.toThrow(
        /^The event store in .* is older than schema 7; name another database, or use the program that wrote it\.$/,
      );
    }
  });
});
