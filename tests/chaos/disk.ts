import { type Chance } from '../../src/runtime/ports/random.ts';
import { type Checkpoint, ResultUnknown, type Standing, type Store, type StoredEntry } from '../../src/store/store.ts';
import { Unseated } from '../runtime/made.ts';
import { type MadeTime } from './time.ts';

/**
 * How often a function of the store fails before it does anything, fails after it did it, or takes seconds, in a thousand
 * calls; and how often the plug is pulled in the middle of it, in ten thousand.
 */
export type Faults = { readonly before: number; readonly after: number; readonly late: number; readonly plug: number };

/** A failure that was made on purpose. What the store calls an unknown result is never anything else here. */
class MadeFault extends Error {}

/** Nobody is there any more: the program was killed. */
class Killed extends Error {}

export const isMade = (error: unknown): boolean =>
  error instanceof MadeFault || error instanceof Unseated || error instanceof ResultUnknown || error instanceof Killed;

export type Operation = Exclude<keyof Store, 'close' | 'held'>;

type Parts = {
  readonly time: MadeTime;
  readonly chance: Chance;
  /** How bad the disk is at the moment. */
  readonly faults: () => Faults;
  /** Called from within a call when the plug is pulled there. */
  readonly pull: (operation: Operation) => void;
  readonly struck: (operation: Operation, how: 'before' | 'after' | 'late', stream: string | undefined) => void;
  /** The program has been told of these entries, by an answer or by reading them. */
  readonly told: (entries: readonly StoredEntry[], how: 'append' | 'read') => void;
};

/** What is seldom asked fails all the more often, by so many times. */
const seldom: { readonly [O in Operation]?: number } = {
  seal: 40,
  saveSnapshot: 40,
  streams: 4,
  balances: 4,
  standing: 4,
  beats: 4,
  aside: 4,
  putAside: 4,
};

const writes: ReadonlySet<Operation> = new Set<Operation>([
  'append',
  'seal',
  'saveSnapshot',
  'beat',
  'putAside',
  'claimAside',
  'checkpoint',
]);

/**
 * The store as one life of a program sees it: every answer takes its time, every function fails now and then, and once the
 * program is killed nothing gets through any more. A write that was under way then is done or not.
 */
export class Disk {
  readonly store: Store;
  readonly #behind: Store;
  readonly #parts: Parts;
  readonly #waiting = new Set<() => void>();
  #isCut = false;

  constructor(behind: Store, parts: Parts) {
    this.#behind = behind;
    this.#parts = parts;
    const { told } = parts;
    this.store = {
      held: behind.held,
      append: async (batch) => {
        const appended = await this.#call('append', () => behind.append(batch), batch.stream);
        if ('entries' in appended) told(appended.entries, 'append');
        return appended;
      },
      read: (stream, after, atOnce) => this.#read(stream, after, atOnce),
      about: (...what) => this.#call('about', () => behind.about(...what)),
      streams: () => this.#call('streams', () => behind.streams()),
      heads: () => this.#call('heads', () => behind.heads()),
      standing: () => this.#standing(),
      balance: (account) => this.#call('balance', () => behind.balance(account)),
      balances: () => this.#call('balances', () => behind.balances()),
      commands: (ids) => this.#call('commands', () => behind.commands(ids)),
      saveSnapshot: (stream, snapshot) =>
        this.#call('saveSnapshot', () => behind.saveSnapshot(stream, snapshot), stream),
      snapshot: (stream) => this.#call('snapshot', () => behind.snapshot(stream), stream),
      snapshots: () => this.#call('snapshots', () => behind.snapshots()),
      seal: (id, bytes) => this.#call('seal', () => behind.seal(id, bytes)),
      sealed: (id) => this.#call('sealed', () => behind.sealed(id)),
      seals: () => this.#call('seals', () => behind.seals()),
      beat: (...what) => this.#call('beat', () => behind.beat(...what)),
      beats: () => this.#call('beats', () => behind.beats()),
      checkpoint: (checkpoint) => this.#call('checkpoint', () => behind.checkpoint(checkpoint)),
      checkpoints: (after) => this.#checkpoints(after),
      epoch: () => this.#call('epoch', () => behind.epoch()),
      aside: (...what) => this.#call('aside', () => behind.aside(...what)),
      putAside: (...what) => this.#call('putAside', () => behind.putAside(...what)),
      claimAside: (...what) => this.#call('claimAside', () => behind.claimAside(...what)),
      close: async () => {},
    };
  }

  /** The program is killed: whoever waits for an answer never gets one. */
  cut(): void {
    this.#isCut = true;
    for (const cut of this.#waiting) cut();
    this.#waiting.clear();
  }

  async *#read(stream: string, after?: number, atOnce?: number): AsyncGenerator<readonly StoredEntry[]> {
    const source = this.#behind.read(stream, after, atOnce)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('read', () => source.next(), stream);
      if (next.done === true) return;
      this.#parts.told(next.value, 'read');
      yield next.value;
    }
  }

  async *#checkpoints(after?: number): AsyncGenerator<readonly Checkpoint[]> {
    const source = this.#behind.checkpoints(after)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('checkpoints', () => source.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async *#standing(): AsyncGenerator<Standing> {
    const source = this.#behind.standing()[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('standing', () => source.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async #call<T>(operation: Operation, run: () => Promise<T>, stream?: string): Promise<T> {
    const { chance, struck } = this.#parts;
    if (this.#isCut) throw new Killed();
    try {
      await this.#wait(operation, stream);
    } catch (killed) {
      // It had left the program, or it had not.
      if (writes.has(operation) && chance.below(2) === 0) await run();
      throw killed;
    }
    this.#pullPlug(operation);
    if (this.#isStruck(operation, 'before')) {
      struck(operation, 'before', stream);
      if (writes.has(operation) && chance.below(2) === 0) throw new ResultUnknown('No answer, and nothing is written.');
      throw new MadeFault(`${operation} failed.`);
    }
    const value = await run();
    this.#pullPlug(operation);
    await this.#wait(operation, stream);
    if (this.#isStruck(operation, 'after')) {
      struck(operation, 'after', stream);
      if (writes.has(operation)) throw new ResultUnknown('No answer, and it is written.');
      throw new MadeFault(`The answer to ${operation} was lost.`);
    }
    return value;
  }

  #isStruck(operation: Operation, how: keyof Faults): boolean {
    const { chance, faults } = this.#parts;
    return chance.below(how === 'plug' ? 10_000 : 1_000) < faults()[how] * (seldom[operation] ?? 1);
  }

  #pullPlug(operation: Operation): void {
    if (this.#isStruck(operation, 'plug')) this.#parts.pull(operation);
    if (this.#isCut) throw new Killed();
  }

  /** A write is never at once; anything else often is. */
  async #wait(operation: Operation, stream: string | undefined): Promise<void> {
    const { time, chance, struck } = this.#parts;
    let span = writes.has(operation) ? 1 + chance.below(40) : Math.max(0, chance.below(30) - 20);
    if (this.#isStruck(operation, 'late')) {
      struck(operation, 'late', stream);
      span = 500 + chance.below(11_500);
    }
    if (span === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cut = (): void => reject(new Killed());
    this.#waiting.add(cut);
    time.after(span, () => {
      this.#waiting.delete(cut);
      resolve();
    });
    await promise;
  }
}
