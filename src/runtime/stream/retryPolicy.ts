/** Failures in a row that are retried silently. More are an outage or, for a bug, a crash. */
export const maxRetries = 5;

/** Failures for longer than this are an outage, however few: each try at a silent database takes long. */
const maxHiddenMs = 5_000;

/** Backoff before the second try, in milliseconds; it doubles up to the maximum. */
const firstBackoffMs = 50;
const maxBackoffMs = 3_000;

/** Exponential backoff after a number of failures in a row, in milliseconds. */
export const backoffMs = (failures: number): number => Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);

/**
 * True when retries become an outage: 5 failures in a row, or 5 s since the first. For a bug only the count matters.
 */
export const isOutage = (failures: number, spanMs: number, isDefect: boolean): boolean =>
  failures >= maxRetries || (failures > 0 && spanMs > maxHiddenMs && !isDefect);
