import { type LeaseRenewalReply, type OtherNodeLease, type OtherNode } from '../store/postgres/clusterMembership.ts';

export const defaultLeaseMs = 4_000;

/**
 * A node that has sent no heartbeat for this time and holds no lease counts as dead, in milliseconds. With the longest
 * lease, 60 s, a live node sends a heartbeat every 15 s.
 */
export const maxLiveNodeSilenceMs = 16_000;

/**
 * Maximum difference between the clock of a node and the database clock, in milliseconds. Beyond this difference the
 * node requests no leases.
 */
const maxClockErrorMs = 200;

/** Delay before a lease that may be free is requested, in milliseconds. */
const soonMs = 10;

export type NodeClocks = {
  /**
   * Monotonic clocks in milliseconds: one that counts the sleep of the machine and one that does not. A lease ends by
   * the clock that has advanced more.
   */
  readonly monotonic: () => readonly number[];
  /** Time of day, in milliseconds since 1970. */
  readonly wall: () => number;
};

type LeasesOptions = NodeClocks & {
  /** Requests or renews leases at the database, and records heartbeats of the tables `led`. */
  readonly renew: (wanted: readonly string[], led: readonly string[]) => Promise<LeaseRenewalReply>;
  readonly leaseMs: number;
  /** Called when the clock is wrong by `errorMs` milliseconds, or right again (undefined). */
  readonly onClockError: (errorMs: number | undefined) => void;
  /** Called when this node has acquired a lease. */
  readonly onTaken: (name: string) => void;
  /** Called when this node has lost a lease: another node holds the lease now, or held it between two renewals. */
  readonly onLost: (name: string) => void;
};

type Lease = {
  /**
   * When the lease was acquired, by the database clock. If this time changes, another node had the lease in between.
   */
  readonly since: number;
  /** Time until which the lease is certain, by each monotonic clock. */
  readonly until: readonly number[];
};

/**
 * Leases of one node. The database grants leases by its own clock. The node counts the time of a lease from the moment
 * before it sends the request, by monotonic clocks and with a safety margin. So neither a slow reply nor a long sleep
 * of the machine makes the node use an expired lease.
 */
export class NodeLeases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, Lease>();
  /** True if the clock of this node differs too much from the database clock; undefined before the first reply. */
  #isClockWrong: boolean | undefined;
  #others: ReadonlyMap<string, OtherNodeLease> = new Map();
  #nodes: readonly OtherNode[] = [];

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Names of the leases of this node as of the last reply; some may be uncertain by now. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  get nodes(): readonly OtherNode[] {
    return this.#nodes;
  }

  /** Leases of other nodes as of the last reply, by name. */
  get others(): ReadonlyMap<string, OtherNodeLease> {
    return this.#others;
  }

  /** True if the clock is close to the database clock. Otherwise no leases are requested. */
  get isClockRight(): boolean {
    return this.#isClockWrong === false;
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  /** True if this node holds the lease, and no other node can hold it now. */
  isCertain(name: string): boolean {
    const lease = this.#held.get(name);
    const now = this.#options.monotonic();
    return lease !== undefined && this.isClockRight && lease.until.every((until, index) => now[index]! < until);
  }

  /** Forgets a lease that this node has released. */
  release(name: string): void {
    this.#held.delete(name);
  }

  /** Milliseconds until the next renewal: a quarter of the lease time, or less if a lease may become free earlier. */
  nextRenewalMs(wanted: readonly string[]): number {
    const every = this.#options.leaseMs / 4;
    if (this.isClockRight && wanted.some((name) => !this.#held.has(name) && !this.#others.has(name))) return soonMs;
    return Math.min(every, ...[...this.#others.values()].map(({ left }) => Math.max(0, left) + soonMs));
  }

  /** Acquires or renews leases. With a wrong clock, requests no leases and only reads which node holds them. */
  async renew(wanted: readonly string[], led: readonly string[]): Promise<void> {
    const { renew, leaseMs, monotonic, wall, onTaken, onLost } = this.#options;
    const [before, requestedAt] = [monotonic(), wall()];
    const { at, mine, others, nodes } = await renew(this.isClockRight ? wanted : [], led);
    this.#compareClocks(at, requestedAt, wall());
    this.#others = new Map(others.map((other) => [other.name, other]));
    this.#nodes = nodes;
    const kept = new Map(mine.map(({ name, since }) => [name, since]));
    for (const [name, { since }] of this.#held) {
      // A renewal that requested no leases returns no leases of this node. After such a renewal, this node keeps those
      // of its leases that no other node holds.
      if (kept.has(name) ? kept.get(name) === since : !this.#others.has(name)) continue;
      this.#held.delete(name);
      onLost(name);
    }
    const until = before.map((time) => time + leaseMs - leaseMs / 8);
    for (const { name, since } of mine) {
      const isNew = !this.#held.has(name);
      this.#held.set(name, { since, until });
      if (isNew) onTaken(name);
    }
  }

  /**
   * Compares the clock of this node with the time `at` in a reply of the database. The database read its clock between
   * the request and the arrival of the reply. So only a time outside that span is an error.
   */
  #compareClocks(at: number, requestedAt: number, repliedAt: number): void {
    const errorMs = at < requestedAt ? requestedAt - at : at > repliedAt ? at - repliedAt : 0;
    const isWrong = errorMs > maxClockErrorMs;
    if (isWrong !== (this.#isClockWrong ?? false))
      this.#options.onClockError(isWrong ? Math.round(errorMs) : undefined);
    this.#isClockWrong = isWrong;
  }
}
