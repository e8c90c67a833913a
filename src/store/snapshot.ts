import { createHmac } from 'node:crypto';
import { type StoreReader, type Snapshot, type Store, type StoredEntry } from './store.ts';

/** The form of the states that are saved. A snapshot of another form is passed over. */
export const snapshotForm = 11;

/** Binds a state to the entry that it was worked out up to. Without the key of the record nobody can make one up. */
export const snapshotHash = (state: string, head: string, key: Buffer): string =>
  `hmac-sha256:${createHmac('sha256', key).update(`${head}\n${state}`).digest('hex')}`;

/** The entry that a snapshot was taken at, if whoever has that key bound it to it. */
export async function snapshotEntry(
  store: Pick<StoreReader, 'read'>,
  stream: string,
  { sequence, state, hash }: Snapshot,
  key: Buffer,
): Promise<StoredEntry | undefined> {
  // None is taken before the first entry.
  if (sequence < 1) return undefined;
  for await (const [entry] of store.read(stream, sequence - 1, 1)) {
    return entry && snapshotHash(state, entry.hash, key) === hash ? entry : undefined;
  }
  return undefined;
}

/**
 * Binds what the former key has bound with another one; what is bound with that already stays as it is, so that it can be
 * done again after an interruption. The new key vouches for nothing else: any other snapshot is dropped. Gives the streams
 * of those.
 */
export async function rebindSnapshots(store: Store, former: Buffer, next: Buffer): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const stream of await store.snapshots()) {
    const saved = (await store.snapshot(stream))!;
    if (await snapshotEntry(store, stream, saved, next)) continue;
    const entry = await snapshotEntry(store, stream, saved, former);
    if (entry === undefined) dropped.push(stream);
    await store.saveSnapshot(stream, entry && { ...saved, hash: snapshotHash(saved.state, entry.hash, next) });
  }
  return dropped;
}
