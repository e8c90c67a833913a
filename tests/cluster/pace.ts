/** Time without a leader, in milliseconds, after which a round does not continue automatically. */
export const interruptionMs = 10_000;
