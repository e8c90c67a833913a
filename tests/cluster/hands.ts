import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type SeatLocations } from '../../src/runtime/ports/presence.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
  type ClusterPort,
} from '../../src/runtime/ports/clusterPort.ts';
import { type NodeHandlers } from '../../src/cluster/nodeHandlers.ts';
import { ClusterNode } from '../../src/cluster/clusterNode.ts';
import { Membership } from '../../src/store/postgres/membership.ts';
import { postgresStore } from '../../src/store/postgres/postgresStore.ts';
import { type Store } from '../../src/store/store.ts';
import { entry } from '../store/storeContract.ts';

/** Long enough that a busy machine renews it in time. */
export const lasts = 3_000;
const key = randomBytes(32);

export const tables = Array.from({ length: 6 }, (_, n) => `demo/table/T${n}`);

/** Waits until something is so; nothing here takes minutes, on the busiest machine. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const begun = performance.now();
  while (!isSo()) {
    if (performance.now() - begun > 240_000) throw new Error(`For long it is not so: ${what}`);
    await setTimeout(5);
  }
}

export type Wishes = {
  readonly mayDrive?: boolean;
  /** By how much the clock of its machine is wrong, in milliseconds. */
  readonly wrong?: number;
  readonly late?: number;
  readonly search?: number;
};

/** A node in this process, with a floor that only takes down what it is told to do. */
export class Hands implements NodeHandlers {
  readonly member: ClusterNode;
  readonly store: Store;
  readonly shared: ClusterPort;
  readonly how: 'first' | 'joins' | undefined;
  /** What happened, in order. */
  readonly log: string[] = [];
  readonly since = new Map<string, number | undefined>();
  readonly heads = new Map<string, number>();
  readonly links: (readonly [stream: string, from: string, told: ConnectionReport])[] = [];
  readonly asides: string[] = [];
  readonly places: (readonly [from: string, places: SeatLocations])[] = [];
  readonly parting: (readonly [from: string, places: SeatLocations])[] = [];
  readonly scans: string[] = [];
  readonly #world: World;
  isKeeper = false;
  /** Whether tables come to rest by themselves, and whether they do when it is late. */
  rests = true;
  restsLate = true;

  private constructor(member: ClusterNode, store: Store, how: Hands['how'], world: World) {
    this.member = member;
    this.store = store;
    this.shared = member.clusterPort(store);
    this.how = how;
    this.#world = world;
  }

  /** Comes to a database, as far as being let in. */
  static async come(address: string, cleanUp: CleanUp, wishes: Wishes = {}): Promise<Hands> {
    const { mayDrive = true, wrong = 0, late, search } = wishes;
    const world: World = { isAsleep: false, far: [], troubles: [], away: 0, renewals: 0, changes: [] };
    const ground = await Membership.open(address, { timeoutMs: lasts / 2 });
    const frozen = { at: 0 };
    const member = await ClusterNode.start({
      membership: {
        renew: async (...asked) => {
          // Whoever sleeps has sent nothing, or hears of nothing.
          await awake(world);
          const answer = await ground.renew(...asked);
          await awake(world);
          return answer;
        },
        beginEpochs: (...asked) => ground.beginEpochs(...asked),
        releaseLeases: (...asked) => ground.releaseLeases(...asked),
        readHeads: async (streams) => {
          await awake(world);
          return ground.readHeads(streams);
        },
        leave: (node) => ground.leave(node),
        close: () => ground.close(),
      },
      leaseMs: lasts,
      mayLead: mayDrive,
      ...(late !== undefined && { handOverLimitMs: late }),
      ...(search !== undefined && { searchMs: search }),
      monotonic: () => {
        if (!world.isAsleep) frozen.at = performance.now();
        return [frozen.at];
      },
      wall: () => Date.now() + wrong,
      onClockError: (by) => world.far.push(by),
      onDatabaseFailure: () => (world.away += 1),
      onDatabaseReply: () => (world.renewals += 1),
      onLeaseChange: (_, how) => world.changes.push(how),
      onWarning: (what, error) => world.troubles.push(`${what}: ${(error as Error).message}`),
    });
    let store: Store | undefined;
    cleanUp(async () => {
      world.isAsleep = false;
      await member.leave();
      await store?.close();
    });
    const how = await member.waitToStart(new AbortController().signal);
    await member.connect({ key, host: '127.0.0.1', port: 0, clock: () => Date.now() });
    store = await postgresStore(address, { timeoutMs: lasts });
    return new Hands(member, store, how, world);
  }

