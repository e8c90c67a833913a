import { type RetirementReason } from './commands.ts';

/** What is known of a floor as a whole, whatever happens at its tables. */
export type FloorState = {
  property: string;
  currency: string;
  at: number;
  /** How often its record had been opened for writing when it last began. */
  epoch: number;
  /** Whether one runs it, as far as the record knows. */
  open: boolean;
  /** The shoes that are not dealt any more, with the reason. */
  retired: { [shoe: string]: RetirementReason };
  /** The names of the keys of tickets, once they are told. */
  ticketKeys?: readonly string[];
  /** When the record was turned back, and how many keys had been in use by then: tickets of those are held. */
  held?: { readonly at: number; readonly keys: number }[];
  /** When somebody last went on although the record may end too early: what tables knew before that may be lost. */
  doubted?: number;
};
