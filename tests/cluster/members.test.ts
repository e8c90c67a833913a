import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ClusterMembership, type ListedNode } from '../../src/store/postgres/clusterMembership.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { DatabaseUnavailableError } from '../../src/store/failures.ts';
import { databases, server } from '../store/postgres/databases.ts';
import { entry } from '../store/storeContract.ts';
import { proxyTo } from '../store/postgres/proxy.ts';
import { reportToSoak } from '../times.ts';
import {
  type CleanUp,
  RecordingNode,
  type NodeOptions,
  areTablesShared,
  forwardedCommand,
  leaseMs,
  waitForRenewals,
  tables,
  until,
} from './recordingNode.ts';

/** Waits until the condition holds for the nodes in the database. */
async function untilNodes(address: string, condition: (nodes: readonly ListedNode[]) => boolean): Promise<void> {
  while (!condition(await ClusterMembership.listNodes(address))) await setTimeout(10);
}

/** Leases are renewed four times in one lease time. */
const longerThanLease = 5;

describe.concurrent('members on one database', () => {
  const { createDatabase } = databases('members');
  /** Starts nodes on a database; they end with the test. */
  const nodesAt = (address: string, cleanUp: CleanUp) => ({
    address,
    join: (options?: NodeOptions) => RecordingNode.join(address, cleanUp, options),
    open: (options?: NodeOptions) => RecordingNode.open(address, cleanUp, options),
  });
  const newNodes = async (cleanUp: CleanUp) => nodesAt(`${server}/${await createDatabase()}`, cleanUp);
  const [table] = tables as [string];

  test('exactly one node is the first when several start together, and the others join once it is open', async ({
    onTestFinished,
  }) => {
    const { join } = await newNodes(onTestFinished);
    let startedAt = 0;
    const coming = Array.from({ length: 3 }, async () => {
      const one = await join();
      startedAt += 1;
      return one;
    });
    const first = await Promise.race(coming);
    await waitForRenewals([first], longerThanLease);
    expect(startedAt).toBe(1);
    first.openFloor();
    const all = await Promise.all(coming);
    expect(all.filter(({ startMode }) => startMode === 'first')).toEqual([first]);
    expect(all.filter(({ startMode }) => startMode === 'joins')).toHaveLength(2);
  });

  test('single node leads all tables; nodes that join get their share, and one holds the floor lease', async ({
    onTestFinished,
  }) => {
    const { address, open } = await newNodes(onTestFinished);
    // Only a table with a stream has heartbeats.
    const store = await openPostgresStore(address);
    for (const stream of tables) await store.append({ stream, after: 0, entries: [entry(1, [], stream)] });
    await store.close();
    const startedAt = Date.now();
    const one = await open();
    await until(() => areTablesShared(one), 'one leads all');
    expect([one.startMode, one.isSigner, one.member.isSigner]).toEqual(['first', true, true]);
    const two = await open();
    await until(() => areTablesShared(one, two), 'two share');
    const three = await open();
    await until(() => areTablesShared(one, two, three), 'three share');
    const socketsOnly = await open({ mayLead: false });
    await waitForRenewals([socketsOnly]);
    expect(areTablesShared(one, two, three)).toBe(true);
    expect([two, three, socketsOnly].map(({ startMode, isSigner }) => [startMode, isSigner])).toEqual(
      Array.from({ length: 3 }, () => ['joins', false]),
    );
    expect(socketsOnly.ledTables).toEqual([]);
    // When balanced, no table moves any more.
    const moves = one.log.length + two.log.length + three.log.length;
    await waitForRenewals([one, two, three, socketsOnly]);
    expect(one.log.length + two.log.length + three.log.length).toBe(moves);
    // A node follows before the hand-over, and the next leader knows when the table was last led.
    expect(one.observed.leaseChanges.filter((how) => how === 'given').length).toBeGreaterThanOrEqual(4);
    for (const stream of two.ledTables) {
      expect(one.log).toContain(`follow ${stream}`);
      expect(two.since.get(stream)).toBeGreaterThanOrEqual(startedAt);
    }
    const listed = await ClusterMembership.listNodes(address);
    expect(listed.flatMap(({ holds }) => holds).toSorted()).toEqual([...tables, 'floor'].toSorted());
    expect([one, two, three, socketsOnly].flatMap(({ observed }) => observed.warnings)).toEqual([]);
  });

  test('other nodes lead the tables of a node that was killed', async ({ onTestFinished }) => {
    const { open } = await newNodes(onTestFinished);
    const [one, two, three] = [await open(), await open(), await open()];
    await until(() => areTablesShared(one, two, three), 'three share');
    const killed = performance.now();
    // It sends nothing any more.
    one.setAsleep(true);
    await until(() => areTablesShared(two, three), 'two lead all');
    const span = performance.now() - killed;
    reportToSoak(`led again after ${Math.round(span)} ms with a lease of ${leaseMs} ms`);
    await until(() => two.isSigner || three.isSigner, 'one of the two keeps the floor');
    expect([two, three].filter(({ isSigner }) => isSigner)).toHaveLength(1);
  });

  test('node that sleeps through its lease has its append refused by epoch, learns what it lost, and gets its share again', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open();
    const two = await open();
    await until(() => areTablesShared(one, two), 'two share');
    const [mine] = one.ledTables as [string];
    const store = one.cluster.fencedStoreOf(mine);
    expect(await store.append({ stream: mine, after: 0, entries: [entry(1)] })).toHaveProperty('entries');
    one.setAsleep(true);
    await until(() => areTablesShared(two), 'the other leads all');
    // By its own clock no time has passed, so it is certain of its leases.
    expect(one.member.isLeading(mine)).toBe(true);
    expect(await store.append({ stream: mine, after: 1, entries: [entry(2)] })).toMatchObject({
      refused: 'epoch-over',
    });
    expect((await two.store.heads()).get(mine)?.sequence).toBe(1);
    one.log.length = 0;
    one.setAsleep(false);
    await until(() => areTablesShared(one, two), 'two share again');
    expect(one.log.filter((line) => line.startsWith('follow'))).toHaveLength(3);
    expect(one.observed.leaseChanges.filter((how) => how === 'lost')).toHaveLength(3);
    expect(one.isSigner).not.toBe(two.isSigner);
  });

  test('leaving node hands over each table between rounds and removes itself', async ({ onTestFinished }) => {
    const { address, open } = await newNodes(onTestFinished);
    const one = await open();
    const two = await open();
    await until(() => areTablesShared(one, two), 'two share');
    const resting = new Set<string>();
    one.mayHandOver = (stream) => resting.has(stream);
    const before = one.ledTables;
    const left = one.member.handOver();
    await waitForRenewals([one, two]);
    expect(one.ledTables).toEqual(before);
    for (const stream of before) {
      resting.add(stream);
      await until(() => two.ledTables.includes(stream), 'the other leads it');
      expect(one.ledTables).not.toContain(stream);
    }
    expect(await left).toBe(false);
    await one.member.leave();
    await until(() => two.isSigner, 'the other keeps the floor');
    expect(await ClusterMembership.listNodes(address)).toMatchObject([{ id: two.member.id }]);
    expect(one.observed.leaseChanges.filter((how) => how === 'lost')).toEqual([]);
  });

  test('table that cannot be led is retried, reported once, and counts as not led', async ({ onTestFinished }) => {
    const { join } = await newNodes(onTestFinished);
    const one = await join();
    let tries = 0;
    const { lead } = one;
    one.lead = async (stream, since) => {
      if (stream !== table || ++tries > 3) return lead(stream, since);
      if (tries === 1) throw new Error('It cannot be read.');
      return { refused: 'x', message: 'It cannot be opened.', by: null } as never;
    };
    one.openFloor();
    await until(() => areTablesShared(one), 'all tables are led');
    expect(one.observed.warnings).toEqual([`${table}: It cannot be read.`, `${table}: It cannot be opened.`]);
    expect([tries, one.since.get(table)]).toEqual([4, undefined]);
  });

  test('table that is never between rounds is handed over after the limit', async ({ onTestFinished }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open({ handOverLimitMs: 1_500 });
    await until(() => areTablesShared(one), 'one leads all');
    const early: string[] = [];
    one.mayHandOver = (stream, isLate) => {
      if (!isLate) early.push(stream);
      return isLate;
    };
    const two = await open();
    await until(() => areTablesShared(one, two), 'two share');
    // A moment between rounds was awaited first, and there was none.
    expect(early).not.toEqual([]);
  });

  test('last node that leaves is reported as the last, and the next one to join is the first', async ({
    onTestFinished,
  }) => {
    const { address, join, open } = await newNodes(onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    // Both leave at once; the one that leaves last closes the floor.
    const [resting, both] = [Promise.withResolvers<void>(), [one, two]];
    for (const node of both) node.isQuiet = false;
    void resting.promise.then(() => both.forEach((node) => (node.isQuiet = true)));
    const leaving = Promise.all(
      both.map(async (node) => {
        const { member } = node;
        const isLast = await member.handOver();
        if (isLast) {
          expect(await ClusterMembership.listNodes(address)).toMatchObject([{ id: member.id }, { stage: 'coming' }]);
          // No other node is the first before it has left.
          await waitForRenewals([node]);
          expect(isStarted).toBe(false);
        }
        await member.leave();
        return isLast;
      }),
    );
    let isStarted = false;
    await untilNodes(address, (nodes) => nodes.every(({ stage }) => stage === 'leaving'));
    const coming = join().then((node) => {
      isStarted = true;
      return node;
    });
    await untilNodes(address, (nodes) => nodes.some(({ stage }) => stage === 'coming'));
    resting.resolve();
    expect((await leaving).filter((isLast) => isLast)).toHaveLength(1);
    expect((await coming).startMode).toBe('first');
  });

  test('node that only serves connections knows how long no node leads, and holds the floor lease while it closes', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open();
    await until(() => one.ledTables.length === tables.length, 'one leads');
    const two = await open({ mayLead: false });
    await until(() => two.member.otherNodes.some(({ stage }) => stage === 'open'), 'two sees one');
    expect(two.member.maxUnledMs).toBe(0);
    expect(await one.member.handOver()).toBe(false);
    await one.member.leave();
    await until(() => two.member.maxUnledMs > 500, 'two sees that no node leads');
    expect(two.member.isSigner).toBe(false);
    expect([await two.member.handOver(), two.member.isSigner]).toEqual([true, true]);
  });

  test('node leads nothing and reports it when its clock is a minute off', async ({ onTestFinished }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open();
    const two = await open({ clockErrorMs: 60_000 });
    await waitForRenewals([one, two]);
    expect([areTablesShared(one), two.ledTables]).toEqual([true, []]);
    expect(two.observed.clockErrors).toEqual([expect.any(Number)]);
    // A wrong clock does not show how long the request took.
    expect(two.observed.clockErrors[0]).toBeGreaterThan(30_000);
    expect(two.observed.clockErrors[0]).toBeLessThanOrEqual(60_000);
  });

  test('no lease is certain during a database outage, and all nodes come back', async ({ onTestFinished }) => {
    const database = await createDatabase();
    const proxy = await proxyTo(Number(new URL(server).port));
    onTestFinished(() => proxy.close());
    const { open } = nodesAt(`postgres://punto@127.0.0.1:${proxy.port}/${database}`, onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    proxy.cut();
    const isUnsure = ({ ledTables, member }: RecordingNode): boolean =>
      !ledTables.some((stream) => member.isLeaseCertain(stream));
    await until(() => isUnsure(one) && isUnsure(two) && !one.member.isSigner && !two.member.isSigner, 'leases end');
    for (const node of [one, two]) {
      const [mine] = node.ledTables as [string];
      await expect(
        node.cluster.fencedStoreOf(mine).append({ stream: mine, after: 0, entries: [entry(1)] }),
      ).rejects.toThrow(DatabaseUnavailableError);
      expect([node.member.isSigner, node.observed.databaseFailures > 0]).toEqual([false, true]);
    }
    proxy.set('through');
    await until(() => one.member.isSigner || two.member.isSigner, 'a node is certain of its leases again');
    const isSure = ({ ledTables, member }: RecordingNode): boolean =>
      ledTables.every((stream) => member.isLeaseCertain(stream));
    await until(() => areTablesShared(one, two) && isSure(one) && isSure(two), 'two share again');
    const [mine] = one.ledTables as [string];
    expect(await one.execute(mine, forwardedCommand('back again'))).toEqual({ from: 1, to: 1 });
    // Before their connection to the database closes.
    await Promise.all([one, two].map(({ member }) => member.leave()));
  });

  test('command goes to the leader of its table, is executed once, and by the next leader when the first is killed', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    const [theirs] = two.ledTables as [string];
    expect(await one.cluster.forward(theirs, forwardedCommand('c1'))).toEqual({ from: 1, to: 1 });
    expect(await one.cluster.forward(theirs, forwardedCommand('c1'))).toEqual({ from: 1, to: 1 });
    // This node leads it now.
    const [mine] = one.ledTables as [string];
    expect(await one.cluster.forward(mine, forwardedCommand('c2'))).toEqual({ from: 1, to: 1 });
    two.setAsleep(true);
    expect(await one.cluster.forward(theirs, forwardedCommand('c3'))).toEqual({ from: 2, to: 2 });
    expect(one.ledTables).toContain(theirs);
  });

  test('command is not recorded when there is no leader, and unknown when it was sent without a reply', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open();
    const two = await open({ mayLead: false, searchMs: 2_000 });
    await until(() => areTablesShared(one), 'one leads all');
    expect(await two.cluster.forward('demo/table/none', forwardedCommand('c1'))).toMatchObject({
      refused: 'cannot-record',
    });
    expect(await two.cluster.forward(table, forwardedCommand('c2'))).toEqual({ from: 1, to: 1 });
    const results = Promise.withResolvers<void>();
    one.execute = async () => {
      await results.promise;
      return 'moved';
    };
    expect(await two.cluster.forward(table, forwardedCommand('c3'))).toMatchObject({ refused: 'result-unknown' });
    results.resolve();
  });

  test('commands continue while tables are handed over, each recorded once', async ({ onTestFinished }) => {
    const { open } = await newNodes(onTestFinished);
    const one = await open();
    await until(() => areTablesShared(one), 'one leads all');
    const two = await open();
    const over = new AbortController();
    const slowest = { took: 0 };
    const parameters: string[] = [];
    const forwarding = [one, two].map(async (node, index) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const id = `c${index}.${n}`;
        const startedAt = performance.now();
        const result = await node.cluster.forward(tables[n % tables.length]!, forwardedCommand(id));
        expect(result).toHaveProperty('to');
        parameters.push(id);
        slowest.took = Math.max(slowest.took, performance.now() - startedAt);
      }
    });
    await until(() => areTablesShared(one, two), 'two share');
    expect(await one.member.handOver()).toBe(false);
    await until(() => areTablesShared(two), 'the other leads all');
    over.abort();
    await Promise.all(forwarding);
    reportToSoak(
      `${parameters.length} commands while tables changed hands, the slowest after ${Math.round(slowest.took)} ms`,
    );
    const heads = await two.store.heads();
    expect([...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0)).toBe(parameters.length);
    expect((await two.store.findCommands(parameters)).size).toBe(parameters.length);
  });

  test('new heads are published together, and found by polling when the notification is lost', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    one.cluster.publishHead('demo/terminal/X', 7);
    one.cluster.publishHead('demo/terminal/X', 9);
    one.cluster.publishValue('session', 's1');
    one.cluster.publishValue('session', 's1');
    await until(() => two.heads.get('demo/terminal/X') === 9 && two.changedValues.length > 0, 'it is told');
    expect(two.changedValues).toEqual(['session s1']);
    const [mine] = one.ledTables as [string];
    await one.cluster.fencedStoreOf(mine).append({ stream: mine, after: 0, entries: [entry(1)] });
    await until(() => two.heads.get(mine) === 1, 'it is found');
  });

  test('disconnect is reported to the leader of the table and to its next leader', async ({ onTestFinished }) => {
    const { open } = await newNodes(onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    const [theirs] = two.ledTables as [string];
    const report = { session: 'T7.1', seated: true, disconnected: true };
    one.cluster.reportConnection(theirs, report);
    await until(() => two.connectionReports.length > 0, 'it is told');
    expect([one.connectionReports, two.connectionReports]).toEqual([[], [[theirs, one.member.id, report]]]);
    expect(await two.member.handOver()).toBe(false);
    await until(() => one.connectionReports.length > 0, 'the next one is told');
    expect(one.connectionReports).toEqual([[theirs, one.member.id, report]]);
  });

  test('seats are published to all nodes, completely to a new node, and removed when a node is gone', async ({
    onTestFinished,
  }) => {
    const { open } = await newNodes(onTestFinished);
    const [one, two] = [await open(), await open()];
    await until(() => areTablesShared(one, two), 'two share');
    for (let n = 0; n < 1_500; n++) one.cluster.publishSeat(`T${n}`, n % 2 === 0 ? 'B01' : null);
    one.cluster.publishSeat('T0', false);
    await until(() => two.cluster.remoteTerminals.seatedAt('B01') === 749, 'it is told');
    expect(two.seats.at(-1)![0]).toBe(one.member.id);
    expect(['T0', 'T1', 'T2'].map((terminal) => two.cluster.remoteTerminals.isPresent(terminal))).toEqual([
      false,
      true,
      true,
    ]);
    one.cluster.publishRefusedScan('B01', {
      at: 1,
      text: 'XX',
      code: 'unknown-card',
      message: 'No such card.',
      by: null,
    });
    await until(() => two.scans.length > 0, 'a scan is told');
    expect([one.scans, two.scans]).toEqual([[], ['B01 XX']]);
    const three = await open();
    await until(() => three.cluster.remoteTerminals.seatedAt('B01') === 749, 'a joining node receives the seats');
    await one.member.leave();
    await until(() => two.lostSeats.length > 0 && three.lostSeats.length > 0, 'it is over');
    expect(two.lostSeats[0]![0]).toBe(one.member.id);
    expect(Object.keys(two.lostSeats[0]![1])).toHaveLength(1_499);
    expect(two.cluster.remoteTerminals.seatedAt('B01')).toBe(0);
  });
});
