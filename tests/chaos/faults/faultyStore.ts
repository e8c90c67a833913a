import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import {
  type StoredCheckpoint,
  WriteResultUnknownError,
  type HeadsAndBalancesChunk,
  type Store,
  type StoredEntry,
} from '../../../src/store/store.ts';
import { SeatRefused } from '../../runtime/support/testDependencies.ts';
import { type TestClock } from '../time.ts';

/**
 * Fault rates of a store operation: failure before its effect, failure after it, or a delay of seconds, per thousand
 * calls; and a kill during the call, per ten thousand.
 */
export type Faults = { readonly before: number; readonly after: number; readonly late: number; readonly kill: number };

/** An injected failure. A `WriteResultUnknownError` of this store is always injected, too. */
class InjectedFault extends Error {}

/** The process was killed. */
class Killed extends Error {}

export const isInjectedFault = (error: unknown): boolean =>
  error instanceof InjectedFault ||
  error instanceof SeatRefused ||
  error instanceof WriteResultUnknownError ||
  error instanceof Killed;

export type Operation = Exclude<keyof Store, 'close' | 'writerEpoch'>;

type FaultyStoreOptions = {
  readonly time: TestClock;
  readonly random: RandomSource;
  /** Present fault rates. */
  readonly faults: () => Faults;
  /** Called inside an operation when the process is killed there. */
  readonly onKill: (operation: Operation) => void;
  readonly onFault: (operation: Operation, how: 'before' | 'after' | 'late', stream: string | undefined) => void;
  /** The process has received these entries, by append or by read. */
  readonly onEntries: (entries: readonly StoredEntry[], how: 'append' | 'read') => void;
};

/** Factors for rare operations, which fail more often. */
const faultFactor: { readonly [O in Operation]?: number } = {
  putBlob: 40,
  saveSnapshot: 40,
  streams: 4,
  balances: 4,
  readHeadsAndBalances: 4,
  heartbeats: 4,
  listValues: 4,
  putValue: 4,
};

const writeOperations: ReadonlySet<Operation> = new Set<Operation>([
  'append',
  'putBlob',
  'saveSnapshot',
  'recordHeartbeats',
  'putValue',
  'putValueIfAbsent',
  'saveCheckpoint',
]);

/**
 * Store with injected faults, as one process sees it: operations take time and fail at random. After a kill none has
 * an effect; a write in flight is done or not.
 */
export class FaultyStore {
  readonly store: Store;
  readonly #inner: Store;
  readonly #options: FaultyStoreOptions;
  readonly #pending = new Set<() => void>();
  #isKilled = false;

  constructor(inner: Store, options: FaultyStoreOptions) {
    this.#inner = inner;
    this.#options = options;
    const { onEntries } = options;
    this.store = {
      writerEpoch: inner.writerEpoch,
      append: async (batch) => {
        const appended = await this.#call('append', () => inner.append(batch), batch.stream);
        if ('entries' in appended) onEntries(appended.entries, 'append');
        return appended;
      },
      read: (stream, after, batchSize) => this.#read(stream, after, batchSize),
      findBySubject: (...args) => this.#call('findBySubject', () => inner.findBySubject(...args)),
      streams: () => this.#call('streams', () => inner.streams()),
      heads: () => this.#call('heads', () => inner.heads()),
      readHeadsAndBalances: () => this.#headsAndBalances(),
      balance: (account) => this.#call('balance', () => inner.balance(account)),
      balances: () => this.#call('balances', () => inner.balances()),
      findCommands: (ids) => this.#call('findCommands', () => inner.findCommands(ids)),
      saveSnapshot: (stream, snapshot) =>
        this.#call('saveSnapshot', () => inner.saveSnapshot(stream, snapshot), stream),
      snapshot: (stream) => this.#call('snapshot', () => inner.snapshot(stream), stream),
      snapshots: () => this.#call('snapshots', () => inner.snapshots()),
      putBlob: (id, bytes) => this.#call('putBlob', () => inner.putBlob(id, bytes)),
      blob: (id) => this.#call('blob', () => inner.blob(id)),
      blobIds: () => this.#call('blobIds', () => inner.blobIds()),
      recordHeartbeats: (...args) => this.#call('recordHeartbeats', () => inner.recordHeartbeats(...args)),
      heartbeats: () => this.#call('heartbeats', () => inner.heartbeats()),
      saveCheckpoint: (checkpoint) => this.#call('saveCheckpoint', () => inner.saveCheckpoint(checkpoint)),
      checkpoints: (after) => this.#checkpoints(after),
      epoch: () => this.#call('epoch', () => inner.epoch()),
      listValues: (...args) => this.#call('listValues', () => inner.listValues(...args)),
      putValue: (...args) => this.#call('putValue', () => inner.putValue(...args)),
      putValueIfAbsent: (...args) => this.#call('putValueIfAbsent', () => inner.putValueIfAbsent(...args)),
      close: async () => {},
    };
  }

