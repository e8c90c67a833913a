/** Number of failures in a row that are retried before they count as an outage or, for a bug, as a crash. */
export const maxRetriesBeforeOutage = 5;

/**
 * Maximum time that failures in a row may last before they count as an outage, in milliseconds, however few they are.
 * If the database does not answer, a few attempts can take that long.
 */
const maxHiddenMs = 5_000;

/** Backoff after the first failure, in milliseconds. The backoff doubles with each failure up to `maxBackoffMs`. */
const firstBackoffMs = 50;
const maxBackoffMs = 3_000;

/** Exponential backoff after a number of failures in a row, in milliseconds. */
export const backoffMsAfter = (failures: number): number =>
  Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);

/**
 * True when the next failure is an outage: `maxRetriesBeforeOutage` failures came in a row, or failures in a row have
 * lasted longer than `maxHiddenMs`. For a bug only the number of failures counts.
 */
export const isOutageAtNextFailure = (failures: number, spanMs: number, isDefect: boolean): boolean =>
  failures >= maxRetriesBeforeOutage || (failures > 0 && spanMs > maxHiddenMs && !isDefect);
