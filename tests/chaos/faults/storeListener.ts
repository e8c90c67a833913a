import { type AppendResult, type Store, type StoredEntry } from '../../../src/store/store.ts';

type StoreListener = {
  readonly onAppend: (entries: readonly StoredEntry[]) => void;
  readonly onRefusedAppend: (stream: string, why: Exclude<AppendResult, { entries: unknown }>) => void;
  readonly onSnapshot: () => void;
  /** A floor starts from a snapshot. */
  readonly onSnapshotRead: () => void;
};

/** Store that reports every append and snapshot at the moment of its effect. */
export const withListener = (
  store: Store,
  { onAppend, onRefusedAppend, onSnapshot, onSnapshotRead }: StoreListener,
): Store => ({
  ...store,
  append: async (batch) => {
    const appended = await store.append(batch);
    if ('entries' in appended) onAppend(appended.entries);
    else onRefusedAppend(batch.stream, appended);
    return appended;
  },
  saveSnapshot: async (stream, snapshot) => {
    await store.saveSnapshot(stream, snapshot);
    onSnapshot();
  },
  snapshot: async (stream) => {
    const snapshot = await store.snapshot(stream);
    if (snapshot) onSnapshotRead();
    return snapshot;
  },
});
