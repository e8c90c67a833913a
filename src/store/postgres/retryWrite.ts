import { setTimeout } from 'node:timers/promises';
import { WriteResultUnknownError } from '../store.ts';
import { DatabaseUnavailableError } from '../failures.ts';
import { SqlError, NoAnswerError } from './connection.ts';
import { isTransactionConflict, toStoreFailure } from './sqlFailures.ts';

/** Shortest and longest wait between two attempts, in milliseconds (exponential backoff). */
const minWaitMs = 20;
const maxWaitMs = 500;

/** State of a retried write. In doubt means that an earlier attempt had no answer, so the write may be committed. */
type Attempt = { isInDoubt: boolean };

/**
 * Retries a write until its result is known. An attempt without an answer leaves the write in doubt until a later
 * attempt is answered, so `write` must be idempotent. Throws `WriteResultUnknownError` if the write is still in doubt after
 * the timeout.
 */
export async function retryUntilAnswered<Result>(
  timeoutMs: number,
  attempt: Attempt,
  write: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = minWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await write(attempt);
    } catch (error) {
      if (isTransactionConflict(error)) continue;
      if (error instanceof NoAnswerError) attempt.isInDoubt = true;
      else if (!attempt.isInDoubt) throw toStoreFailure(error);
      else if (!(error instanceof SqlError) && !(error instanceof DatabaseUnavailableError)) throw error;
      if (performance.now() + waitMs >= deadline) throw resultUnknown(error);
      await setTimeout(waitMs);
    }
  }
}

const resultUnknown = (error: Error): WriteResultUnknownError =>
  new WriteResultUnknownError(
    `It is unknown whether the write was stored: ${error.message.replace(/\.$/, '')}. No write is confirmed until the database and its synchronous standby answer.`,
    { cause: error },
  );
