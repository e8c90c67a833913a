import { type ShoeRetirementReason } from './commands.ts';

/** State of the floor stream: starts and closes, retired shoes and ticket keys. Tables and terminals have their own. */
export type FloorState = {
  property: string;
  currency: string;
  at: number;
  /** Writer epoch: how often the store had been opened for writing by the last start. */
  epoch: number;
  /** True from a start of the floor to its close. */
  open: boolean;
  /** Why each retired shoe was retired, by shoe id. */
  retired: { [shoe: string]: ShoeRetirementReason };
  /** Ids of the ticket keys that the last start named. */
  ticketKeys?: readonly string[];
  /**
   * Rollbacks of the store: the time, and the number of ticket keys by then. Terminals do not redeem tickets of those
   * keys.
   */
  retiredKeys?: { readonly at: number; readonly keys: number }[];
  /** When the operator last accepted a store that may lack entries; state from before then may be lost. */
  stateLostAt?: number;
};
