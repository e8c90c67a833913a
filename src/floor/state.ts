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
   * Times of rollbacks of the store, with the number of ticket keys by then: terminals do not redeem tickets of those
   * keys.
   */
  retiredKeys?: { readonly at: number; readonly keys: number }[];
  /** Last time that the floor went on although the store may lack entries: earlier state may be lost. */
  stateLostAt?: number;
};
