import { type AppendResult, type Store, type StoredEntry } from '../../src/store/store.ts';

type Listener = {
  readonly wrote: (entries: readonly StoredEntry[]) => void;
  readonly refused: (stream: string, why: Exclude<AppendResult, { entries: unknown }>) => void;
  readonly saved: () => void;
  /** Somebody begins from a snapshot. */
  readonly cameBack: () => void;
};

/** A store with somebody who listens to whatever is written, at the moment when it is. */
export const withListener = (store: Store, { wrote, refused, saved, cameBack }: Listener): Store => ({
  ...store,
  append: async (batch) => {
    const appended = await store.append(batch);
    if ('entries' in appended) wrote(appended.entries);
    else refused(batch.stream, appended);
    return appended;
  },
  saveSnapshot: async (stream, snapshot) => {
    await store.saveSnapshot(stream, snapshot);
    saved();
  },
  snapshot: async (stream) => {
    const snapshot = await store.snapshot(stream);
    if (snapshot) cameBack();
    return snapshot;
  },
});
