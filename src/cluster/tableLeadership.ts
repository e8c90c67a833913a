import { type TakenLease } from '../store/postgres/membership.ts';
import { type NodeHandlers } from './nodeHandlers.ts';

/** A table that does not come to rest between rounds is handed over in any phase after so many milliseconds. */
export const usualLate = 60_000;

/** So often it is looked whether a table can change hands, in milliseconds, while one is to. */
const often = 10;

type Parts = {
  readonly calls: NodeHandlers;
  /** Whether the lease of a table is held, be that sure at this moment or not. */
  readonly isHeld: (stream: string) => boolean;
  /** So many tables are for others. */
  readonly spare: () => number;
  readonly late: number;
  /** Begins epochs of streams that are held. */
  readonly take: (streams: readonly string[]) => Promise<ReadonlyMap<string, TakenLease>>;
  /** Others may have it, and are told; it is not asked for by then. */
  readonly letGo: (stream: string) => Promise<void>;
  /** A table is driven from now on. */
  readonly driven: (stream: string) => void;
  /** A lease has changed hands; for those who count. */
  readonly changed: (stream: string, how: LeaseChange) => void;
  readonly trouble: (what: string, error: unknown) => void;
  /** A clock that only goes forward, in milliseconds; that of the process by default. */
  readonly now?: () => number;
};

export type LeaseChange = 'taken' | 'lost' | 'given';

