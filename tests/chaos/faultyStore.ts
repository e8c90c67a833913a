import { type RandomSource } from '../../src/runtime/ports/random.ts';
import {
  type StoredCheckpoint,
  ResultUnknown,
  type HeadsAndBalances,
  type Store,
  type StoredEntry,
} from '../../src/store/store.ts';
import { SeatRefused } from '../runtime/made.ts';
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
  error instanceof MadeFault ||
  error instanceof SeatRefused ||
  error instanceof ResultUnknown ||
  error instanceof Killed;

export type Operation = Exclude<keyof Store, 'close' | 'writerEpoch'>;

type Parts = {
  readonly time: MadeTime;
  readonly chance: RandomSource;
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
  putBlob: 40,
  saveSnapshot: 40,
  streams: 4,
  balances: 4,
  readHeadsAndBalances: 4,
  heartbeats: 4,
  listValues: 4,
  putValue: 4,
};

const writes: ReadonlySet<Operation> = new Set<Operation>([
  'append',
  'putBlob',
  'saveSnapshot',
  'recordHeartbeats',
  'putValue',
  'putValueIfAbsent',
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
      writerEpoch: behind.writerEpoch,
      append: async (batch) => {
        const appended = await this.#call('append', () => behind.append(batch), batch.stream);
        if ('entries' in appended) told(appended.entries, 'append');
        return appended;
      },
      read: (stream, after, atOnce) => this.#read(stream, after, atOnce),
      findBySubject: (...what) => this.#call('findBySubject', () => behind.findBySubject(...what)),
      streams: () => this.#call('streams', () => behind.streams()),
      heads: () => this.#call('heads', () => behind.heads()),
      readHeadsAndBalances: () => this.#standing(),
      balance: (account) => this.#call('balance', () => behind.balance(account)),
      balances: () => this.#call('balances', () => behind.balances()),
      findCommands: (ids) => this.#call('findCommands', () => behind.findCommands(ids)),
      saveSnapshot: (stream, snapshot) =>
        this.#call('saveSnapshot', () => behind.saveSnapshot(stream, snapshot), stream),
      snapshot: (stream) => this.#call('snapshot', () => behind.snapshot(stream), stream),
      snapshots: () => this.#call('snapshots', () => behind.snapshots()),
      putBlob: (id, bytes) => this.#call('putBlob', () => behind.putBlob(id, bytes)),
      blob: (id) => this.#call('blob', () => behind.blob(id)),
      blobIds: () => this.#call('blobIds', () => behind.blobIds()),
      recordHeartbeats: (...what) => this.#call('recordHeartbeats', () => behind.recordHeartbeats(...what)),
      heartbeats: () => this.#call('heartbeats', () => behind.heartbeats()),
      checkpoint: (checkpoint) => this.#call('checkpoint', () => behind.checkpoint(checkpoint)),
      checkpoints: (after) => this.#checkpoints(after),
      epoch: () => this.#call('epoch', () => behind.epoch()),
      listValues: (...what) => this.#call('listValues', () => behind.listValues(...what)),
      putValue: (...what) => this.#call('putValue', () => behind.putValue(...what)),
      putValueIfAbsent: (...what) => this.#call('putValueIfAbsent', () => behind.putValueIfAbsent(...what)),
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

  async *#checkpoints(after?: number): AsyncGenerator<readonly StoredCheckpoint[]> {
    const source = this.#behind.checkpoints(after)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('checkpoints', () => source.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async *#standing(): AsyncGenerator<HeadsAndBalances> {
    const source = this.#behind.readHeadsAndBalances()[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('readHeadsAndBalances', () => source.next());
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
