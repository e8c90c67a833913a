import { type LeaseReply, type LeaseHolder, type OtherNode } from '../store/postgres/membership.ts';

/** How long what a silent program holds stays its own, in milliseconds, unless told otherwise. */
export const usualLease = 4_000;

/** A program that was heard of so lately may be there still, in milliseconds: none is silent for longer by its lease. */
export const lately = 16_000;

/** A clock that is so far from the database's dates nothing, in milliseconds. */
const farthest = 200;

/** After a hint, or where something is free, it is asked again so soon, in milliseconds. */
const soon = 10;

/** The clocks of a machine. */
export type Clocks = {
  /** Clocks that never go back, with the time that it slept and without: the one that went further counts. */
  readonly running: () => readonly number[];
  /** The time of day. */
  readonly wall: () => number;
};

type Parts = Clocks & {
  /** Asks the database: what it is to give or to keep, and what is driven of that. */
  readonly renew: (wanted: readonly string[], driven: readonly string[]) => Promise<LeaseReply>;
  /** For how long, in milliseconds. */
  readonly lasts: number;
  /** Told when the clock is found to be far from the database's, by so many milliseconds, and when it is no more. */
  readonly far: (by: number | undefined) => void;
  /** Something is held that was not. */
  readonly taken: (name: string) => void;
  /** Something that was held is another's, or was in between. */
  readonly lost: (name: string) => void;
};

type Lease = {
  /** Since when by the database: another time says that somebody else had it in between. */
  readonly since: number;
  /** Until when it is surely held, by each clock. */
  readonly until: readonly number[];
};

/**
 * The right to drive some things for a while, by the clock of the database. This program counts from before it asked, by
 * clocks that nobody sets, and is not sure of it any more some time before it ends: neither a slow answer nor a long sleep
 * makes it take for its own what is another's.
 */
export class Leases {
  readonly #parts: Parts;
  readonly #held = new Map<string, Lease>();
  /** Whether the clock of this machine is far from the database's; not known before it was asked. */
  #isFar: boolean | undefined;
  #others: ReadonlyMap<string, LeaseHolder> = new Map();
  #nodes: readonly OtherNode[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What was held when it was last asked, be that sure at this moment or not. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** The others who were there. */
  get nodes(): readonly OtherNode[] {
    return this.#nodes;
  }

  /** Who else holds what. */
  get others(): ReadonlyMap<string, LeaseHolder> {
    return this.#others;
  }

  /** Whether the clocks are known to agree: without that nothing is asked for. */
  get isNear(): boolean {
    return this.#isFar === false;
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  /** Whether nobody else can have it at this moment. */
  isSure(name: string): boolean {
    const lease = this.#held.get(name);
    const now = this.#parts.running();
    return lease !== undefined && this.isNear && lease.until.every((until, place) => now[place]! < until);
  }

  /** It is not held any more, by this program's own will. */
  drop(name: string): void {
    this.#held.delete(name);
  }

  /** After so many milliseconds it is asked again: in time to keep what is held, or as soon as something may be free. */
  next(wanted: readonly string[]): number {
    const every = this.#parts.lasts / 4;
    if (this.isNear && wanted.some((name) => !this.#held.has(name) && !this.#others.has(name))) return soon;
    return Math.min(every, ...[...this.#others.values()].map(({ left }) => Math.max(0, left) + soon));
  }

  /** Asks for what is wanted, or asks to keep it. Where the clocks are not known to agree, it is only looked. */
  async ask(wanted: readonly string[], driven: readonly string[]): Promise<void> {
    const { renew, lasts, running, wall, taken, lost } = this.#parts;
    const [before, asked] = [running(), wall()];
    const { at, mine, others, nodes } = await renew(this.isNear ? wanted : [], driven);
    this.#compare(at, asked, wall());
    this.#others = new Map(others.map((other) => [other.name, other]));
    this.#nodes = nodes;
    const kept = new Map(mine.map(({ name, since }) => [name, since]));
    for (const [name, { since }] of this.#held) {
      // Where it was only looked, what nobody else has is still this program's, as long as that is sure.
      if (kept.has(name) ? kept.get(name) === since : !this.#others.has(name)) continue;
      this.#held.delete(name);
      lost(name);
    }
    const until = before.map((time) => time + lasts - lasts / 8);
    for (const { name, since } of mine) {
      const isNew = !this.#held.has(name);
      this.#held.set(name, { since, until });
      if (isNew) taken(name);
    }
  }

  /** What was said in between is at most so far away as the answer took. */
  #compare(at: number, asked: number, answered: number): void {
    const by = at < asked ? asked - at : at > answered ? at - answered : 0;
    const isFar = by > farthest;
    if (isFar !== (this.#isFar ?? false)) this.#parts.far(isFar ? Math.round(by) : undefined);
    this.#isFar = isFar;
  }
}
