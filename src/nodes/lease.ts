import { type Asked, type Holder, type Node } from '../store/postgres/ground.ts';

/** How long what a silent program holds stays its own, in milliseconds, unless told otherwise. */
export const usualLease = 4_000;

/** A clock that is so far from the database's dates nothing, in milliseconds. */
const farthest = 200;

type Parts = {
  /** Asks the database. */
  readonly renew: (node: Node, wanted: readonly string[], lasts: number) => Promise<Asked>;
  readonly node: () => Node;
  /** What is to be held, and whether this program wants it, or only looks who has it. */
  readonly name: string;
  readonly isWanted: boolean;
  /** For how long, in milliseconds. */
  readonly lasts: number;
  /** Clocks of this machine that never go back, with the time that it slept and without: the one that went further counts. */
  readonly running: () => readonly number[];
  /** The clock of this machine. */
  readonly wall: () => number;
  /** Told when that clock is found to be far from the database's, by so many milliseconds, and when it is no more. */
  readonly far: (by: number | undefined) => void;
};

/**
 * The right to drive something for a while, by the clock of the database. This program counts from before it asked, by
 * clocks that nobody sets, and is not sure of it any more some time before it ends: neither a slow answer nor a long sleep
 * makes it take for its own what is another's. Once another has it, it is lost for good.
 */
export class Lease {
  readonly #parts: Parts;
  /** Until when it is surely held, by each clock. */
  #until: readonly number[] | undefined;
  #isLost = false;
  /** Whether the clock of this machine is far from the database's; not known before it was asked. */
  #isFar: boolean | undefined;
  #holder: Holder | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether it was held, be that sure at this moment or not. */
  get isHeld(): boolean {
    return this.#until !== undefined && !this.#isLost;
  }

  /** Whether nobody else can have it at this moment. */
  get isSure(): boolean {
    const now = this.#parts.running();
    return this.isHeld && this.#isFar === false && this.#until!.every((until, place) => now[place]! < until);
  }

  /** Whether it was held, and another has it now. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Who else has it, as far as is known. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** After so many milliseconds it is asked for again: in time to keep it, or as soon as it may be free. */
  get next(): number {
    const every = this.#parts.lasts / 4;
    return this.#holder === undefined ? every : Math.min(every, Math.max(0, this.#holder.left) + 10);
  }

  /** Asks for it, or asks to keep it. Where the clocks are not known to agree, it is only looked at. */
  async ask(): Promise<void> {
    const { renew, node, name, isWanted, lasts, running, wall } = this.#parts;
    const [before, asked] = [running(), wall()];
    const { at, mine, others } = await renew(node(), isWanted && this.#isFar === false ? [name] : [], lasts);
    this.#compare(at, asked, wall());
    this.#holder = others.find((other) => other.name === name);
    if (mine.includes(name)) this.#until = before.map((time) => time + lasts - lasts / 8);
    else if (this.#holder && this.isHeld) this.#isLost = true;
  }

  /** What was said in between is at most so far away as the answer took. */
  #compare(at: number, asked: number, answered: number): void {
    const by = at < asked ? asked - at : at > answered ? at - answered : 0;
    const isFar = by > farthest;
    if (isFar !== (this.#isFar ?? false)) this.#parts.far(isFar ? Math.round(by) : undefined);
    this.#isFar = isFar;
  }
}
