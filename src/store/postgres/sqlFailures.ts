import { DamagedStoreError } from '../store.ts';
import { DatabaseUnavailableError, WriteFailedError } from '../failures.ts';
import { SqlError, NoAnswerError } from './connection.ts';

/** SQLSTATE codes of a serialization failure and of a deadlock: the statement can be retried at once. */
const conflictStates: ReadonlySet<string> = new Set(['40001', '40P01']);

export const isTransactionConflict = (error: unknown): boolean =>
  error instanceof SqlError && conflictStates.has(error.state);

export const isUniqueViolation = (error: unknown): error is SqlError =>
  error instanceof SqlError && error.state === '23505';

/** SQLSTATE codes of missing tables or columns, and of damaged pages or indexes. */
const corruptionStates: ReadonlySet<string> = new Set(['42P01', '42703', 'XX001', 'XX002']);

/** Turns an error reply into a failure of the store. After an error reply the database has written nothing. */
function sqlFailure({ state, message }: SqlError): Error {
  const detail = `${JSON.stringify(message)}, PostgreSQL ${state}`;
  if (corruptionStates.has(state))
    return new DamagedStoreError(`The event store in the database is damaged (${detail}).`);
  switch (state) {
    case '53100':
      return new WriteFailedError(`The event store cannot be written: the disk of the database is full (${detail}).`);
    case '25006':
      return new DatabaseUnavailableError(`The event store cannot be written: the database is read-only (${detail}).`);
    case '55P03':
      return new WriteFailedError(
        `The event store cannot be written: another write has not ended; the synchronous standby of the database may be down (${detail}).`,
      );
    case '42501':
      return new WriteFailedError(
        `The event store cannot be used: the database user lacks the permission (${detail}).`,
      );
    default:
      return new WriteFailedError(`The event store cannot be used: the database refused the statement (${detail}).`);
  }
}

/** Turns an error of a read, or of a write that changed nothing, into a failure of the store. */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof SqlError) return sqlFailure(error);
  if (error instanceof NoAnswerError)
    return new DatabaseUnavailableError(`The event store cannot be read: ${error.message}`);
  return error;
}