/** The tables that a node drives: taken, driven, lost or handed over, each in its own order. */
export class TableLeadership {
  readonly #parts: Parts;
  readonly #now: () => number;
  /** What each stream that was taken is written in. */
  readonly #epochs = new Map<string, number>();
  readonly #driven = new Set<string>();
  /** Those that are being handed over, and those of them that are not asked for any more. */
  readonly #giving = new Set<string>();
  readonly #given = new Set<string>();
  /** What is being done with a table; the next waits for it. */
  readonly #works = new Map<string, Promise<void>>();
  readonly #taking = new Map<string, Promise<void>>();
  /** Why a table could not be driven. */
  readonly #said = new Map<string, string>();
  /** Since when the record does not let a table be driven that is held. */
  readonly #stuck = new Map<string, number>();
  /** Since when a table is nobody's. */
  readonly #idle = new Map<string, number>();
  #spareSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** The tables that are driven: the node beats for them. */
  get driven(): readonly string[] {
    return [...this.#driven];
  }

  isDriven(stream: string): boolean {
    return this.#driven.has(stream);
  }

  /** For so long some table is nobody's, in milliseconds. */
  get idle(): number {
    return this.#idle.size === 0 ? 0 : this.#now() - Math.min(...this.#idle.values());
  }

  /** For so long a table is nobody's, or is this node's and the record does not let it be driven, in milliseconds. */
  stuck(stream: string): number {
    const held = this.#parts.isHeld(stream) ? this.#stuck.get(stream) : undefined;
    const since = Math.min(held ?? Infinity, this.#idle.get(stream) ?? Infinity);
    return since === Infinity ? 0 : this.#now() - since;
  }

  /** These tables are nobody's at this moment. */
  free(streams: readonly string[]): void {
    for (const stream of this.#idle.keys()) if (!streams.includes(stream)) this.#idle.delete(stream);
    for (const stream of streams) if (!this.#idle.has(stream)) this.#idle.set(stream, this.#now());
  }

  /** Whether its lease is to be kept. */
  isKept(stream: string): boolean {
    return !this.#given.has(stream);
  }

  epochOf(stream: string): number | undefined {
    return this.#epochs.get(stream);
  }

  /** Drives what is held and not driven yet. */
  drives(held: readonly string[]): void {
    const fresh = held.filter(
      (stream) => !this.#epochs.has(stream) && !this.#giving.has(stream) && !this.#taking.has(stream),
    );
    if (this.#isOver || fresh.length === 0) return;
    const taking = this.#take(fresh).finally(() => {
      for (const stream of fresh) this.#taking.delete(stream);
    });
    for (const stream of fresh) this.#taking.set(stream, taking);
  }

  async #take(streams: readonly string[]): Promise<void> {
    const { take, isHeld, changed, trouble } = this.#parts;
    let taken: ReadonlyMap<string, TakenLease>;
    try {
      taken = await take(streams);
    } catch (error) {
      for (const stream of streams) this.#sticks(stream);
      trouble('nodes', error);
      return;
    }
    for (const [stream, { epoch, beat }] of taken) {
      if (!isHeld(stream) || this.#isOver) continue;
      this.#epochs.set(stream, epoch);
      changed(stream, 'taken');
      void this.#work(stream, () => this.#drive(stream, epoch, beat));
    }
  }

  async #drive(stream: string, epoch: number, beat: number | undefined): Promise<void> {
    const { calls, driven, trouble } = this.#parts;
    if (this.#epochs.get(stream) !== epoch) return;
    let why: Error | undefined;
    try {
      const denied = await calls.drive(stream, beat);
      why = denied && new Error(denied.message);
    } catch (error) {
      why = error as Error;
      this.#sticks(stream);
    }
    if (this.#epochs.get(stream) !== epoch) return;
    if (why) {
      // It is tried again as long as it is held, and counts as not driven until then; what is the matter is said once.
      this.#epochs.delete(stream);
      if (this.#said.get(stream) !== why.message) trouble(stream, why);
      this.#said.set(stream, why.message);
      return;
    }
    this.#said.delete(stream);
    this.#stuck.delete(stream);
    this.#driven.add(stream);
    driven(stream);
  }

  #sticks(stream: string): void {
    if (!this.#stuck.has(stream)) this.#stuck.set(stream, this.#now());
  }

  /** Another has it: nothing more is written, and it is followed. */
  lost(stream: string): void {
    const { calls, changed, trouble } = this.#parts;
    this.#stuck.delete(stream);
    this.#given.delete(stream);
    if (!this.#epochs.delete(stream)) return;
    this.#driven.delete(stream);
    changed(stream, 'lost');
    const follow = (): Promise<void> => calls.follow(stream);
    // What is being done may wait for just that, and is over only then.
    if (this.#works.has(stream)) follow().catch((error: unknown) => trouble(stream, error));
    void this.#work(stream, follow);
  }

  /** Hands over what is for others, one after another as they come to rest. */
  shares(): void {
    if (this.#timer !== undefined || this.#isOver) return;
    if (this.#parts.spare() === 0) {
      this.#spareSince = undefined;
      return;
    }
    this.#spareSince ??= this.#now();
    this.#timer = setTimeout(async () => {
      await this.#giveOne();
      this.#timer = undefined;
      this.shares();
    }, often);
  }

  async #giveOne(): Promise<void> {
    const { calls, spare, late } = this.#parts;
    if (this.#isOver || spare() === 0) return;
    const isLate = this.#now() - this.#spareSince! >= late;
    const resting = this.driven.toReversed().find((stream) => calls.canRest(stream, isLate));
    if (resting !== undefined) await this.#give(resting);
  }

  async #give(stream: string): Promise<void> {
    const { calls, letGo, changed, isHeld } = this.#parts;
    this.#giving.add(stream);
    try {
      await this.#work(stream, async () => {
        await calls.follow(stream);
        // It may have been lost in the meantime.
        if (!this.#epochs.delete(stream)) return;
        this.#driven.delete(stream);
        if (!isHeld(stream)) return;
        this.#given.add(stream);
        await letGo(stream);
        changed(stream, 'given');
      });
    } finally {
      this.#given.delete(stream);
      this.#giving.delete(stream);
    }
  }

  /** Nothing is taken or handed over any more; resolves once what is being done is done. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#taking.values());
    await Promise.all(this.#works.values());
  }

  #work(stream: string, act: () => Promise<void>): Promise<void> {
    const work = (this.#works.get(stream) ?? Promise.resolve()).then(act).catch((error: unknown) => {
      this.#parts.trouble(stream, error);
    });
    this.#works.set(stream, work);
    return work.finally(() => {
      if (this.#works.get(stream) === work) this.#works.delete(stream);
    });
  }
}
