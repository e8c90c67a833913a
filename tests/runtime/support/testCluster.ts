import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { RemoteTerminalSeats } from '../../../src/runtime/terminals/remoteTerminalSeats.ts';
import { type ForwardResult, type ForwardedCommand, type ClusterPort } from '../../../src/runtime/ports/clusterPort.ts';
import { cannotRecordRefusal, resultUnknownRefusal } from '../../../src/runtime/stream/refusals.ts';
import { type Pace } from '../../../src/runtime/tables/pacing.ts';
import { type TableRuntime, type UncheckedTableSettings } from '../../../src/runtime/tables/tableRuntime.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type AppendRequest, type AppendResult, type Store } from '../../../src/store/store.ts';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from './demo.ts';
import { start, testDependencies } from './testDependencies.ts';

// Several floors on one event store in one process. The test decides who leads a table and which nodes are connected.

export type TestNode = ReturnType<typeof testDependencies> & { readonly name: string; readonly floor: FloorRuntime };
type Settings = readonly UncheckedTableSettings[];

/** The table after baccarat. */
export const secondTable = demoSettings[1]!.table;

/** Timeout of a forwarded command and the delay between its tries, in milliseconds. */
const forwardTimeoutMs = 8_000;
const retryDelayMs = 100;

export class TestCluster {
  readonly time = new TestClock(start);
  /** The event store, with hooks of the test around appends and reads of heads. */
  readonly store: Store;
  readonly nodes = new Map<string, TestNode>();
  /** Leader and fencing epoch by stream. */
  readonly #leases = new Map<string, { readonly node: string | undefined; readonly epoch: number }>();
  /** Nodes without a connection to any other. */
  readonly #cut = new Set<string>();
  /** True while notifications are lost. */
  areHintsLost = false;
  /** Hook before an append. */
  beforeAppend: (batch: AppendRequest) => Promise<void> | void = () => {};
  /** Hook after an append, before its result is returned. */
  afterAppend: (batch: AppendRequest) => Promise<void> | void = () => {};
  /** Hooks before and after the next read of all heads; each runs once. */
  beforeHeads: (() => Promise<void>) | undefined;
  afterHeads: (() => Promise<void>) | undefined;
  /** Hook after a look-up of command ids, before its result is returned. */
  afterFindCommands: (ids: readonly string[]) => Promise<void> | void = () => {};
  /** Accounts whose balance was read from the store. */
  readonly balancesRead: string[] = [];
  readonly #settings: Settings;
  readonly #pace: Pace;

  constructor(settings: Settings = demoSettings.slice(0, 2), pace = demoPace) {
    this.#settings = settings;
    this.#pace = pace;
    const store = createMemoryStore();
    this.store = {
      ...store,
      append: async (batch) => {
        await this.beforeAppend(batch);
        const appended = await store.append(batch);
        await this.afterAppend(batch);
        return appended;
      },
      heads: async () => {
        const [before, after] = [this.beforeHeads, this.afterHeads];
        this.beforeHeads = this.afterHeads = undefined;
        await before?.();
        const heads = await store.heads();
        await after?.();
        return heads;
      },
      findCommands: async (ids) => {
        const found = await store.findCommands(ids);
        await this.afterFindCommands(ids);
        return found;
      },
      balance: async (account) => {
        this.balancesRead.push(account);
        return store.balance(account);
      },
    };
  }

