import { type BegunFencingEpoch } from '../store/postgres/clusterMembership.ts';
import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';

/** Default time after which a table is handed over even during a round, in milliseconds. */
export const defaultHandOverLimitMs = 60_000;

/** Interval at which tables are checked for a hand-over, in milliseconds. */
const handOverCheckMs = 10;

type TableLeadershipOptions = {
  readonly handlers: FloorHandlersForCluster;
  /** True when this node holds the lease of a table as of the last reply of the database. */
  readonly isHeld: (stream: string) => boolean;
  readonly surplus: () => number;
  readonly handOverLimitMs: number;
  /** Begins new fencing epochs of streams whose leases this node holds. */
  readonly beginEpochs: (streams: readonly string[]) => Promise<ReadonlyMap<string, BegunFencingEpoch>>;
  /** Releases the lease of a table. Until the release is done, the node must not request the lease again. */
  readonly releaseLease: (stream: string) => Promise<void>;
  readonly onLeading: (stream: string) => void;
  /** Called when this node takes, loses or hands over a lease. The metrics count these changes. */
  readonly onLeaseChange: (stream: string, how: LeaseChange) => void;
  readonly onWarning: (what: string, error: unknown) => void;
  /** Monotonic clock in milliseconds; by default the clock of the process. */
  readonly now?: () => number;
};

/** Change of a lease of this node: acquired, lost to another node, or handed over (`given`). */
export type LeaseChange = 'taken' | 'lost' | 'given';

/**
 * Leadership of tables at one node: takes over, leads, loses and hands over tables. Tasks of the same table run one at
 * a time.
 */
export class TableLeadership {
  readonly #options: TableLeadershipOptions;
  /** Fencing epoch of each table that this node has taken over. */
  readonly #epochs = new Map<string, number>();
  readonly #led = new Set<string>();
  readonly #handingOver = new Set<string>();
  /** Tables in the last step of a hand-over. Their leases are not requested again. */
  readonly #released = new Set<string>();
  /** Running task of each table. The next task of the table waits for it. */
  readonly #tasks = new Map<string, Promise<void>>();
  readonly #taking = new Map<string, Promise<void>>();
  /** Message of the last reported failure of each table. */
  readonly #reported = new Map<string, string>();
  /** Time since which this node holds the lease of a table, but could not take the table over. */
  readonly #stuckSince = new Map<string, number>();
  /** Time since which a table has no leader. */
  readonly #unledSince = new Map<string, number>();
  #surplusSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  readonly #now: () => number;

  constructor(options: TableLeadershipOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#options = options;
  }

