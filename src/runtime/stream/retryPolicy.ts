/** Number of failures in a row that are retried before they count as an outage or, for a bug, as a crash. */
export const maxRetriesBeforeOutage = 5;

/**
 * Failures in a row are an outage if they last longer than this, in milliseconds, however few they are. A few tries can
 * take that long if the database does not answer.
 */
const maxHiddenMs = 5_000;

/** Backoff after the first failure, in milliseconds. The backoff doubles with each failure up to `maxBackoffMs`. */
const firstBackoffMs = 50;
const maxBackoffMs = 3_000;

/** Exponential backoff after a number of failures in a row, in milliseconds. */
export const backoffMsAfter = (failures: number): number =>
  Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);

/**
 * True when the next failure is an outage: `maxRetries` failures came in a row, or they have lasted longer than
 * `maxHiddenMs`. For a bug only the number of failures counts.
 */
export const isOutageAtNextFailure = (failures: number, spanMs: number, isDefect: boolean): boolean =>
  failures >= maxRetriesBeforeOutage || (failures > 0 && spanMs > maxHiddenMs && !isDefect);
