import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { createFloorHandlersForCluster, tableStreamsOf } from '../../src/cluster/floorHandlersForCluster.ts';
import { defaultLeaseMs } from '../../src/cluster/nodeLeases.ts';
import { ClusterNode } from '../../src/cluster/clusterNode.ts';
import { ClusterMembership } from '../../src/store/postgres/clusterMembership.ts';
import { openPostgresWholeStoreReader, openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoCredit, demoOwner, demoSettings } from '../runtime/support/demo.ts';
import { seatPatron } from '../runtime/support/testDependencies.ts';
import { databases, server } from '../store/postgres/databases.ts';
import { reportToSoak } from '../times.ts';

/** Longest wait in milliseconds, generous for a slow machine. */
const maxWaitMs = 300_000;
const lasts = defaultLeaseMs;
const key = randomBytes(32);
const settings = demoSettings.slice(0, 4).map((setting) => ({
  ...setting,
  bettingTime: 250,
  grace: 20,
  pause: 20,
  interruption: maxWaitMs,
}));

/** A node with a real floor, in this process. */
class Node {
  readonly warnings: string[] = [];
  readonly types: string[] = [];
  isDead = false;
  how: string | undefined;
  member!: ClusterNode;
  floor!: FloorRuntime;
  close!: () => Promise<void>;

  static async open(address: string): Promise<Node> {
    const node = new Node();
    const ground = await ClusterMembership.open(address, { timeoutMs: lasts / 2 });
    const dead = async (): Promise<void> => {
      while (node.isDead) await setTimeout(5);
    };
    node.member = await ClusterNode.start({
      membership: {
        renew: async (...parameters) => {
          await dead();
          return ground.renew(...parameters);
        },
        beginEpochs: (...parameters) => ground.beginEpochs(...parameters),
        releaseLeases: (...parameters) => ground.releaseLeases(...parameters),
        readHeads: (streams) => ground.readHeads(streams),
        leave: (one) => ground.leave(one),
        close: () => ground.close(),
      },
      leaseMs: lasts,
      searchMs: maxWaitMs,
      mayLead: true,
      onClockError: () => {},
      onDatabaseFailure: (error) => node.warnings.push(String(error)),
      onDatabaseReply: () => {},
      onWarning: (what, error) => node.warnings.push(`${what}: ${String(error)}`),
    });
    const { member } = node;
    const how = await member.waitToStart(new AbortController().signal);
    node.how = how;
    await member.connect({ key, host: '127.0.0.1', port: 0, clock: () => Date.now() });
    const store = await openPostgresStore(address, { timeoutMs: 3_000 });
    node.close = async () => {
      node.isDead = false;
      await member.leave();
      await store.close();
    };
    let ids = 0;
    node.floor = await openFloor(
      demoOwner,
      settings,
      { betweenRounds: 20, betweenCards: 15 },
      {
        store,
        cluster: member.clusterPort(store),
        terminalNamespace: store.writerEpoch,
        isJoining: how === 'joins',
        clock: () => Date.now(),
        random: systemRandom,
        key,
        after: (span, run) => {
          const timer = globalThis.setTimeout(run, span);
          return () => clearTimeout(timer);
        },
        sleep: (span) => setTimeout(span),
        newId: () => `${member.id}-${(ids++).toString(16).padStart(8, '0')}`,
        publish: (_, entries) => node.types.push(...entries.map(({ event }) => event.type)),
        onWarning: (what, error) => node.warnings.push(`${what}: ${String(error)}`),
        onTableCrashed: (what, error) => node.warnings.push(`${what} stopped: ${String(error)}`),
        onRetrying: () => {},
        onRecovered: () => {},
        onFatal: (error) => node.warnings.push(`lost: ${String(error)}`),
      },
    );
    const onWarning = (what: string, error: unknown): void => void node.warnings.push(`${what}: ${String(error)}`);
    const handlers = { signingChanged: () => {}, onWarning };
    member.floorOpened({
      address: 'http://x/',
      tables: tableStreamsOf(node.floor),
      handlers: createFloorHandlersForCluster(node.floor, handlers),
    });
    return node;
  }

  get ledTables(): readonly string[] {
    return settings.map(({ table }) => table).filter((table) => this.floor.isLeading(table));
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > maxWaitMs) throw new Error(`Timed out: ${what}`);
    await setTimeout(5);
  }
}

describe('floors on one database', () => {
  const { createDatabase } = databases('floors');
  test('two floors share tables, take slips at both, hand over, take over, and verify', async () => {
    const address = `${server}/${await createDatabase()}`;
    const one = await Node.open(address);
    await until(() => one.ledTables.length === 4, 'one leads all');
    const two = await Node.open(address);
    onTestFinished(async () => {
      await Promise.all([one.close(), two.close()]);
    });
    expect([one.how, two.how]).toEqual(['first', 'joins']);
    await until(() => one.ledTables.length === 2 && two.ledTables.length === 2, 'two share');
    const counts = { taken: 0, codes: new Map<string, number>(), slowest: 0 };
    const over = new AbortController();
    const play = async (node: Node, name: string, n: number): Promise<void> => {
      const session = await seatPatron(node.floor, name, demoCredit);
      for (let k = 0; !over.signal.aborted; k++) {
        const table = node.floor.tables.get(settings[(k + n) % 4]!.table)!;
        if (!table.isOpen || table.table.round === null) {
          await setTimeout(5);
          continue;
        }
        const startedAt = performance.now();
        const result = await table.submit(`${name}-${k}`, {
          type: 'SetSlip',
          actor: { terminal: session },
          round: table.table.round.id,
          slip: { player: 1000 },
        });
        counts.slowest = Math.max(counts.slowest, performance.now() - startedAt);
        if ('entries' in result) counts.taken += 1;
        else counts.codes.set(result.refused, (counts.codes.get(result.refused) ?? 0) + 1);
        await setTimeout(10);
      }
    };
    const plays = [play(one, 'h1', 0), play(one, 'h2', 1), play(two, 'h3', 2), play(two, 'h4', 3)];
    const taken = async (more: number): Promise<void> => {
      const enough = counts.taken + more;
      await until(() => counts.taken >= enough, 'slips are taken');
    };
    await taken(100);
    // One node sleeps through its leases: the other leads its tables, and gives back a share later.
    one.isDead = true;
    const startedAt = performance.now();
    const before = one.ledTables;
    await until(() => two.ledTables.length === 4, 'the other leads all');
    reportToSoak(`floors: led again after ${Math.round(performance.now() - startedAt)} ms with a lease of ${lasts} ms`);
    await taken(50);
    one.isDead = false;
    await until(() => one.ledTables.length === 2 && two.ledTables.length === 2, 'two share again');
    expect(before).toHaveLength(2);
    await taken(100);
    // One node leaves in good order.
    expect(await one.member.handOver()).toBe(false);
    await until(() => two.ledTables.length === 4, 'the other leads all');
    await taken(50);
    over.abort();
    await Promise.all(plays);
    await two.floor.drain();
    reportToSoak(`floors: ${counts.taken} slips taken, the slowest after ${Math.round(counts.slowest)} ms`);
    const reader = await openPostgresWholeStoreReader(address);
    expect((await verifyStore(reader)).problem).toBeUndefined();
    await reader.close();
    expect(two.types.filter((type) => type === 'RoundVoided')).toEqual([]);
    expect(new Set(counts.codes.keys())).toEqual(new Set(['bets-closed']));
    expect([one.warnings, two.warnings]).toEqual([[], []]);
  });
});
