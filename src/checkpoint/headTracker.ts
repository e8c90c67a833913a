import { type Store, type StoredEntry } from '../store/store.ts';
import { WriteFailed } from '../store/failures.ts';
import { type HeadPosition, type HeadPositions } from './checkpointFormat.ts';

/** Message for a write after the close. */
export const closedFloorText = 'It is signed that nothing follows in the record.';

/** Tracks the heads that this node has read or written, for the case that it begins to sign. */
export class HeadTracker {
  /** The store; its reads and appends are tracked. */
  readonly store: Store;
  /** A checkpoint with `closed` is signed: nothing may follow. */
  isClosed = false;
  #heads = new Map<string, HeadPosition>();

  constructor(store: Store) {
    const record = (entries: readonly StoredEntry[]): void => this.#record(entries);
    this.store = {
      ...store,
      append: async (batch) => {
        if (this.isClosed) throw new WriteFailed(closedFloorText);
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

  /** Heads since the last call. */
  drain(): HeadPositions {
    const heads = this.#heads;
    this.#heads = new Map();
    return heads;
  }
}
