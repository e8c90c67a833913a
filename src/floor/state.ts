import { type ShoeRetirementReason } from './commands.ts';

/** State of the floor as a whole, independent of its tables. */
export type FloorState = {
  property: string;
  currency: string;
  at: number;
  /** Writer epoch: how often the store had been opened for writing at the last start. */
  epoch: number;
  /** True between a start and a close in the event log. */
  open: boolean;
  /** Retired shoes with the reason. */
  retired: { [shoe: string]: ShoeRetirementReason };
  /** Ids of the ticket keys. */
  ticketKeys?: readonly string[];
  /** Rollbacks of the store, with the number of ticket keys in use by then: tickets of those keys are not redeemed. */
  retiredKeys?: { readonly at: number; readonly keys: number }[];
  /** Last start although the store may lack entries: state before that may be lost. */
  stateLostAt?: number;
};
