import { type Account } from '../ledger/accounts.ts';
import { DamagedStoreError, WriterTakenOverError } from './store.ts';

/** Error: a write failed and stored nothing, so it may be retried. */
export class WriteFailedError extends Error {}

/** Error: the database cannot be reached or used now. The request stored nothing, so it may be retried. */
export class DatabaseUnavailableError extends WriteFailedError {}

/** Error: the writer of the store has ended, by a crash or a close. This process can no longer write to the store. */
export class StoreWriterEndedError extends Error {}

/** SQLite result codes for a damaged database: SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptionCodes: ReadonlySet<number> = new Set([11, 26]);

/** True for damaged data. False for a full disk and for I/O errors, which are retried. */
export const isCorruptionError = (error: unknown): boolean =>
  error instanceof DamagedStoreError || corruptionCodes.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** True when no retry can help, so that the process must end. */
export const isFatalStoreError = (error: unknown): boolean =>
  error instanceof StoreWriterEndedError || error instanceof WriterTakenOverError || isCorruptionError(error);

/**
 * The guard of a balance is 1 if the balance must not become negative, otherwise 0. Error: the stored guard is not the
 * guard that the kind of the account demands (`expected`).
 */
export const wrongBalanceGuardError = (account: Account, stored: number, expected: 0 | 1): DamagedStoreError =>
  new DamagedStoreError(
    `The guard of the account ${account} against a negative balance is stored as ${stored}, but must be ${expected}.`,
  );

export const checkpointConflictError = (number: number): WriterTakenOverError =>
  new WriterTakenOverError(
    `Another node has already signed checkpoint ${number}; only a checkpoint with the next number can be signed.`,
  );
