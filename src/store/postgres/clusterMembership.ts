import { DamagedStoreError, UnusableStoreError } from '../store.ts';
import { DatabaseUnavailableError } from '../failures.ts';
import { type ConnectionSettings, parseConnectionUrl, hostText } from './connectionUrl.ts';
import { isTransactionConflict, toStoreFailure } from './sqlFailures.ts';
import { NoUsableHostError, connectToPrimary } from './hostSelection.ts';
import { type PgConnection, type PgRow, NoAnswerError } from './connection.ts';
import { readPostgresSchemaVersion, migratePostgres } from './migrations.ts';
import {
  renewLeasesStatement,
  beginEpochsStatement,
  releaseLeasesStatement,
  removeNodeStatement,
  readHeadsStatement,
  listNodesStatement,
} from './membershipSql.ts';
import { type ReadPositionTracker } from './readPositions.ts';

// Membership and leases of the nodes on one database. All times come from the clock of the database, so that machines
// need no common clock. One statement records the heartbeat of a node, renews its leases and takes free leases. A late
// renewal would lose leases. So that statement has a connection of its own, on which it waits neither for a free
// connection nor for another statement.

/**
 * Stage of a node. `coming`: the node looks for other nodes. `joining`: it has found an open floor and joins it.
 * `open`: its floor is open. `leaving`: it hands over its tables and stops.
 */
export type NodeStage = 'coming' | 'joining' | 'open' | 'leaving';

/**
 * A node as it is registered in the database. Browsers connect to `browserUrl`, other nodes to `nodeUrl`. `mayLead`:
 * the node may lead tables.
 */
export type RegisteredNode = {
  readonly id: string;
  readonly browserUrl: string;
  readonly nodeUrl: string;
  readonly mayLead: boolean;
  readonly stage: NodeStage;
};

/** Another node of the cluster. `silent`: milliseconds since its last heartbeat. */
export type OtherNode = RegisteredNode & { readonly silent: number };

/** A lease of another node. `left`: milliseconds until the lease ends. */
export type OtherNodeLease = { readonly name: string; readonly node: string; readonly left: number };

/**
 * A lease of this node. `since`: when this node acquired it, in milliseconds since 1970; a renewal does not change
 * that time.
 */
type OwnLease = { readonly name: string; readonly since: number };

export type LeaseRenewalReply = {
  /** Time of the database, in milliseconds since 1970. */
  readonly at: number;
  readonly mine: readonly OwnLease[];
  readonly others: readonly OtherNodeLease[];
  readonly nodes: readonly OtherNode[];
};

/**
 * A new fencing epoch of a stream. `heartbeatAt`: when a leader of the stream last recorded a heartbeat, in
 * milliseconds since 1970; undefined if there is no heartbeat.
 */
export type BegunFencingEpoch = { readonly epoch: number; readonly heartbeatAt: number | undefined };

/**
 * A node in the list of `punto nodes`. `since`: when the node joined, in milliseconds since 1970. `holds`: names of
 * its leases.
 */
export type ListedNode = OtherNode & { readonly since: number; readonly holds: readonly string[] };

const defaultTimeoutMs = 10_000;

/** Minimum timeout of a new connection. On a busy machine, connecting takes longer than a query. */
const minConnectMs = 2_000;

type MembershipOptions = {
  readonly timeoutMs?: number;
  readonly mustExist?: boolean;
  /**
   * Last entry of each stream that this process has read. A database that lacks one of these entries is behind and is
   * not used.
   */
  readonly readPositions?: ReadPositionTracker;
};

/**
 * One connection that runs one task after another. A task opens a new connection when the last connection has ended.
 */
