import { DamagedRecord, TakenOver } from './store.ts';

/** A write failed and nothing of it was stored; it may be retried. */
export class WriteFailed extends Error {}

/** The database is unreachable or unusable for now; nothing of the request was stored. */
export class DatabaseAway extends WriteFailed {}

/** The writer is gone, so this process cannot continue with the store. */
export class RecordLost extends Error {}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const corruptionCodes: ReadonlySet<number> = new Set([11, 26]);

/** True for corruption. False for a full disk and I/O errors, which are retried. */
export const isCorruption = (error: unknown): boolean =>
  error instanceof DamagedRecord || corruptionCodes.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** True when no retry can help and the process has to end. */
export const isFatal = (error: unknown): boolean =>
  error instanceof RecordLost || error instanceof TakenOver || isCorruption(error);

export const checkpointConflict = (number: number): TakenOver =>
  new TakenOver(`Another program has signed checkpoint ${number}; only one of a later number is the next.`);
