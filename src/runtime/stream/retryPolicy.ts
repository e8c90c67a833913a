/** Number of failures in a row that are retried silently. More are an outage or, for a bug, a crash. */
export const maxRetries = 5;

/** Failures for longer than this are an outage, however few: each try takes long if the database does not answer. */
const maxHiddenMs = 5_000;

/** Backoff after the first failure, in milliseconds; it doubles with each failure up to the maximum. */
const firstBackoffMs = 50;
const maxBackoffMs = 3_000;

/** Exponential backoff after a number of failures in a row, in milliseconds. */
export const backoffMs = (failures: number): number => Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);

/**
 * True if failures in a row are an outage: there were 5, or the first was more than 5 s ago. For a bug only the count
 * matters.
 */
export const isOutage = (failures: number, spanMs: number, isDefect: boolean): boolean =>
  failures >= maxRetries || (failures > 0 && spanMs > maxHiddenMs && !isDefect);