class SerialConnection {
  readonly #connect: () => Promise<PgConnection>;
  readonly #onTimeout: (connection: PgConnection) => void;
  #connection: Promise<PgConnection> | undefined;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(connect: () => Promise<PgConnection>, onTimeout: (connection: PgConnection) => void = () => {}) {
    this.#connect = connect;
    this.#onTimeout = onTimeout;
  }

  async use<Result>(work: (connection: PgConnection) => Promise<Result>): Promise<Result> {
    const previous = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await previous;
    try {
      return await this.#use(work);
    } finally {
      resolve();
    }
  }

  async #use<Result>(work: (connection: PgConnection) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new DatabaseUnavailableError('The connection to the database was closed.');
    const opening = (this.#connection ??= this.#connect());
    const forget = (): void => {
      if (this.#connection === opening) this.#connection = undefined;
    };
    let connection: PgConnection;
    try {
      connection = await opening;
    } catch (error) {
      forget();
      throw toStoreFailure(error);
    }
    if (connection.isBroken) {
      forget();
      return this.#use(work);
    }
    try {
      return await work(connection).catch((error: unknown) => {
        // Work that fails with a deadlock or a serialization failure is retried once.
        if (isTransactionConflict(error)) return work(connection);
        throw error;
      });
    } catch (error) {
      if (connection.isBroken) forget();
      if (!(error instanceof NoAnswerError) || !error.isTimeout) throw toStoreFailure(error);
      this.#onTimeout(connection);
      const message = error.message.replace(/\.$/, '');
      throw new DatabaseUnavailableError(
        `${message}; the database is down, or waits for a synchronous standby that is down.`,
      );
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.then(
      (connection) => connection.close(),
      () => {},
    );
  }
}

export class ClusterMembership {
  readonly #timeoutMs: number;
  /** Connection for renewals of leases alone, so that renewals wait for no other work. */
  readonly #renewals: SerialConnection;
  readonly #otherWork: SerialConnection;
  /**
   * Host that is tried first: the host of the last connection. After a timeout of that host, it is the next host in the
   * URL.
   */
  #preferredHost: string | undefined;

  private constructor(address: ConnectionSettings, timeoutMs: number, readPositions?: ReadPositionTracker) {
    this.#timeoutMs = timeoutMs;
    const connectMs = Math.max(timeoutMs, minConnectMs);
    const check = async (connection: PgConnection): Promise<string | undefined> =>
      readPositions?.findMismatch(connection, connectMs);
    const connect = async (): Promise<PgConnection> => {
      const connection = await connectToPrimary(address, {
        preferredHost: this.#preferredHost,
        timeoutMs: connectMs,
        check,
      });
      this.#preferredHost = connection.host;
      return connection;
    };
    // A primary that has lost its synchronous standby confirms no write, so the next host is tried.
    const onTimeout = ({ host: at }: PgConnection): void => {
      const hosts = address.hosts.map(hostText);
      this.#preferredHost = hosts[(hosts.indexOf(at) + 1) % hosts.length];
    };
    this.#renewals = new SerialConnection(connect, onTimeout);
    this.#otherWork = new SerialConnection(connect, onTimeout);
  }

  /**
   * Connects to the database and migrates it to the newest schema version. Creates a missing store unless `mustExist`
   * is set.
   */
  static async open(
    url: string,
    { timeoutMs = defaultTimeoutMs, mustExist = false, readPositions }: MembershipOptions = {},
  ): Promise<ClusterMembership> {
    const address = parseConnectionUrl(url);
    const migration = new SerialConnection(() =>
      connectToPrimary(address, { timeoutMs: defaultTimeoutMs, check: async () => undefined }),
    );
    try {
      await migration.use((connection) => migratePostgres(connection, address, mustExist, defaultTimeoutMs));
    } catch (error) {
      throw error instanceof DatabaseUnavailableError ? new UnusableStoreError(error.message) : error;
    } finally {
      await migration.close();
    }
    return new ClusterMembership(address, timeoutMs, readPositions);
  }

  /** Lists all nodes and writes nothing. The list is empty when the database has no store. */
  static async listNodes(url: string): Promise<readonly ListedNode[]> {
    const address = parseConnectionUrl(url);
    const membership = new ClusterMembership(address, defaultTimeoutMs);
    try {
      return await membership.#otherWork.use(async (connection) => {
        const version = await readPostgresSchemaVersion(connection, address);
        return version === 0 ? [] : ((await connection.query(listNodesStatement)) as unknown as ListedNode[]);
      });
    } finally {
      await membership.close();
    }
  }

  /**
   * Registers the node. Of the leases `names`, renews those that the node holds and takes those that are free. Records
   * a heartbeat of each stream in `ledNames` whose lease the node holds.
   */
  async renew(
    { id, browserUrl, nodeUrl, mayLead, stage }: RegisteredNode,
    names: readonly string[],
    ledNames: readonly string[],
    leaseMs: number,
  ): Promise<LeaseRenewalReply> {
    const values = [id, browserUrl, nodeUrl, mayLead, stage, names, ledNames, leaseMs];
    const [row] = await this.#renewals.use((connection) =>
      connection.write(renewLeasesStatement, values, this.#timeoutMs),
    );
    return row as PgRow & LeaseRenewalReply;
  }

  /** Runs work other than renewals. Uses the connection of renewals when the server has no free connection. */
  async #work<Result>(work: (connection: PgConnection) => Promise<Result>): Promise<Result> {
    try {
      return await this.#otherWork.use(work);
    } catch (error) {
      if (error instanceof NoUsableHostError && error.isFull) return this.#renewals.use(work);
      throw error;
    }
  }

  /**
   * Begins a new fencing epoch of each stream in `names` whose lease the node holds. All other streams are absent from
   * the map.
   */
  async beginEpochs(
    { id }: Pick<RegisteredNode, 'id'>,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, BegunFencingEpoch>> {
    const rows = await this.#work((connection) => connection.write(beginEpochsStatement, [id, names], this.#timeoutMs));
    return new Map(
      rows.map(({ name, epoch, heartbeatAt }) => [
        String(name),
        { epoch: safeInteger(epoch), heartbeatAt: heartbeatAt === null ? undefined : safeInteger(heartbeatAt) },
      ]),
    );
  }

  /** Ends the leases `names` of the node, so that other nodes can take them at once. */
  async releaseLeases({ id }: Pick<RegisteredNode, 'id'>, names: readonly string[]): Promise<void> {
    await this.#work((connection) => connection.write(releaseLeasesStatement, [id, names], this.#timeoutMs));
  }

  /** Last sequence of each stream. Streams without entries are absent from the map. */
  async readHeads(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#work((connection) => connection.query(readHeadsStatement, [streams], this.#timeoutMs));
    return new Map(rows.map(({ stream, sequence }) => [String(stream), safeInteger(sequence)]));
  }

  async leave({ id }: Pick<RegisteredNode, 'id'>): Promise<void> {
    await this.#renewals.use((connection) => connection.write(removeNodeStatement, [id], this.#timeoutMs));
  }

  async close(): Promise<void> {
    await Promise.all([this.#renewals.close(), this.#otherWork.close()]);
  }
}

function safeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new DamagedStoreError('The event store contains a number that is too large to be exact.');
}
