import { type LeaseRenewalReply, type OtherNodeLease, type OtherNode } from '../store/postgres/membership.ts';

/** Default lease time in milliseconds. */
export const defaultLeaseMs = 4_000;

/** A node that was heard of this recently may still be alive: no lease lasts longer, in milliseconds. */
export const maxLiveNodeSilenceMs = 16_000;

/** Beyond this difference to the database clock a node takes no leases, in milliseconds. */
const maxClockErrorMs = 200;

/** Delay before a lease that may be free is requested, in milliseconds. */
const soonMs = 10;

export type NodeClocks = {
  /** Monotonic clocks with and without sleep; a lease ends by whichever went further. */
  readonly monotonic: () => readonly number[];
  /** Time of day. */
  readonly wall: () => number;
};

type LeasesOptions = NodeClocks & {
  /** Requests leases at the database, or renews them; `led` are the tables to record heartbeats for. */
  readonly renew: (wanted: readonly string[], led: readonly string[]) => Promise<LeaseRenewalReply>;
  readonly leaseMs: number;
  /** The clock is wrong by that many milliseconds, or right again. */
  readonly onClockError: (errorMs: number | undefined) => void;
  /** A lease was acquired. */
  readonly onTaken: (name: string) => void;
  /** A lease was lost, or lost and acquired again by another node in between. */
  readonly onLost: (name: string) => void;
};

type Lease = {
  /** Time of acquisition by the database clock; another time means that another node had it in between. */
  readonly since: number;
  /** Until when the lease is certain, by each clock. */
  readonly until: readonly number[];
};

/**
 * Leases by the clock of the database. This node counts from before its request, by monotonic clocks, and with a
 * safety margin. So neither a slow reply nor a long sleep makes it use an expired lease.
 */
export class NodeLeases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<string, Lease>();
  /** Whether the clock differs too much from the database clock; undefined before the first reply. */
  #isClockWrong: boolean | undefined;
  #others: ReadonlyMap<string, OtherNodeLease> = new Map();
  #nodes: readonly OtherNode[] = [];

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Leases as of the last reply, certain now or not. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  get nodes(): readonly OtherNode[] {
    return this.#nodes;
  }

  /** Leases of other nodes. */
  get others(): ReadonlyMap<string, OtherNodeLease> {
    return this.#others;
  }

  /** Without a right clock no leases are requested. */
  get isClockRight(): boolean {
    return this.#isClockWrong === false;
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  /** True if no other node can hold the lease now. */
  isCertain(name: string): boolean {
    const lease = this.#held.get(name);
    const now = this.#options.monotonic();
    return lease !== undefined && this.isClockRight && lease.until.every((until, index) => now[index]! < until);
  }

  /** Forgets a lease that this node has released. */
  release(name: string): void {
    this.#held.delete(name);
  }

  /** When to renew next: in time to keep leases, or when one may become free, in milliseconds. */
  nextRenewalMs(wanted: readonly string[]): number {
    const every = this.#options.leaseMs / 4;
    if (this.isClockRight && wanted.some((name) => !this.#held.has(name) && !this.#others.has(name))) return soonMs;
    return Math.min(every, ...[...this.#others.values()].map(({ left }) => Math.max(0, left) + soonMs));
  }

  /** Acquires or renews leases. With a wrong clock it only reads who holds them. */
  async renew(wanted: readonly string[], led: readonly string[]): Promise<void> {
    const { renew, leaseMs, monotonic, wall, onTaken, onLost } = this.#options;
    const [before, requestedAt] = [monotonic(), wall()];
    const { at, mine, others, nodes } = await renew(this.isClockRight ? wanted : [], led);
    this.#compareClocks(at, requestedAt, wall());
    this.#others = new Map(others.map((other) => [other.name, other]));
    this.#nodes = nodes;
    const kept = new Map(mine.map(({ name, since }) => [name, since]));
    for (const [name, { since }] of this.#held) {
      // After a mere read, a lease that no other node holds is still ours while it is certain.
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

  /** The reply was given between request and arrival; only a time outside that span is an error. */
  #compareClocks(at: number, requestedAt: number, repliedAt: number): void {
    const errorMs = at < requestedAt ? requestedAt - at : at > repliedAt ? at - repliedAt : 0;
    const isWrong = errorMs > maxClockErrorMs;
    if (isWrong !== (this.#isClockWrong ?? false))
      this.#options.onClockError(isWrong ? Math.round(errorMs) : undefined);
    this.#isClockWrong = isWrong;
  }
}
