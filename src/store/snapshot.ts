import { createHmac } from 'node:crypto';
import { type StoreReader, type Snapshot, type Store, type StoredEntry } from './store.ts';

/** Schema version of saved states. A snapshot of another version is ignored. */
export const snapshotSchemaVersion = 11;

/** MAC over the state and the hash of its last entry; it needs the key of the property. */
export const snapshotMac = (state: string, head: string, key: Buffer): string =>
  `hmac-sha256:${createHmac('sha256', key).update(`${head}\n${state}`).digest('hex')}`;

/** The entry at which a snapshot was taken, if its MAC is valid; undefined for a forged snapshot. */
export async function verifiedSnapshotEntry(
  store: Pick<StoreReader, 'read'>,
  stream: string,
  { sequence, state, hash }: Snapshot,
  key: Buffer,
): Promise<StoredEntry | undefined> {
  // There is no snapshot before the first entry.
  if (sequence < 1) return undefined;
  for await (const [entry] of store.read(stream, sequence - 1, 1)) {
    return entry && snapshotMac(state, entry.hash, key) === hash ? entry : undefined;
  }
  return undefined;
}

/**
 * Key rotation: authenticates every snapshot of the former key with the next key. Repeatable after an interruption:
 * snapshots that already have the next key are skipped. Forged ones are deleted; returns their streams.
 */
export async function reauthenticateSnapshots(store: Store, former: Buffer, next: Buffer): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const stream of await store.snapshots()) {
    const saved = (await store.snapshot(stream))!;
    if (await verifiedSnapshotEntry(store, stream, saved, next)) continue;
    const entry = await verifiedSnapshotEntry(store, stream, saved, former);
    if (entry === undefined) dropped.push(stream);
    await store.saveSnapshot(stream, entry && { ...saved, hash: snapshotMac(saved.state, entry.hash, next) });
  }
  return dropped;
}
