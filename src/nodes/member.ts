import { randomBytes } from 'node:crypto';
import { uptime } from 'node:os';
import { Ground, type Holder } from '../store/postgres/ground.ts';
import { type Store, TakenOver } from '../store/store.ts';
import { Lease } from './lease.ts';
import { leased } from './leased.ts';

/** Who holds this drives the floor: all of its tables, and what signs the record. */
const floor = 'floor';

/** So often the database is asked again before a start is given up. */
const mostTries = 5;

type Parts = {
  /** The address of the database. */
  readonly store: string;
  /** Whether there must be a record. */
  readonly mustExist: boolean;
  readonly lasts: number;
  /** Whether this program may drive the floor, or only passes on what comes to it. */
  readonly mayDrive: boolean;
  /** Told when the clock of this machine is found to be far from the database's, and when it is no more. */
  readonly far: (by: number | undefined) => void;
  /** The database could not be asked; it is asked again. */
  readonly trouble: (error: unknown) => void;
  /** The database has answered. */
  readonly answered: () => void;
};

/** One of several programs on a database: it drives the floor, or waits until it can. */
export class Member {
  readonly id: string;
  readonly #ground: Ground;
  readonly #parts: Parts;
  #address = '';
  #lease: Lease;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> = Promise.resolve();
  #isOver = false;
  #heard = Promise.withResolvers<void>();
  #lost: ((error: unknown) => void) | undefined;

  private constructor(id: string, ground: Ground, parts: Parts) {
    this.id = id;
    this.#ground = ground;
    this.#parts = parts;
    this.#lease = this.#fresh();
  }

  /** Comes to a database, and says so there from now on. */
  static async on(parts: Parts): Promise<Member> {
    // An answer that takes half of a lease comes too late to be of use.
    const ground = await Ground.on(parts.store, { patience: parts.lasts / 2, mustExist: parts.mustExist });
    const member = new Member(randomBytes(4).toString('hex'), ground, parts);
    await member.#begin();
    member.#wait();
    return member;
  }

  /** The first answer may take several tries on a machine that is busy; without one there is no start. */
  async #begin(): Promise<void> {
    for (let left = mostTries; ; left--) {
      try {
        return await this.#lease.ask();
      } catch (error) {
        if (left > 0) continue;
        await this.#ground.close();
        throw error;
      }
    }
  }

  /** Where others reach this program, once that is known. */
  set address(address: string) {
    this.#address = address;
  }

  /** Who else drives the floor. */
  get holder(): Holder | undefined {
    return this.#lease.holder;
  }

  /** Whether it is to wait: another drives the floor, or this program never does. */
  get isWaiting(): boolean {
    return this.holder !== undefined || !this.#parts.mayDrive;
  }

  #fresh(): Lease {
    const { lasts, mayDrive, far } = this.#parts;
    return new Lease({
      renew: (node, wanted, span) => this.#ground.renew(node, wanted, span),
      node: () => ({ id: this.id, address: this.#address }),
      name: floor,
      isWanted: mayDrive,
      lasts,
      running: () => [performance.now(), uptime() * 1_000],
      wall: () => Date.now(),
      far,
    });
  }

  #wait(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#asking = this.#ask().finally(() => this.#wait());
    }, this.#lease.next);
  }

  async #ask(): Promise<void> {
    try {
      await this.#lease.ask();
    } catch (error) {
      this.#parts.trouble(error);
      return;
    }
    this.#parts.answered();
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
    if (this.#lease.isLost) this.#lost?.(new TakenOver('Another program drives the floor by now.'));
  }

  /** Waits until this program may drive the floor; false where the signal ends that. */
  async taken(signal: AbortSignal): Promise<boolean> {
    if (this.#lease.isLost) this.#lease = this.#fresh();
    await this.#until(() => this.#lease.isSure, signal);
    return !signal.aborted;
  }

  /** Waits until it is known who drives the floor, and until another who is about to can be reached. */
  async settled(signal: AbortSignal): Promise<void> {
    const { mayDrive } = this.#parts;
    await this.#until(() => (this.holder ? this.holder.address !== '' : !mayDrive || this.#lease.isSure), signal);
  }

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    signal.addEventListener('abort', end);
    try {
      while (!isSo() && !signal.aborted) await Promise.race([this.#heard.promise, ended.promise]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /**
   * The record as whoever drives the floor writes to it: what others had under way finds no row from now on. Undefined where
   * another was faster. `lost` is told once another drives the floor.
   */
  async drives(store: Store, lost: (error: unknown) => void): Promise<Store | undefined> {
    if (!(await this.#ground.raise(floor, this, store.held))) return undefined;
    this.#lost = lost;
    return leased(store, this.#lease);
  }

  /** Whether another drives the floor that this program drove. */
  async isTakenOver(): Promise<boolean> {
    this.#lost = undefined;
    await this.#asking;
    await this.#ask();
    return !this.#lease.isSure;
  }

  /** Goes, and lets whoever waits drive the floor. */
  async leave(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#asking;
    try {
      await this.#ground.leave(this);
    } catch (error) {
      // What cannot be let go of ends by itself.
      this.#parts.trouble(error);
    }
    await this.#ground.close();
  }
}
