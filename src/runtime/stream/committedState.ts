import { type DomainEvent } from '../../deciders/deciders.ts';
import { snapshotSchemaVersion, snapshotHash } from '../../store/snapshot.ts';
import { type Store, type StoredEntry } from '../../store/store.ts';
import { type ReadingParts, type Worked, loadState } from './loadState.ts';

const snapshotEvery = 2000;

type Parts<State, Event extends DomainEvent> = ReadingParts<State, Event> & { readonly store: Store };

/** A stream as the record has it, as far as it has been read or written here: whatever runs ahead of it comes back to it. */
export class CommittedState<State, Event extends DomainEvent> {
  readonly #parts: Parts<State, Event>;
  #worked: Worked<State>;

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

  /** The state, as one that nobody else has. */
  copy(): State {
    return structuredClone(this.#worked.state);
  }

  /** Comes back from the record, by its last snapshot. */
  async load(): Promise<void> {
    this.#worked = await loadState(this.#parts);
  }

  /** Was written here, or read. */
  add(entries: readonly StoredEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    const { evolve, eventFrom } = this.#parts.decider;
    let { state } = this.#worked;
    for (const { event } of entries) state = evolve(state, eventFrom(event));
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

  /** A start from it is quicker; without it nothing is lost. */
  async saveSnapshot(): Promise<void> {
    const { sequence, head, snapshotAt } = this.#worked;
    if (sequence - snapshotAt < snapshotEvery) return;
    const { store, stream, trouble, key } = this.#parts;
    const state = JSON.stringify(this.#worked.state);
    this.#worked = { ...this.#worked, snapshotAt: sequence };
    try {
      await store.saveSnapshot(stream, {
        sequence,
        form: snapshotSchemaVersion,
        state,
        hash: snapshotHash(state, head, key),
      });
    } catch (error) {
      trouble(error);
    }
  }
}