  /** Tables that this node leads. Each renewal of the leases records a heartbeat of these tables. */
  get led(): readonly string[] {
    return [...this.#led];
  }

  isLeading(stream: string): boolean {
    return this.#led.has(stream);
  }

  /** Longest time for which any table has had no leader, in milliseconds; 0 if all tables have a leader. */
  get maxUnledMs(): number {
    return this.#unledSince.size === 0 ? 0 : this.#now() - Math.min(...this.#unledSince.values());
  }

  /**
   * Milliseconds since the table lost its leader, or since this node first failed to take the table over, whichever is
   * more. 0 if neither has happened.
   */
  stuckMs(stream: string): number {
    const held = this.#options.isHeld(stream) ? this.#stuckSince.get(stream) : undefined;
    const since = Math.min(held ?? Infinity, this.#unledSince.get(stream) ?? Infinity);
    return since === Infinity ? 0 : this.#now() - since;
  }

  /** Updates the list of tables that have no leader now. */
  setUnled(streams: readonly string[]): void {
    for (const stream of this.#unledSince.keys()) if (!streams.includes(stream)) this.#unledSince.delete(stream);
    for (const stream of streams) if (!this.#unledSince.has(stream)) this.#unledSince.set(stream, this.#now());
  }

  /** True when this node should request or renew the lease of a table. */
  isLeaseWanted(stream: string): boolean {
    return !this.#released.has(stream);
  }

  epochOf(stream: string): number | undefined {
    return this.#epochs.get(stream);
  }

  /** Begins to lead the tables in `held` that this node does not lead yet. */
  leadHeld(held: readonly string[]): void {
    const fresh = held.filter(
      (stream) => !this.#epochs.has(stream) && !this.#handingOver.has(stream) && !this.#taking.has(stream),
    );
    if (this.#isStopped || fresh.length === 0) return;
    const taking = this.#take(fresh).finally(() => {
      for (const stream of fresh) this.#taking.delete(stream);
    });
    for (const stream of fresh) this.#taking.set(stream, taking);
  }

  async #take(streams: readonly string[]): Promise<void> {
    const { beginEpochs, isHeld, onLeaseChange, onWarning } = this.#options;
    let taken: ReadonlyMap<string, BegunFencingEpoch>;
    try {
      taken = await beginEpochs(streams);
    } catch (error) {
      for (const stream of streams) this.#markStuck(stream);
      onWarning('nodes', error);
      return;
    }
    for (const [stream, { epoch, heartbeatAt: heartbeat }] of taken) {
      if (!isHeld(stream) || this.#isStopped) continue;
      this.#epochs.set(stream, epoch);
      onLeaseChange(stream, 'taken');
      void this.#inOrder(stream, () => this.#lead(stream, epoch, heartbeat));
    }
  }

  async #lead(stream: string, epoch: number, heartbeat: number | undefined): Promise<void> {
    const { handlers, onLeading, onWarning } = this.#options;
    if (this.#epochs.get(stream) !== epoch) return;
    let failure: Error | undefined;
    try {
      const refusal = await handlers.lead(stream, heartbeat);
      failure = refusal && new Error(refusal.message);
    } catch (error) {
      failure = error as Error;
      this.#markStuck(stream);
    }
    if (this.#epochs.get(stream) !== epoch) return;
    if (failure) {
      // The take-over is retried while the lease is held. The same failure is reported only once.
      this.#epochs.delete(stream);
      if (this.#reported.get(stream) !== failure.message) onWarning(stream, failure);
      this.#reported.set(stream, failure.message);
      return;
    }
    this.#reported.delete(stream);
    this.#stuckSince.delete(stream);
    this.#led.add(stream);
    onLeading(stream);
  }

  #markStuck(stream: string): void {
    if (!this.#stuckSince.has(stream)) this.#stuckSince.set(stream, this.#now());
  }

  /** Stops leading a table whose lease another node has taken. From now on this node follows the table. */
  leaseLost(stream: string): void {
    const { handlers, onLeaseChange, onWarning } = this.#options;
    this.#stuckSince.delete(stream);
    this.#released.delete(stream);
    if (!this.#epochs.delete(stream)) return;
    this.#led.delete(stream);
    onLeaseChange(stream, 'lost');
    const follow = (): Promise<void> => handlers.follow(stream);
    // The running task of the table may itself wait until this node follows the table. So `follow` is called at once,
    // and again after that task.
    if (this.#tasks.has(stream)) follow().catch((error: unknown) => onWarning(stream, error));
    void this.#inOrder(stream, follow);
  }

  /** Hands over surplus tables, one after another, when they are between rounds or after `handOverLimitMs`. */
  handOverSurplus(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    if (this.#options.surplus() === 0) {
      this.#surplusSince = undefined;
      return;
    }
    this.#surplusSince ??= this.#now();
    this.#timer = setTimeout(async () => {
      await this.#handOverOne();
      this.#timer = undefined;
      this.handOverSurplus();
    }, handOverCheckMs);
  }

  async #handOverOne(): Promise<void> {
    const { handlers, surplus, handOverLimitMs } = this.#options;
    if (this.#isStopped || surplus() === 0) return;
    const isLate = this.#now() - this.#surplusSince! >= handOverLimitMs;
    const ready = this.led.toReversed().find((stream) => handlers.mayHandOver(stream, isLate));
    if (ready !== undefined) await this.#handOver(ready);
  }

  async #handOver(stream: string): Promise<void> {
    const { handlers, releaseLease, onLeaseChange, isHeld } = this.#options;
    this.#handingOver.add(stream);
    try {
      await this.#inOrder(stream, async () => {
        await handlers.follow(stream);
        // The lease may have been lost in the meantime.
        if (!this.#epochs.delete(stream)) return;
        this.#led.delete(stream);
        if (!isHeld(stream)) return;
        this.#released.add(stream);
        await releaseLease(stream);
        onLeaseChange(stream, 'given');
      });
    } finally {
      this.#released.delete(stream);
      this.#handingOver.delete(stream);
    }
  }

  /** Stops: no table is taken or handed over any more. Resolves when running tasks are done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#taking.values());
    await Promise.all(this.#tasks.values());
  }

  #inOrder(stream: string, task: () => Promise<void>): Promise<void> {
    const done = (this.#tasks.get(stream) ?? Promise.resolve()).then(task).catch((error: unknown) => {
      this.#options.onWarning(stream, error);
    });
    this.#tasks.set(stream, done);
    return done.finally(() => {
      if (this.#tasks.get(stream) === done) this.#tasks.delete(stream);
    });
  }
}
