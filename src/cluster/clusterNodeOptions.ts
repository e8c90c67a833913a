import { type ClusterMembership } from '../store/postgres/clusterMembership.ts';
import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';
import { type LeaseChange } from './tableLeadership.ts';
import { type NodeClocks } from './nodeLeases.ts';

export type ClusterNodeOptions = Partial<NodeClocks> & {
  readonly membership: Pick<
    ClusterMembership,
    'renew' | 'beginEpochs' | 'releaseLeases' | 'readHeads' | 'leave' | 'close'
  >;
  readonly leaseMs: number;
  /** True if this node may lead tables; false if it only serves connections. */
  readonly mayLead: boolean;
  /** Id of this node in the cluster; random if absent. */
  readonly id?: string;
  /** Time after which a table is handed over even during a round, in milliseconds. */
  readonly handOverLimitMs?: number;
  /** Time for which this node searches for the leader to which it can forward a command, in milliseconds. */
  readonly searchMs?: number;
  /** Called when the clock differs from the database clock by `by` milliseconds, or is right again (undefined). */
  readonly onClockError: (by: number | undefined) => void;
  /** Called when a request to the database has failed. */
  readonly onDatabaseFailure: (error: unknown) => void;
  readonly onDatabaseReply: () => void;
  /** Called when the lease of a table was taken, lost or handed over. */
  readonly onLeaseChange?: (stream: string, how: LeaseChange) => void;
  /** Called for a failure from which the node recovers. */
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Options of the port at which a node listens for other nodes. */
export type NodeListenOptions = {
  /** Data key of the property, with which nodes authenticate each other. */
  readonly key: Buffer;
  readonly host: string;
  readonly port: number;
  readonly publicHost?: string;
  /** Clock of this node. Other nodes measure the difference between this clock and their own. */
  readonly clock: () => number;
  readonly silenceMs?: number;
};

export type FloorForCluster = {
  /** URL for browsers. */
  readonly address: string;
  /** Streams of all tables. */
  readonly tables: readonly string[];
  readonly handlers: FloorHandlersForCluster;
};
