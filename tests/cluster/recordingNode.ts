import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type ForwardResult,
  type ForwardedCommand,
  type SessionConnectionReport,
  type RefusedScan,
  type ClusterPort,
  type TerminalSeats,
} from '../../src/runtime/ports/clusterPort.ts';
import { type FloorHandlersForCluster } from '../../src/cluster/floorHandlersForCluster.ts';
import { ClusterNode } from '../../src/cluster/clusterNode.ts';
import { ClusterMembership } from '../../src/store/postgres/clusterMembership.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { type Store } from '../../src/store/store.ts';
import { entry } from '../store/storeContract.ts';

/** Long enough that a busy machine renews it in time. */
export const leaseMs = 3_000;
const key = randomBytes(32);

export const tables = Array.from({ length: 6 }, (_, n) => `demo/table/T${n}`);

/** Waits until the condition holds. The limit is generous, for a busy machine. */
export async function until(condition: () => boolean, description: string): Promise<void> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > 240_000) throw new Error(`Timed out: ${description}`);
    await setTimeout(5);
  }
}

export type NodeOptions = {
  readonly mayLead?: boolean;
  /** Error of the wall clock of the node, in milliseconds. */
  readonly clockErrorMs?: number;
  readonly handOverLimitMs?: number;
  readonly searchMs?: number;
};

/** Node in this process whose floor only records the calls of the cluster. */
export class RecordingNode implements FloorHandlersForCluster {
  readonly member: ClusterNode;
  readonly store: Store;
  readonly cluster: ClusterPort;
  readonly startMode: 'first' | 'joins' | undefined;
  /** Calls of `lead` and `follow`, in order. */
  readonly log: string[] = [];
  readonly since = new Map<string, number | undefined>();
  readonly heads = new Map<string, number>();
  readonly connectionReports: (readonly [stream: string, from: string, report: SessionConnectionReport])[] = [];
  readonly changedValues: string[] = [];
  readonly seats: (readonly [from: string, places: TerminalSeats])[] = [];
  readonly lostSeats: (readonly [from: string, places: TerminalSeats])[] = [];
  readonly scans: string[] = [];
  readonly #observed: Observations;
  isSigner = false;
  /** Whether tables may be handed over, before and after the hand-over limit. */
  isQuiet = true;
  isQuietWhenLate = true;

  private constructor(
    member: ClusterNode,
    store: Store,
    startMode: RecordingNode['startMode'],
    observed: Observations,
  ) {
    this.member = member;
    this.store = store;
    this.cluster = member.clusterPort(store);
    this.startMode = startMode;
    this.#observed = observed;
  }

  /** Joins the cluster of a database, without an open floor. */
  static async join(address: string, cleanUp: CleanUp, options: NodeOptions = {}): Promise<RecordingNode> {
    const { mayLead = true, clockErrorMs = 0, handOverLimitMs, searchMs } = options;
    const observed: Observations = {
      isAsleep: false,
      clockErrors: [],
      warnings: [],
      databaseFailures: 0,
      renewals: 0,
      leaseChanges: [],
    };
    const membership = await ClusterMembership.open(address, { timeoutMs: leaseMs / 2 });
    const frozen = { at: 0 };
    const member = await ClusterNode.start({
      membership: {
        renew: async (...parameters) => {
          // A sleeping node sends nothing and receives nothing.
          await waitUntilAwake(observed);
          const result = await membership.renew(...parameters);
          await waitUntilAwake(observed);
          return result;
        },
        beginEpochs: (...parameters) => membership.beginEpochs(...parameters),
        releaseLeases: (...parameters) => membership.releaseLeases(...parameters),
        readHeads: async (streams) => {
          await waitUntilAwake(observed);
          return membership.readHeads(streams);
        },
        leave: (node) => membership.leave(node),
        close: () => membership.close(),
      },
      leaseMs,
      mayLead,
      ...(handOverLimitMs !== undefined && { handOverLimitMs }),
      ...(searchMs !== undefined && { searchMs }),
      monotonic: () => {
        if (!observed.isAsleep) frozen.at = performance.now();
        return [frozen.at];
      },
      wall: () => Date.now() + clockErrorMs,
      onClockError: (by) => observed.clockErrors.push(by),
      onDatabaseFailure: () => (observed.databaseFailures += 1),
      onDatabaseReply: () => (observed.renewals += 1),
      onLeaseChange: (_, startMode) => observed.leaseChanges.push(startMode),
      onWarning: (description, error) => observed.warnings.push(`${description}: ${(error as Error).message}`),
    });
    let store: Store | undefined;
    cleanUp(async () => {
      observed.isAsleep = false;
      await member.leave();
      await store?.close();
    });
    const startMode = await member.waitToStart(new AbortController().signal);
    await member.connect({ key, host: '127.0.0.1', port: 0, clock: () => Date.now() });
    store = await openPostgresStore(address, { timeoutMs: leaseMs });
    return new RecordingNode(member, store, startMode, observed);
  }

