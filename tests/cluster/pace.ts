/** After so many milliseconds without a driver a round does not go on by itself. */
export const interruptionMs = 10_000;
