import { type Store, type StoredEntry } from '../store/store.ts';
import { WriteFailedError } from '../store/failures.ts';
import { type HeadPosition, type HeadPositions } from './checkpointFormat.ts';

export const closedFloorText = 'The floor is closed; nothing more can be written to the event log.';

/** Tracks the heads that this node reads and writes. The signing node puts them into the anchor. */
export class HeadTracker {
  /** The given store with tracked reads and appends. */
  readonly store: Store;
  /** Set to true when this node closes the floor; every later append is refused. */
  isClosed = false;
  #heads = new Map<string, HeadPosition>();

  constructor(store: Store) {
    const record = (entries: readonly StoredEntry[]): void => this.#record(entries);
    this.store = {
      ...store,
      append: async (batch) => {
        if (this.isClosed) throw new WriteFailedError(closedFloorText);
        const result = await store.append(batch);
        if ('entries' in result) record(result.entries);
        return result;
      },
      read: async function* (stream, after, pageSize) {
        for await (const entries of store.read(stream, after, pageSize)) {
          record(entries);
          yield entries;
        }
      },
    };
  }

  #record(entries: readonly StoredEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined || last.sequence <= (this.#heads.get(last.stream)?.sequence ?? 0)) return;
    this.#heads.set(last.stream, { sequence: last.sequence, hash: last.hash });
  }

  /** Returns the heads that were read or written since the last call. */
  drain(): HeadPositions {
    const heads = this.#heads;
    this.#heads = new Map();
    return heads;
  }
}
