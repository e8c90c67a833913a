import { type Accounted, type Happened } from '../ledger/accounted.ts';
import { snapshotForm, snapshotHash } from '../store/snapshot.ts';
import { type Store, type StoredEntry } from '../store/store.ts';
import { type Worked, workedOut } from './reading.ts';

const snapshotEvery = 2000;

type Parts<State, Event extends Happened> = {
  readonly store: Store;
  readonly stream: string;
  readonly decider: Pick<Accounted<State, never, Event, never>, 'initial' | 'evolve' | 'eventFrom'>;
  readonly trouble: (error: unknown) => void;
  /** The key of the record, with which snapshots are bound to their entries. */
  readonly key: Buffer;
  /** Given where others are on the record. */
  readonly moved?: unknown;
};

/**
 * A stream as the record has it, as far as it has been read or written here: whatever runs ahead of it comes back to it. Where
 * others are on the record, that is often, and the state is kept beside the one that runs ahead; else it is only after a
 * failure, and worked out from the record then.
 */
export class Written<State, Event extends Happened> {
  readonly #parts: Parts<State, Event>;
  #worked: Worked<State>;
  /** Whether whoever runs ahead has the state, so that it is here no more. */
  #isGiven = false;
  /** What was said of a snapshot that cannot be used; it is not said again with every further reading. */
  #said: string | undefined;

  constructor(parts: Parts<State, Event>) {
    this.#parts = parts;
    this.#worked = { state: parts.decider.initial, sequence: 0, at: 0, head: '', snapshotAt: 0 };
  }

  get sequence(): number {
    return this.#worked.sequence;
  }

  /** The time of the last event. */
  get at(): number {
    return this.#worked.at;
  }

  /** The state for whoever runs ahead. */
  async state(): Promise<State> {
    if (this.#isGiven) this.#worked = { ...this.#worked, state: (await this.stand()).state };
    this.#isGiven = this.#parts.moved === undefined;
    return this.#isGiven ? this.#worked.state : structuredClone(this.#worked.state);
  }

  /** The state as one that nobody else has, with its last entry. */
  async stand(): Promise<{ readonly state: State; readonly sequence: number }> {
    const { state, sequence } = this.#worked;
    return this.#isGiven ? this.#workedOut(sequence) : { state: structuredClone(state), sequence };
  }

  /** Comes back from the record, by its last snapshot. */
  async load(): Promise<void> {
    this.#worked = await this.#workedOut();
    this.#isGiven = false;
  }

  #workedOut(upTo?: number): Promise<Worked<State>> {
    const trouble = (error: unknown): void => {
      if (this.#said !== String(error)) this.#parts.trouble(error);
      this.#said = String(error);
    };
    return workedOut({ ...this.#parts, trouble }, upTo);
  }

  /** Was written here, or read. */
  add(entries: readonly StoredEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    const { evolve, eventFrom } = this.#parts.decider;
    let { state } = this.#worked;
    if (!this.#isGiven) for (const { event } of entries) state = evolve(state, eventFrom(event));
    this.#worked = { ...this.#worked, state, sequence: last.sequence, at: last.at, head: last.hash };
  }

  /** What the record holds behind this, added as it is given. */
  async *readOn(): AsyncIterable<readonly StoredEntry[]> {
    const { store, stream } = this.#parts;
    for await (const entries of store.read(stream, this.sequence)) {
      this.add(entries);
      yield entries;
    }
  }

  /** The last so many entries of the record. */
  async last(count: number): Promise<readonly StoredEntry[]> {
    const { store, stream } = this.#parts;
    const found: StoredEntry[] = [];
    for await (const entries of store.read(stream, Math.max(0, this.sequence - count))) found.push(...entries);
    return found;
  }

  /** Saves the state, as whoever runs ahead has it when all is written. A start from it is quicker; without it nothing is lost. */
  async saveSnapshot(written: State): Promise<void> {
    const { sequence, head, snapshotAt } = this.#worked;
    if (sequence - snapshotAt < snapshotEvery) return;
    const { store, stream, trouble, key } = this.#parts;
    const state = JSON.stringify(written);
    this.#worked = { ...this.#worked, snapshotAt: sequence };
    try {
      await store.saveSnapshot(stream, { sequence, form: snapshotForm, state, hash: snapshotHash(state, head, key) });
    } catch (error) {
      trouble(error);
    }
  }
}