  /** Comes, and takes tables. */
  static async open(address: string, cleanUp: CleanUp, wishes: Wishes = {}): Promise<Hands> {
    const hands = await Hands.come(address, cleanUp, wishes);
    hands.opens();
    return hands;
  }

  opens(): void {
    this.member.floorOpened({ address: `http://${this.member.id}/`, tables, handlers: this });
  }

  get world(): World {
    return this.#world;
  }

  get driven(): readonly string[] {
    return tables.filter((table) => this.member.isLeading(table));
  }

  /** Its timers stand still, and so do its clocks: it does not know of it. */
  sleep(is: boolean): void {
    this.#world.isAsleep = is;
  }

  lead = async (stream: string, since: number | undefined): Promise<undefined> => {
    this.log.push(`drive ${stream}`);
    this.since.set(stream, since);
  };

  follow = async (stream: string): Promise<void> => {
    this.log.push(`follow ${stream}`);
  };

  mayHandOver = (_: string, isLate: boolean): boolean => this.rests || (isLate && this.restsLate);

  /** Each command is one entry; an id that is there is answered by it. */
  execute = async (stream: string, { id }: ForwardedCommand): Promise<ForwardResult | 'moved'> => {
    await awake(this.#world);
    for (;;) {
      const known = (await this.store.findCommands([id])).get(id);
      if (known) return { from: known.sequence, to: known.sequence };
      const after = (await this.store.heads()).get(stream)?.sequence ?? 0;
      const answer = await this.shared.fencedStoreOf(stream).append({ stream, after, entries: [entry(1, [], id)] });
      if ('entries' in answer) {
        this.shared.publishHead(stream, after + 1);
        return { from: after + 1, to: after + 1 };
      }
      if (answer.refused === 'epoch-over') return 'moved';
    }
  };

  connectionReported = (stream: string, from: string, told: ConnectionReport): void =>
    void this.links.push([stream, from, told]);

  readUpTo = async (heads: ReadonlyMap<string, number>): Promise<void> => {
    for (const [stream, sequence] of heads) this.heads.set(stream, sequence);
  };

  streamsInMemory = (): readonly string[] => tables;

  valueChanged = (kind: string, id: string): void => void this.asides.push(`${kind} ${id}`);

  seatsReceived = (from: string, places: SeatLocations): void => void this.places.push([from, places]);

  nodeLost = (from: string, places: SeatLocations): void => void this.parting.push([from, places]);

  refusedScanReceived = (table: string, { text }: RefusedScan): void => void this.scans.push(`${table} ${text}`);

  signingChanged = (isKeeper: boolean): void => void (this.isKeeper = isKeeper);
}

/** Registers what ends a node, whether its test passes or fails. */
export type CleanUp = (end: () => Promise<void>) => void;

type World = {
  isAsleep: boolean;
  readonly far: (number | undefined)[];
  readonly troubles: string[];
  away: number;
  /** How often the database has answered it. */
  renewals: number;
  readonly changes: string[];
};

async function awake(world: World): Promise<void> {
  while (world.isAsleep) await setTimeout(5);
}

/** Each table is driven by just one of them, and none has more than an even share. */
export const areShared = (...nodes: readonly Hands[]): boolean =>
  tables.every((table) => nodes.filter(({ driven }) => driven.includes(table)).length === 1) &&
  nodes.every(({ driven }) => driven.length <= Math.ceil(tables.length / nodes.length));

export const asking = (id: string): ForwardedCommand => ({
  id,
  request: { type: 'Say', actor: { system: 'x' } },
  context: {},
  readPositions: {},
});

/** Each of these nodes renews its leases so many more times: time in which anything that is to happen happens. */
export async function renewed(nodes: readonly Hands[], more = 4): Promise<void> {
  const enough = nodes.map(({ world }) => world.renewals + more);
  await until(() => nodes.every(({ world }, place) => world.renewals >= enough[place]!), 'leases are renewed');
}
