// One of two nodes of a cluster, in a process of its own. It leads half of the tables and has terminals that play there.
import { setTimeout } from 'node:timers/promises';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { type TableRuntime } from '../../src/runtime/tables/tableRuntime.ts';
import { createFloorHandlersForCluster, tableStreamsOf } from '../../src/cluster/floorHandlersForCluster.ts';
import { defaultLeaseMs } from '../../src/cluster/nodeLeases.ts';
import { ClusterNode } from '../../src/cluster/clusterNode.ts';
import { ClusterMembership } from '../../src/store/postgres/clusterMembership.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { demoOwner } from '../../tests/runtime/support/demo.ts';
import { seatTerminals, pace, settings, benchDependencies } from '../floor.ts';
import { endWithBench } from '../support/child.ts';

export type NodeOptions = {
  readonly address: string;
  readonly key: string;
  readonly terminals: number;
  readonly connections: number;
};

/** Sent when the node is open, and after each request. Times are milliseconds per slip. */
export type NodeReport = { readonly times?: readonly number[] };

const { address, key: keyHex, terminals, connections } = JSON.parse(process.argv[2]!) as NodeOptions;
const key = Buffer.from(keyHex, 'hex');
const logError = (what: string, error: unknown): void => void process.stderr.write(`${what}: ${String(error)}\n`);
const report = (message: NodeReport): void => void process.send!(message);

const node = await ClusterNode.start({
  membership: await ClusterMembership.open(address, { timeoutMs: defaultLeaseMs / 2 }),
  leaseMs: defaultLeaseMs,
  // Rounds here are longer than the bench, so tables are handed over within a round.
  handOverLimitMs: 0,
  mayLead: true,
  onClockError: () => {},
  onDatabaseFailure: (error) => logError('away', error),
  onDatabaseReply: () => {},
  onWarning: logError,
});
const startRole = await node.waitToStart(new AbortController().signal);
await node.connect({ key, host: '127.0.0.1', port: 0, clock: Date.now });
const store = await openPostgresStore(address, { maxConnections: connections });
let ids = 0;
const { dependencies, end } = benchDependencies(store, key);
const floor = await openFloor(demoOwner, settings, pace, {
  ...dependencies,
  cluster: node.clusterPort(store),
  terminalNamespace: store.writerEpoch,
  isJoining: startRole === 'joins',
  newId: () => `${node.id}-${ids++}`,
  sleep: (time) => setTimeout(time),
  onWarning: logError,
  onRetrying: logError,
});
node.floorOpened({
  address: 'http://127.0.0.1/',
  tables: tableStreamsOf(floor),
  handlers: createFloorHandlersForCluster(floor, { signingChanged: () => {}, onWarning: logError }),
});
await node.untilTablesLed(new AbortController().signal);
report({});

/** Requests in order: seat the terminals once the node leads `sit` tables, play `play` slips each, leave. */
export type NodeRequest = { readonly sit: number } | { readonly play: number } | 'go';

endWithBench();

let seated: Awaited<ReturnType<typeof seatTerminals>> | undefined;
process.on('message', async (request: NodeRequest) => {
  if (request === 'go') {
    seated!.end();
    await node.leave();
    await store.close();
    process.disconnect();
    return;
  }
  if ('sit' in request) {
    const ledTables = (): readonly TableRuntime[] => [...floor.tables.values()].filter(({ isLeader }) => isLeader);
    while (ledTables().length !== request.sit) await setTimeout(10);
    seated = await seatTerminals(floor, ledTables(), { store, terminals, name: node.id, end });
  } else {
    seated!.times.length = 0;
    await seated!.play(request.play);
  }
  report({ times: seated!.times });
});
