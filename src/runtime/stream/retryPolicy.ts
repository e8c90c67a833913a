/** Number of failures in a row that are retried before they count as an outage or, for a bug, as a crash. */
export const maxRetries = 5;

/**
 * Maximum time in milliseconds that failures may last before they are an outage, however few they are. A few tries can
 * take that long if the database does not answer.
 */
const maxHiddenMs = 5_000;

/** Backoff after the first failure, in milliseconds. It doubles with each failure up to `maxBackoffMs`. */
const firstBackoffMs = 50;
const maxBackoffMs = 3_000;

/** Exponential backoff after a number of failures in a row, in milliseconds. */
export const backoffMs = (failures: number): number => Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);

/**
 * True if one more failure makes an outage: there were `maxRetries` in a row, or they last longer than `maxHiddenMs`.
 * For a bug only the number matters.
 */
export const isOutage = (failures: number, spanMs: number, isDefect: boolean): boolean =>
  failures >= maxRetries || (failures > 0 && spanMs > maxHiddenMs && !isDefect);
