import { type ShoeRetirementReason } from './commands.ts';

/**
 * State of the floor stream: starts and closes of the floor, accepted integrity issues, retired shoes and ticket keys.
 * Tables and terminals have streams of their own.
 */
export type FloorStreamState = {
  property: string;
  currency: string;
  at: number;
  /** Writer epoch of the last start: how often the store had been opened for writing by then. */
  epoch: number;
  /** True from a start of the floor to its close. */
  open: boolean;
  /** Why each retired shoe was retired, by shoe id. */
  retired: { [shoe: string]: ShoeRetirementReason };
  /** Ids of the ticket keys, from the last start that named any. */
  ticketKeys?: readonly string[];
  /**
   * Rollbacks of the store that an operator accepted, each with its time `at`. Terminals no longer redeem tickets made
   * with the oldest `keys` ticket keys, because such a ticket may have been paid after the point to which the store was
   * rolled back.
   */
  retiredKeys?: { readonly at: number; readonly keys: number }[];
  /** Time of the last accepted integrity issue; undefined without one. State from before that time may be lost. */
  stateLostAt?: number;
};
