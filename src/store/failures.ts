import { DamagedRecord, TakenOver } from './store.ts';

/** A write failed, and nothing of it stands; it may be tried again. */
export class WriteFailed extends Error {}

/** The database cannot be reached, or not be used, for the time being; nothing of what was asked of it stands. */
export class DatabaseAway extends WriteFailed {}

/** This program cannot go on with the record: what wrote it is gone. */
export class RecordLost extends Error {}

/** What SQLite says of a file that is malformed, or no database at all. */
const damages: ReadonlySet<number> = new Set([11, 26]);

/** Whether the record is no longer what was written; what a disk has no room for, or fails to do, is another matter. */
export const isCorruption = (error: unknown): boolean =>
  error instanceof DamagedRecord || damages.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** Whether no further try can help, and the program has to end. */
export const isFatal = (error: unknown): boolean =>
  error instanceof RecordLost || error instanceof TakenOver || isCorruption(error);

/** Somebody else has signed a checkpoint of that number. */
export const signedBefore = (number: number): TakenOver =>
  new TakenOver(`Another program has signed checkpoint ${number}; only one of a later number is the next.`);
