import { DamagedStore, WriterTakenOver } from './store.ts';

/** A write failed and nothing of it was stored; it may be retried. */
export class WriteFailed extends Error {}

/** The database is unreachable or unusable for now; nothing of the request was stored. */
export class DatabaseUnavailable extends WriteFailed {}

/** The writer is gone, so this process cannot continue with the store. */
export class StoreWriterEnded extends Error {}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const corruptionCodes: ReadonlySet<number> = new Set([11, 26]);

/** True for corruption. False for a full disk and I/O errors, which are retried. */
export const isCorruptionError = (error: unknown): boolean =>
  error instanceof DamagedStore || corruptionCodes.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** True when no retry can help and the process has to end. */
export const isFatalStoreError = (error: unknown): boolean =>
  error instanceof StoreWriterEnded || error instanceof WriterTakenOver || isCorruptionError(error);

export const checkpointConflictError = (number: number): WriterTakenOver =>
  new WriterTakenOver(`Another program has signed checkpoint ${number}; only one of a later number is the next.`);
