import { type ClusterMembership } from '../store/postgres/membership.ts';
import { type NodeHandlers } from './nodeHandlers.ts';
import { type LeaseChange } from './tableLeadership.ts';
import { type NodeClocks } from './leases.ts';

/** Options of a cluster node. */
export type ClusterNodeOptions = Partial<NodeClocks> & {
  readonly membership: Pick<
    ClusterMembership,
    'renew' | 'beginEpochs' | 'releaseLeases' | 'readHeads' | 'leave' | 'close'
  >;
  readonly leaseMs: number;
  /** Whether this node may lead tables, or only serves connections. */
  readonly mayLead: boolean;
  /** Id for other nodes; random if absent. */
  readonly id?: string;
  /** After this time a table is handed over in any phase, in milliseconds. */
  readonly handOverLimitMs?: number;
  /** How long the leader of a table is searched, in milliseconds. */
  readonly searchMs?: number;
  /** The clock differs from the database clock by that many milliseconds, or is right again. */
  readonly onClockError: (by: number | undefined) => void;
  /** The database did not reply; the renewal is retried. */
  readonly onDatabaseFailure: (error: unknown) => void;
  /** The database has replied. */
  readonly onDatabaseReply: () => void;
  /** A lease of a table was taken, lost or given. */
  readonly onLeaseChange?: (stream: string, how: LeaseChange) => void;
  /** A failure from which the node recovers. */
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Where the node listens for other nodes. */
export type NodeListenOptions = {
  /** Property key. */
  readonly key: Buffer;
  readonly host: string;
  readonly port: number;
  readonly publicHost?: string;
  /** Clock of this node that other nodes measure. */
  readonly clock: () => number;
  readonly silenceMs?: number;
};

/** The open floor of a node. */
export type OpenedFloor = {
  /** Address for browsers. */
  readonly address: string;
  /** Streams of all tables. */
  readonly tables: readonly string[];
  readonly handlers: NodeHandlers;
};