  /** Starts a node; the first one starts the floor, the others join. */
  async addNode(name: string, more: Partial<FloorDependencies> = {}): Promise<TestNode> {
    const test = testDependencies(this.store, name, this.time);
    const cluster = this.#clusterPortOf(name);
    const namespace = this.nodes.size + 1;
    const dependencies: FloorDependencies = {
      ...test.dependencies,
      cluster,
      terminalNamespace: namespace,
      isJoining: this.nodes.size > 0,
      ...more,
    };
    const floor = await openFloor(demoOwner, this.#settings, this.#pace, dependencies);
    const node = { ...test, name, floor };
    this.nodes.set(name, node);
    return node;
  }

  #clusterPortOf(name: string): ClusterPort {
    return {
      fencedStoreOf: (stream) => ({ ...this.store, append: (batch) => this.#append(name, stream, batch) }),
      forward: (stream, command) => this.#forward(name, stream, command),
      reportConnection: (stream, report) => {
        const leader = this.#leaderFor(name, stream);
        if (leader) leader.floor.connectionReported(stream, name, structuredClone(report));
      },
      publishHead: (stream, sequence) => {
        if (this.areHintsLost || this.#cut.has(name)) return;
        for (const other of this.nodes.values()) {
          if (other.name !== name && !this.#cut.has(other.name))
            void other.floor.readUpTo(new Map([[stream, sequence]]));
        }
      },
      publishValue: () => {},
      publishSeat: (terminal, location) => {
        for (const other of this.nodes.values()) {
          if (other.name === name) continue;
          const tables = this.#presences.get(other.name)!.update(name, { [terminal]: location });
          other.floor.seatsReceived(name, { [terminal]: location }, tables);
        }
      },
      remoteTerminals: this.#presenceOf(name),
      publishRefusedScan: (table, scan) => {
        for (const other of this.nodes.values()) if (other.name !== name) other.floor.refusedScanReceived(table, scan);
      },
    };
  }

  readonly #presences = new Map<string, RemoteTerminalSeats>();

  #presenceOf(name: string): RemoteTerminalSeats {
    const presence = new RemoteTerminalSeats();
    this.#presences.set(name, presence);
    return presence;
  }

  /** Kills a node: its connections end. */
  kill({ name }: TestNode): void {
    this.nodes.delete(name);
    for (const other of this.nodes.values())
      other.floor.nodeLost(name, this.#presences.get(other.name)!.removeNode(name));
  }

  /** The fencing epoch in which each node last led a table. */
  readonly #epochs = new Map<string, number>();

  async #append(name: string, stream: string, batch: AppendRequest): Promise<AppendResult> {
    await this.beforeAppend(batch);
    const epoch = this.#epochs.get(`${name} ${stream}`) ?? 0;
    const latest = this.#leases.get(stream)?.epoch ?? 0;
    // A lease raises the epoch before anything is appended.
    if (epoch < latest) return { refused: 'epoch-over', epoch: latest };
    const before = this.beforeAppend;
    this.beforeAppend = () => {};
    try {
      return await this.store.append({ ...batch, epoch });
    } finally {
      this.beforeAppend = before;
    }
  }

  #leaderFor(name: string, stream: string): TestNode | undefined {
    const holder = this.#leases.get(stream)?.node;
    if (holder === undefined || (holder !== name && (this.#cut.has(name) || this.#cut.has(holder)))) return undefined;
    return this.nodes.get(holder);
  }

  async #forward(name: string, stream: string, command: ForwardedCommand): Promise<ForwardResult> {
    const until = this.time.now + forwardTimeoutMs;
    const sent = JSON.parse(JSON.stringify(command)) as ForwardedCommand;
    let wasSent = false;
    while (this.time.now < until) {
      const leader = this.#leaderFor(name, stream);
      if (leader) {
        wasSent = true;
        const result = await leader.floor.execute(stream, sent);
        if (result !== 'moved') return result;
      }
      await new Promise<void>((resolve) => void this.time.after(retryDelayMs, resolve));
    }
    return wasSent ? resultUnknownRefusal : cannotRecordRefusal;
  }

  /** Gives the lease of a table to a node, with a new epoch, and lets it lead. */
  async takeLease({ name, floor }: TestNode, table: string, since?: number) {
    const stream = `${demoOwner.property}/table/${table}`;
    const epoch = (this.#leases.get(stream)?.epoch ?? 0) + 1;
    this.#leases.set(stream, { node: name, epoch });
    this.#epochs.set(`${name} ${stream}`, epoch);
    return floor.lead(table, since);
  }

  /** Ends the lease of a node, which follows from then on. */
  async releaseLease({ floor }: TestNode, table: string): Promise<void> {
    await floor.follow(table);
    const stream = `${demoOwner.property}/table/${table}`;
    this.#leases.set(stream, { node: undefined, epoch: this.#leases.get(stream)!.epoch });
  }

  disconnect(node: TestNode): void {
    this.#cut.add(node.name);
  }

  reconnect(node: TestNode): void {
    this.#cut.delete(node.name);
  }

  /** Gives every node the heads of all streams, as polling does. */
  async poll(): Promise<void> {
    const heads = new Map([...(await this.store.heads())].map(([stream, { sequence }]) => [stream, sequence]));
    await Promise.all([...this.nodes.values()].map(({ floor }) => floor.readUpTo(heads)));
  }

  /** Advances the time until the promise settles. */
  async waitFor<Answer>(result: Promise<Answer>): Promise<Answer> {
    let isSettled = false;
    void result.finally(() => (isSettled = true)).catch(() => {});
    await this.until(() => isSettled);
    return result;
  }

  /** Advances the time until the condition holds. */
  async until(condition: () => boolean, steps = 500): Promise<void> {
    for (let n = 0; !condition(); n++) {
      if (n === steps) throw new Error('The condition did not become true.');
      await this.time.step();
    }
    await flushPromises();
  }
}

export const tableAt = ({ floor }: TestNode, table = 'baccarat'): TableRuntime => floor.tables.get(table)!;

export const phaseAt = (node: TestNode, table?: string): string | undefined =>
  tableAt(node, table).processor.state?.phase;

/** Slip of a session for the current round. */
export const slipOf = (node: TestNode, session: string, stake: number, table?: string) => ({
  type: 'SetSlip',
  actor: { terminal: session },
  round: tableAt(node, table).table.round!.id,
  slip: stake === 0 ? {} : { player: stake },
});
