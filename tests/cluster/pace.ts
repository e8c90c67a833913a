/** Time without a leader, in milliseconds, after which a round does not continue automatically. */
export const interruptionMs = 10_000;

/** A collect above this amount becomes a hand-pay, in minor units. It is above the demo credit with some bills. */
export const handPayLimit = 200_000;
