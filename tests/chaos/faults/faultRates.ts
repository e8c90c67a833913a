import { type Faults } from './faultyStore.ts';
import { type NetworkFaults } from './network.ts';

/** Rates of injected faults. */
export type FaultRates = {
  readonly faults: Faults;
  readonly network: NetworkFaults;
  /** Mean time in seconds between fault bursts of the store, in which half of all operations fail. */
  readonly burstSeconds: number | undefined;
  /** Mean lifetime of a floor in seconds, until it is killed, parked, or killed while parking. */
  readonly lifetimeSeconds: number | undefined;
};

export const noFaults: FaultRates = {
  faults: { before: 0, after: 0, late: 0, kill: 0 },
  network: { lost: 0, duplicated: 0, slow: 0 },
  burstSeconds: undefined,
  lifetimeSeconds: undefined,
};

export const manyFaults: FaultRates = {
  faults: { before: 4, after: 4, late: 4, kill: 4 },
  network: { lost: 8, duplicated: 12, slow: 8 },
  burstSeconds: 900,
  lifetimeSeconds: 400,
};

/** The store during a burst of faults. */
export const faultBurst: Faults = { before: 250, after: 250, late: 20, kill: 0 };

/** The store during an outage: every operation fails. */
export const outage: Faults = { before: 1_000, after: 0, late: 0, kill: 0 };
