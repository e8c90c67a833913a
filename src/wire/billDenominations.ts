/** Denominations of the bills that the simulated bill acceptor of a demo accepts, in minor units. */
export const demoBillDenominations: readonly number[] = [1_000, 2_000, 5_000, 10_000, 50_000, 100_000];
