import { type Faults } from './faultyStore.ts';
import { type Lines } from './network.ts';

/** How bad a run is. */
export type FaultRates = {
  readonly faults: Faults;
  readonly lines: Lines;
  /** The mean time in seconds from one bad spell of the disk to the next, in which half of what it is asked fails. */
  readonly spells: number | undefined;
  /** The mean time in seconds that a floor lives before the plug is pulled, or it is parked, or the plug is pulled while it parks. */
  readonly life: number | undefined;
};

export const fair: FaultRates = {
  faults: { before: 0, after: 0, late: 0, plug: 0 },
  lines: { lost: 0, doubled: 0, slow: 0 },
  spells: undefined,
  life: undefined,
};

export const storm: FaultRates = {
  faults: { before: 4, after: 4, late: 4, plug: 4 },
  lines: { lost: 8, doubled: 12, slow: 8 },
  spells: 900,
  life: 400,
};

/** The disk in a bad spell. */
export const spell: Faults = { before: 250, after: 250, late: 20, plug: 0 };

/** The disk while nothing can be had of it. */
export const outage: Faults = { before: 1_000, after: 0, late: 0, plug: 0 };
