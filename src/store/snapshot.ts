import { createHmac } from 'node:crypto';
import { type StoreReader, type Snapshot, type Store, type StoredEntry } from './store.ts';

/** Schema version of the state in a snapshot. A snapshot of another version is ignored. */
export const snapshotSchemaVersion = 12;

/**
 * MAC of a snapshot, made with the data key. The MAC covers the state and `head`, the hash of the last entry that the
 * snapshot includes.
 */
export const snapshotMac = (state: string, head: string, key: Buffer): string =>
  `hmac-sha256:${createHmac('sha256', key).update(`${head}\n${state}`).digest('hex')}`;

/**
 * The last entry that a snapshot includes; undefined when that entry is missing or the MAC of the snapshot is not
 * valid.
 */
export async function verifySnapshot(
  store: Pick<StoreReader, 'read'>,
  stream: string,
  { sequence, state, hash }: Snapshot,
  key: Buffer,
): Promise<StoredEntry | undefined> {
  // A genuine snapshot includes at least one entry.
  if (sequence < 1) return undefined;
  for await (const [entry] of store.read(stream, sequence - 1, 1)) {
    return entry && snapshotMac(state, entry.hash, key) === hash ? entry : undefined;
  }
  return undefined;
}

/**
 * Key rotation: gives every snapshot a MAC of the next key. The function can run again after an interruption, because
 * it skips snapshots that already have a MAC of the next key. Deletes forged snapshots and returns their streams.
 */
export async function reauthenticateSnapshots(store: Store, former: Buffer, next: Buffer): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const stream of await store.snapshots()) {
    const saved = (await store.snapshot(stream))!;
    if (await verifySnapshot(store, stream, saved, next)) continue;
    const entry = await verifySnapshot(store, stream, saved, former);
    if (entry === undefined) dropped.push(stream);
    await store.saveSnapshot(stream, entry && { ...saved, hash: snapshotMac(saved.state, entry.hash, next) });
  }
  return dropped;
}
