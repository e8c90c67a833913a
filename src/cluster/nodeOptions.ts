import { type Membership } from '../store/postgres/membership.ts';
import { type NodeHandlers } from './nodeHandlers.ts';
import { type LeaseChange } from './tableLeadership.ts';
import { type Clocks } from './leases.ts';

/** What a member is made with, and whom it tells. */
export type MemberParts = Partial<Clocks> & {
  readonly ground: Pick<Membership, 'renew' | 'beginEpochs' | 'releaseLeases' | 'readHeads' | 'leave' | 'close'>;
  readonly lasts: number;
  /** Whether this program may drive tables, or only holds sockets. */
  readonly mayDrive: boolean;
  /** What others know it by; drawn unless given. */
  readonly id?: string;
  /** After so many milliseconds a table is handed over in any phase. */
  readonly late?: number;
  /** So long whoever drives a table is looked for, in milliseconds. */
  readonly search?: number;
  /** Told when the clock of this machine is found to be far from the database's, and when it is no more. */
  readonly far: (by: number | undefined) => void;
  /** The database could not be asked; it is asked again. */
  readonly away: (error: unknown) => void;
  /** The database has answered. */
  readonly answered: () => void;
  /** A lease of a table has changed hands. */
  readonly changed?: (stream: string, how: LeaseChange) => void;
  /** Something went wrong that is got over. */
  readonly trouble: (what: string, error: unknown) => void;
};

/** Where it listens for the other nodes. */
export type Linking = {
  /** The key of the property. */
  readonly key: Buffer;
  readonly host: string;
  readonly port: number;
  readonly reached?: string;
  /** The time that this node tells to the others. */
  readonly clock: () => number;
  readonly patience?: number;
};

/** Its floor, once it is open. */
export type Opened = {
  /** Where browsers reach it. */
  readonly address: string;
  /** The streams of all tables. */
  readonly tables: readonly string[];
  readonly calls: NodeHandlers;
};