  /** Joins and opens the floor, so that the node takes tables. */
  static async open(address: string, cleanUp: CleanUp, options: NodeOptions = {}): Promise<RecordingNode> {
    const node = await RecordingNode.join(address, cleanUp, options);
    node.openFloor();
    return node;
  }

  openFloor(): void {
    this.member.floorOpened({ address: `http://${this.member.id}/`, tables, handlers: this });
  }

  get observed(): Observations {
    return this.#observed;
  }

  get ledTables(): readonly string[] {
    return tables.filter((table) => this.member.isLeading(table));
  }

  /** Stops timers and clocks of the node, as the sleep of a machine does. */
  setAsleep(is: boolean): void {
    this.#observed.isAsleep = is;
  }

  lead = async (stream: string, since: number | undefined): Promise<undefined> => {
    this.log.push(`lead ${stream}`);
    this.since.set(stream, since);
  };

  follow = async (stream: string): Promise<void> => {
    this.log.push(`follow ${stream}`);
  };

  mayHandOver = (_: string, isLate: boolean): boolean => this.isQuiet || (isLate && this.isQuietWhenLate);

  /** Each command is one entry; a repeated id returns the existing entry. */
  execute = async (stream: string, { id }: ForwardedCommand): Promise<ForwardResult | 'moved'> => {
    await waitUntilAwake(this.#observed);
    for (;;) {
      const existing = (await this.store.findCommands([id])).get(id);
      if (existing) return { from: existing.sequence, to: existing.sequence };
      const after = (await this.store.heads()).get(stream)?.sequence ?? 0;
      const result = await this.cluster.fencedStoreOf(stream).append({ stream, after, entries: [entry(1, [], id)] });
      if ('entries' in result) {
        this.cluster.publishHead(stream, after + 1);
        return { from: after + 1, to: after + 1 };
      }
      if (result.refused === 'epoch-over') return 'moved';
    }
  };

  connectionReported = (stream: string, from: string, report: SessionConnectionReport): void =>
    void this.connectionReports.push([stream, from, report]);

  readUpTo = async (heads: ReadonlyMap<string, number>): Promise<void> => {
    for (const [stream, sequence] of heads) this.heads.set(stream, sequence);
  };

  streamsInMemory = (): readonly string[] => tables;

  valueChanged = (kind: string, id: string): void => void this.changedValues.push(`${kind} ${id}`);

  seatsReceived = (from: string, locations: TerminalSeats): void => void this.seats.push([from, locations]);

  nodeLost = (from: string, locations: TerminalSeats): void => void this.lostSeats.push([from, locations]);

  refusedScanReceived = (table: string, { text }: RefusedScan): void => void this.scans.push(`${table} ${text}`);

  signingChanged = (isSigner: boolean): void => void (this.isSigner = isSigner);
}

/** Registers the end of a node, run whether its test passes or fails. */
export type CleanUp = (end: () => Promise<void>) => void;

type Observations = {
  isAsleep: boolean;
  readonly clockErrors: (number | undefined)[];
  readonly warnings: string[];
  databaseFailures: number;
  /** Number of lease renewals that the database has answered. */
  renewals: number;
  readonly leaseChanges: string[];
};

async function waitUntilAwake(observed: Observations): Promise<void> {
  while (observed.isAsleep) await setTimeout(5);
}

/** Each table has exactly one leader, and no node leads more than an even share. */
export const areTablesShared = (...nodes: readonly RecordingNode[]): boolean =>
  tables.every((table) => nodes.filter(({ ledTables }) => ledTables.includes(table)).length === 1) &&
  nodes.every(({ ledTables }) => ledTables.length <= Math.ceil(tables.length / nodes.length));

export const forwardedCommand = (id: string): ForwardedCommand => ({
  id,
  request: { type: 'Say', actor: { system: 'x' } },
  context: {},
  readPositions: {},
});

/** Waits until each node has renewed its leases `more` times: enough time for anything that is going to happen. */
export async function waitForRenewals(nodes: readonly RecordingNode[], more = 4): Promise<void> {
  const enough = nodes.map(({ observed }) => observed.renewals + more);
  await until(() => nodes.every(({ observed }, index) => observed.renewals >= enough[index]!), 'leases are renewed');
}
