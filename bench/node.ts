// One of two nodes on a database, in a process of its own: it drives its share of the tables, and terminals of its own play there.
import { setTimeout } from 'node:timers/promises';
import { FloorRuntime } from '../src/runtime/floorRuntime.ts';
import { type TableRuntime } from '../src/runtime/tables/tableRuntime.ts';
import { nodeHandlers, tableStreams } from '../src/cluster/nodeHandlers.ts';
import { defaultLeaseMs } from '../src/cluster/leases.ts';
import { ClusterNode } from '../src/cluster/clusterNode.ts';
import { Membership } from '../src/store/postgres/membership.ts';
import { postgresStore } from '../src/store/postgres/postgresStore.ts';
import { demoOwner } from '../tests/runtime/demo.ts';
import { seatTerminals, pace, settings, benchDependencies } from './floor.ts';
import { endWithBench } from './child.ts';

/** What it is given: the database, the key of the property, how many terminals and connections are its own. */
export type NodeOptions = {
  readonly address: string;
  readonly key: string;
  readonly terminals: number;
  readonly connections: number;
};

/** What it says once it is open, and after each that it was told. */
export type NodeReport = { readonly times?: readonly number[] };

const { address, key: hex, terminals, connections } = JSON.parse(process.argv[2]!) as NodeOptions;
const key = Buffer.from(hex, 'hex');
const trouble = (what: string, error: unknown): void => void process.stderr.write(`${what}: ${String(error)}\n`);
const say = (told: NodeReport): void => void process.send!(told);

const member = await ClusterNode.start({
  membership: await Membership.open(address, { timeoutMs: defaultLeaseMs / 2 }),
  leaseMs: defaultLeaseMs,
  // Rounds here are longer than the bench: tables are handed over in the midst of one.
  handOverLimitMs: 0,
  mayLead: true,
  onClockError: () => {},
  onDatabaseFailure: (error) => trouble('away', error),
  onDatabaseReply: () => {},
  onWarning: trouble,
});
const how = await member.waitToStart(new AbortController().signal);
await member.connect({ key, host: '127.0.0.1', port: 0, clock: Date.now });
const store = await postgresStore(address, { maxConnections: connections });
let ids = 0;
const { world, end } = benchDependencies(store, key);
const floor = await FloorRuntime.open(demoOwner, settings, pace, {
  ...world,
  cluster: member.clusterPort(store),
  terminalNamespace: store.writerEpoch,
  isJoining: how === 'joins',
  newId: () => `${member.id}-${ids++}`,
  sleep: (time) => setTimeout(time),
  onWarning: trouble,
  onRetrying: trouble,
});
member.floorOpened({
  address: 'http://127.0.0.1/',
  tables: tableStreams(floor),
  handlers: nodeHandlers(floor, { signingChanged: () => {}, onWarning: trouble }),
});
await member.untilTablesLed(new AbortController().signal);
say({});

/** What it is told, one after another: to sit down once it drives so many tables, to play, to go. */
export type NodeRequest = { readonly sit: number } | { readonly play: number } | 'go';

endWithBench();

let played: Awaited<ReturnType<typeof seatTerminals>> | undefined;
process.on('message', async (told: NodeRequest) => {
  if (told === 'go') {
    played!.end();
    await member.leave();
    await store.close();
    process.disconnect();
    return;
  }
  if ('sit' in told) {
    const driven = (): readonly TableRuntime[] => [...floor.tables.values()].filter(({ isLeader }) => isLeader);
    while (driven().length !== told.sit) await setTimeout(10);
    played = await seatTerminals(floor, driven(), { store, terminals, name: member.id, end });
  } else {
    played!.times.length = 0;
    await played!.play(told.play);
  }
  say({ times: played!.times });
});
