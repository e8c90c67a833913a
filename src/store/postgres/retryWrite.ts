import { setTimeout } from 'node:timers/promises';
import { DamagedRecord, ResultUnknown } from '../store.ts';
import { DatabaseAway, WriteFailed } from '../failures.ts';
import { SqlError, NoAnswer } from './connection.ts';

/** Serialization failure and deadlock: retried at once. */
const conflictStates: ReadonlySet<string> = new Set(['40001', '40P01']);

export const isUniqueViolation = (error: unknown): error is SqlError =>
  error instanceof SqlError && error.state === '23505';

/** Missing tables or columns, damaged pages or indexes. */
const corruptionStates: ReadonlySet<string> = new Set(['42P01', '42703', 'XX001', 'XX002']);

/** The failure for an SQL error; nothing was written. */
function sqlFailure({ state, message }: SqlError): Error {
  const detail = `${JSON.stringify(message)}, PostgreSQL ${state}`;
  if (corruptionStates.has(state))
    return new DamagedRecord(`The database does not hold a record as it must be (${detail}).`);
  switch (state) {
    case '53100':
      return new WriteFailed(`The record cannot be written: the disk of the database is full (${detail}).`);
    case '25006':
      return new DatabaseAway(`The record cannot be written: the database only lets itself be read (${detail}).`);
    case '55P03':
      return new WriteFailed(
        `The record cannot be written: another write is not over; a synchronous standby of the database may be lost (${detail}).`,
      );
    case '42501':
      return new WriteFailed(`The record cannot be written: the user of the database has no right to (${detail}).`);
    default:
      return new WriteFailed(`The record cannot be written: the database denies it (${detail}).`);
  }
}

/** Maps an error of a read, or of a write that changed nothing. */
export function toFailure(error: unknown): unknown {
  if (error instanceof SqlError) return sqlFailure(error);
  if (error instanceof NoAnswer) return new DatabaseAway(`The record cannot be read: ${error.message}`);
  return error;
}

/** Exponential backoff. */
const minWaitMs = 20;
const maxWaitMs = 500;

/** In doubt: an earlier attempt may have been committed. */
type Attempt = { isInDoubt: boolean };

/**
 * Retries a write until its result is known. After an attempt without an answer the write is in doubt, and only an answer
 * ends that. So `write` must be idempotent. Throws `ResultUnknown` at the timeout.
 */
export async function retryUntilKnown<Result>(
  timeoutMs: number,
  attempt: Attempt,
  write: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = minWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await write(attempt);
    } catch (error) {
      if (error instanceof SqlError && conflictStates.has(error.state)) continue;
      if (error instanceof NoAnswer) attempt.isInDoubt = true;
      else if (!attempt.isInDoubt) throw toFailure(error);
      else if (!(error instanceof SqlError) && !(error instanceof DatabaseAway)) throw error;
      if (performance.now() + waitMs >= deadline) throw resultUnknown(error);
      await setTimeout(waitMs);
    }
  }
}

const resultUnknown = (error: Error): ResultUnknown =>
  new ResultUnknown(
    `Whether it was written is not known: ${error.message.replace(/\.$/, '')}. Nothing is acknowledged while the database, or its synchronous standby, does not answer.`,
    { cause: error },
  );
