import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLeaseMs } from '../src/cluster/nodeLeases.ts';
import { demoSettings } from '../tests/runtime/support/demo.ts';
import { NodeProcess } from '../tests/cluster/nodeProcess.ts';
import { PatronSocket, secretOf } from '../tests/server/support/testServer.ts';
import { freePort } from '../tests/freePort.ts';
import { PostgresServer, hasBinaries, installation } from '../tests/store/postgres/postgres.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, medianAndP99, percentile } from './support/measure.ts';
import { noPostgres } from './postgres.ts';

type Counts = {
  readonly warmUpSlips: number;
  readonly slips: number;
  readonly leaseMs: number;
  /** Tables that the follower leads before the bench begins. A table in a round is handed over after a minute. */
  readonly ledByFollower: number;
};

const sizes: Sizes<Counts> = {
  full: { warmUpSlips: 20, slips: 300, leaseMs: defaultLeaseMs, ledByFollower: demoSettings.length / 2 },
  short: { warmUpSlips: 1, slips: 3, leaseMs: 1_000, ledByFollower: 0 },
};

/** A slip at the node that leads its table and at a follower, in turns; and how soon the follower leads all tables after a kill. */
export async function* nodesBench(size: BenchSize): AsyncGenerator<string> {
  const { warmUpSlips, slips, leaseMs, ledByFollower } = sizes[size];
  yield 'nodes (two processes on one PostgreSQL; ratio of a slip at a follower to one at the leader of its table)';
  if (!hasBinaries) {
    yield noPostgres;
    return;
  }
  const root = mkdtempSync(join(tmpdir(), 'punto-bench-nodes-'));
  const { folder, remove } = installation();
  let server: PostgresServer | undefined;
  const nodes: NodeProcess[] = [];
  const guests: PatronSocket[] = [];
  try {
    server = await PostgresServer.create(folder, 'bench', 'fsync=on');
    await server.withClient('postgres', (client) => client.query('CREATE DATABASE punto'));
    const screens = join(root, 'screens');
    mkdirSync(screens);
    writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Punto</title>');
    for (let n = 0; n < 2; n++) {
      const options = {
        address: server.urlOf('punto'),
        folder: join(root, 'data'),
        screens,
        port: await freePort(),
        leaseMs,
        bettingTime: 600_000,
      };
      nodes.push(new NodeProcess(options, process.env['NODE_COMPILE_CACHE'] ?? join(root, 'compiled'), () => {}));
    }
    const [leader, follower] = nodes as [NodeProcess, NodeProcess];
    leader.start();
    await leader.until(() => leader.isOpen, 'opened');
    follower.start();
    await follower.until(
      () => follower.isOpen && follower.ledTables.length >= ledByFollower,
      'led its share of the tables',
    );
    const table = leader.ledTables[0]!;
    for (const [n, node] of nodes.entries()) guests.push(await PatronSocket.join(node, secretOf(String(n + 1)), table));
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < warmUpSlips + slips; n++) {
      for (const [index, guest] of guests.entries()) {
        const time = await slipOf(guest, table, n);
        if (n >= warmUpSlips) times[index as 0 | 1].push(time);
      }
    }
    const [atLeader, atFollower] = times;
    const ratio = (part: number): string => figure(percentile(atFollower, part) / percentile(atLeader, part));
    yield `  from slip to acknowledgement at the leader: ${medianAndP99(atLeader)}`;
    yield `  at the follower: ${medianAndP99(atFollower)}; ${ratio(0.5)} times the leader at the median, ${ratio(0.99)} times at p99`;
    const killedAt = performance.now();
    await leader.signal('SIGKILL');
    await follower.until(() => follower.ledTables.length === demoSettings.length, 'led all tables');
    const seconds = (performance.now() - killedAt) / 1_000;
    yield `  the follower leads all ${demoSettings.length} tables ${figure(seconds)} s after a kill of the leader, with a lease of ${leaseMs / 1_000} s`;
  } finally {
    for (const guest of guests) guest.terminate();
    await Promise.all(nodes.filter(({ isRunning }) => isRunning).map((node) => node.signal('SIGKILL')));
    await server?.end();
    remove();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Milliseconds from a slip to its acknowledgement. */
async function slipOf(guest: PatronSocket, table: string, n: number): Promise<number> {
  const round = await guest.bettingRound();
  const id = `bench-slip-${n}`;
  const from = guest.received.length;
  const sentAt = performance.now();
  guest.send({ type: 'slip', id, table, round, slip: { banker: 100 + (n % 2) * 100 } });
  await guest.receive('accepted', (reply) => reply.id === id, from);
  return performance.now() - sentAt;
}