  /** The process is killed: pending operations never return. */
  kill(): void {
    this.#isKilled = true;
    for (const kill of this.#pending) kill();
    this.#pending.clear();
  }

  async *#read(stream: string, after?: number, batchSize?: number): AsyncGenerator<readonly StoredEntry[]> {
    const source = this.#inner.read(stream, after, batchSize)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('read', () => source.next(), stream);
      if (next.done === true) return;
      this.#options.onEntries(next.value, 'read');
      yield next.value;
    }
  }

  async *#checkpoints(after?: number): AsyncGenerator<readonly StoredCheckpoint[]> {
    const source = this.#inner.checkpoints(after)[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('checkpoints', () => source.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async *#headsAndBalances(): AsyncGenerator<HeadsAndBalancesChunk> {
    const source = this.#inner.readHeadsAndBalances()[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#call('readHeadsAndBalances', () => source.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async #call<T>(operation: Operation, run: () => Promise<T>, stream?: string): Promise<T> {
    const { random, onFault } = this.#options;
    if (this.#isKilled) throw new Killed();
    try {
      await this.#delay(operation, stream);
    } catch (killed) {
      // The write had left the process, or it had not.
      if (writeOperations.has(operation) && random.below(2) === 0) await run();
      throw killed;
    }
    this.#killAtRandom(operation);
    if (this.#isFaulty(operation, 'before')) {
      onFault(operation, 'before', stream);
      if (writeOperations.has(operation) && random.below(2) === 0)
        throw new WriteResultUnknownError('No reply, and nothing is stored.');
      throw new InjectedFault(`${operation} failed.`);
    }
    const value = await run();
    this.#killAtRandom(operation);
    await this.#delay(operation, stream);
    if (this.#isFaulty(operation, 'after')) {
      onFault(operation, 'after', stream);
      if (writeOperations.has(operation)) throw new WriteResultUnknownError('No reply, and it is stored.');
      throw new InjectedFault(`The result of ${operation} was lost.`);
    }
    return value;
  }

  #isFaulty(operation: Operation, how: keyof Faults): boolean {
    const { random, faults } = this.#options;
    return random.below(how === 'kill' ? 10_000 : 1_000) < faults()[how] * (faultFactor[operation] ?? 1);
  }

  #killAtRandom(operation: Operation): void {
    if (this.#isFaulty(operation, 'kill')) this.#options.onKill(operation);
    if (this.#isKilled) throw new Killed();
  }

  /** A write always takes time; a read often takes none. */
  async #delay(operation: Operation, stream: string | undefined): Promise<void> {
    const { time, random, onFault } = this.#options;
    let delayMs = writeOperations.has(operation) ? 1 + random.below(40) : Math.max(0, random.below(30) - 20);
    if (this.#isFaulty(operation, 'late')) {
      onFault(operation, 'late', stream);
      delayMs = 500 + random.below(11_500);
    }
    if (delayMs === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const kill = (): void => reject(new Killed());
    this.#pending.add(kill);
    time.after(delayMs, () => {
      this.#pending.delete(kill);
      resolve();
    });
    await promise;
  }
}
