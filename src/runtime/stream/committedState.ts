import { type DomainEvent } from '../../deciders/deciders.ts';
import { snapshotSchemaVersion, snapshotMac } from '../../store/snapshot.ts';
import { type Store, type StoredEntry } from '../../store/store.ts';
import { type LoadOptions, type LoadedState, loadState } from './loadState.ts';

const snapshotEvery = 2000;

type CommittedStateOptions<State, Event extends DomainEvent> = LoadOptions<State, Event> & { readonly store: Store };

/**
 * Committed state of one stream: the state after all stored entries that this process has read or appended. After a
 * failure the pending state is reset to the committed state.
 */
export class CommittedState<State, Event extends DomainEvent> {
  readonly #options: CommittedStateOptions<State, Event>;
  #loaded: LoadedState<State>;

  constructor(options: CommittedStateOptions<State, Event>) {
    this.#options = options;
    this.#loaded = { state: options.decider.initial, sequence: 0, at: 0, head: '', snapshotAt: 0 };
  }

  get sequence(): number {
    return this.#loaded.sequence;
  }

  /** Time of the last event, in milliseconds since 1970; 0 if there is none. */
  get at(): number {
    return this.#loaded.at;
  }

  /** Returns a deep copy of the state. The caller may change the copy. */
  copy(): State {
    return structuredClone(this.#loaded.state);
  }

  async load(): Promise<void> {
    this.#loaded = await loadState(this.#options);
  }

  apply(entries: readonly StoredEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    const { evolve, parseEvent } = this.#options.decider;
    let { state } = this.#loaded;
    for (const { event } of entries) state = evolve(state, parseEvent(event));
    this.#loaded = {
      ...this.#loaded,
      state,
      sequence: last.sequence,
      at: last.at,
      head: last.hash,
    };
  }

  /** Reads the entries after this state from the store, applies them, and yields them. */
  async *readNew(): AsyncIterable<readonly StoredEntry[]> {
    const { store, stream } = this.#options;
    for await (const entries of store.read(stream, this.sequence)) {
      this.apply(entries);
      yield entries;
    }
  }

  async lastEntries(count: number): Promise<readonly StoredEntry[]> {
    const { store, stream } = this.#options;
    const found: StoredEntry[] = [];
    for await (const entries of store.read(stream, Math.max(0, this.sequence - count))) found.push(...entries);
    return found;
  }

  /**
   * Saves a snapshot if at least `snapshotEvery` entries followed the last snapshot. A snapshot only shortens the next
   * start, so a failed save is only reported as a warning.
   */
  async saveSnapshot(): Promise<void> {
    const { sequence, head, snapshotAt } = this.#loaded;
    if (sequence - snapshotAt < snapshotEvery) return;
    const { store, stream, onWarning, key } = this.#options;
    const state = JSON.stringify(this.#loaded.state);
    this.#loaded = { ...this.#loaded, snapshotAt: sequence };
    try {
      await store.saveSnapshot(stream, {
        sequence,
        version: snapshotSchemaVersion,
        state,
        hash: snapshotMac(state, head, key),
      });
    } catch (error) {
      onWarning(error);
    }
  }
}
