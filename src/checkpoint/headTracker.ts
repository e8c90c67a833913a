import { type Store, type StoredEntry } from '../store/store.ts';
import { WriteFailed } from '../store/failures.ts';
import { type HeadPosition, type HeadPositions } from './checkpointFormat.ts';

/** What is said where somebody writes behind the close. */
export const nothingFollows = 'It is signed that nothing follows in the record.';

/**
 * What a program sees of a record that others write to as well: where streams have got to by what it wrote and read itself,
 * for whoever signs, who may begin to at any time.
 */
export class HeadTracker {
  /** The record, with what is written to it and read of it noted. */
  readonly store: Store;
  /** Whether it is signed that nothing follows. */
  isClosed = false;
  #seen = new Map<string, HeadPosition>();

  constructor(store: Store) {
    const see = (entries: readonly StoredEntry[]): void => this.#see(entries);
    this.store = {
      ...store,
      append: async (batch) => {
        if (this.isClosed) throw new WriteFailed(nothingFollows);
        const appended = await store.append(batch);
        if ('entries' in appended) see(appended.entries);
        return appended;
      },
      read: async function* (stream, after, atOnce) {
        for await (const entries of store.read(stream, after, atOnce)) {
          see(entries);
          yield entries;
        }
      },
    };
  }

  #see(entries: readonly StoredEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined || last.sequence <= (this.#seen.get(last.stream)?.sequence ?? 0)) return;
    this.#seen.set(last.stream, { sequence: last.sequence, hash: last.hash });
  }

  /** What was seen since this was asked last. */
  take(): HeadPositions {
    const seen = this.#seen;
    this.#seen = new Map();
    return seen;
  }
}
