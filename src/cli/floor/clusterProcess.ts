import { existsSync } from 'node:fs';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type ClusterPort } from '../../runtime/ports/clusterPort.ts';
import { createFloorHandlersForCluster, tableStreamsOf } from '../../cluster/floorHandlersForCluster.ts';
import { LeaseUncertainError } from '../../cluster/fencedStore.ts';
import { ClusterNode } from '../../cluster/clusterNode.ts';
import { DatabaseOutageNotice } from '../../cluster/databaseOutageNotice.ts';
import { ClusterMembership } from '../../store/postgres/clusterMembership.ts';
import { ReadPositionTracker } from '../../store/postgres/readPositions.ts';
import { type Store, WriterTakenOverError } from '../../store/store.ts';
import { DatabaseUnavailableError } from '../../store/failures.ts';
import {
  type KeyAndAnchorPaths,
  missingStoreToCliError,
  openDatabaseStore,
  hasKeyOrAnchor,
} from '../support/openStore.ts';
import { CliError } from '../support/cliError.ts';

/** The functions of a cluster node that a floor calls. */
export type ClusterNodeHandle = {
  /** `first` if this node starts the floor; `joins` if another node runs the floor already. */
  readonly role: 'first' | 'joins';
  /**
   * Starts to listen for other nodes. `key` is the encryption key of the property, and `clock` the clock of the floor.
   */
  readonly connect: (key: Buffer, clock: () => number) => Promise<void>;
  /** Makes the cluster port for a floor that writes to `store`. */
  readonly clusterPort: (store: Store) => ClusterPort;
  /**
   * Call when the floor is open at `address`. From then on this node may lead tables. Resolves when every table has a
   * leader; if that takes too long, after two lease times.
   */
  readonly opened: (address: string, floor: FloorRuntime) => Promise<void>;
  /**
   * True if this node holds the floor lease and so signs checkpoints. Throws `LeaseUncertainError` if this is no longer
   * certain.
   */
  readonly isSigner: () => boolean;
  /** Clock of the leader of a table minus the clock of this node, in milliseconds; 0 if this node leads the table. */
  readonly clockOffsetOf: (stream: string) => number;
  /** Milliseconds since the database last replied, or since the table lost its leader, whichever is longer. */
  readonly silentMs: (stream: string) => number;
  /**
   * Hands all tables over to other nodes. Resolves to true if there is no other node that continues the floor. Then
   * this node must close the floor.
   */
  readonly handOver: () => Promise<boolean>;
};

/** Runs a floor on a store until the floor is stopped; throws if the floor cannot continue. */
export type FloorRunFunction = (store: Store, cluster?: ClusterNodeHandle) => Promise<void>;

type ClusterNodeOptions = {
  readonly databaseUrl: string;
  readonly storePaths: KeyAndAnchorPaths;
  readonly leaseMs: number;
  readonly mayLead: boolean;
  /**
   * Address at which this node listens for other nodes. `reached` is the host name under which they reach it, if that
   * differs from `host`.
   */
  readonly listen: { readonly host: string; readonly port: number; readonly reached?: string };
  /** URL for browsers, if it differs from the address at which the node listens. */
  readonly browserUrl?: string;
  /** Aborted by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  readonly warn: (text: string) => void;
  /** Prints to standard output. */
  readonly print: (line: string) => void;
  readonly logError: (what: string, error: unknown) => void;
  readonly leaseChanged?: (stream: string, change: 'taken' | 'lost' | 'given') => void;
};

/**
 * Maximum number of attempts to start or join the floor. If another node starts at the same time, an attempt may fail.
 */
const maxAttempts = 5;

/** Runs one node of a cluster: starts the floor or joins it, and leaves when `stop` is aborted. */
export async function runClusterNode(options: ClusterNodeOptions, run: FloorRunFunction): Promise<void> {
  for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
    let isOpen = false;
    try {
      return await runOnce(options, run, () => (isOpen = true));
    } catch (error) {
      // Another attempt is made only if the floor was not open yet: then no bet or command was accepted.
      const isRaceLost = error instanceof WriterTakenOverError || error instanceof LeaseUncertainError;
      if (!isRaceLost || isOpen || attemptsLeft === 1 || options.stop.aborted) throw error;
      options.print(`${error.message} This node starts again.`);
    }
  }
}

async function runOnce(options: ClusterNodeOptions, run: FloorRunFunction, markOpen: () => void): Promise<void> {
  const { databaseUrl, storePaths, leaseMs, mayLead, listen, browserUrl, stop, warn, print, leaseChanged } = options;
  const outageNotice = new DatabaseOutageNotice({ settleMs: leaseMs, print: warn });
  let hasLeaderlessTables = false;
  const databaseAway = (error: unknown): void => outageNotice.failed(error);
  /**
   * During an outage of the database all errors have the same cause. So the outage is reported once, and not each of
   * the errors.
   */
  const logError = (what: string, error: unknown): void =>
    error instanceof DatabaseUnavailableError ? databaseAway(error) : options.logError(what, error);
  const readPositions = new ReadPositionTracker();
  // The lease is renewed by queries. If a query could take longer than half the lease time, a renewal could come too
  // late.
  const membership = await ClusterMembership.open(databaseUrl, {
    timeoutMs: leaseMs / 2,
    mustExist: hasKeyOrAnchor(storePaths),
    readPositions,
  }).catch((error: unknown) => {
    throw missingStoreToCliError(storePaths, error);
  });
  const node = await ClusterNode.start({
    membership,
    leaseMs,
    mayLead,
    onClockError: (offsetMs) => warn(offsetMs === undefined ? clockAgreesText : clockFarText(offsetMs)),
    onDatabaseFailure: databaseAway,
    onDatabaseReply: () => {
      outageNotice.answered();
      const isNow = node.maxUnledMs > maxLeaderlessMs;
      if (isNow !== hasLeaderlessTables) warn(isNow ? leaderlessText : allLedText);
      hasLeaderlessTables = isNow;
    },
    ...(leaseChanged && { onLeaseChange: leaseChanged }),
    onWarning: logError,
  });
  let isSigner = false;
  const setSigner = (isNow: boolean): void => {
    if (isNow !== isSigner) leaseChanged?.('floor', isNow ? 'taken' : 'lost');
    isSigner = isNow;
  };
  try {
    const waitNotice = setTimeout(() => print(waitingText(mayLead)), leaseMs + 1_000);
    const role = await node.waitToStart(stop).finally(() => clearTimeout(waitNotice));
    if (role === undefined) return;
    if (role === 'joins') refuseMissingKeys(storePaths);
    await run(await openDatabaseStore(databaseUrl, storePaths, readPositions), {
      role,
      connect: (key, clock) => node.connect({ ...listen, key, clock }),
      clusterPort: (store) => node.clusterPort(store),
      opened: async (listenUrl, floor) => {
        node.floorOpened({
          address: browserUrl ?? listenUrl,
          tables: tableStreamsOf(floor),
          handlers: createFloorHandlersForCluster(floor, { signingChanged: setSigner, onWarning: logError }),
        });
        markOpen();
        await node.untilTablesLed(stop);
      },
      isSigner: () => node.maySign(),
      clockOffsetOf: (stream) => node.offsetOf(stream),
      silentMs: (stream) => Math.max(outageNotice.sinceLastAnswerMs, node.stuckMs(stream)),
      handOver: () => node.handOver(),
    });
  } finally {
    await node.leave();
  }
}

/** Throws if the encryption key or the signing key is missing. A node that joins a floor needs both. */
function refuseMissingKeys({ key, signer }: KeyAndAnchorPaths): void {
  const missing = [key, signer].find((file) => !existsSync(file));
  if (missing === undefined) return;
  const message = `The file ${missing} is missing; a node joins the floor only with the encryption key and the signing key that all nodes share.`;
  throw new CliError(1, 'wrong-key', message);
}

const waitingText = (mayLead: boolean): string =>
  mayLead
    ? 'Another program is using the database; this node starts when that program has finished.'
    : 'No node has opened the floor yet; this node leads no tables and waits until another node has opened the floor.';

/** Milliseconds without a leader after which a table is reported. */
const maxLeaderlessMs = 5_000;

const leaderlessText = 'some tables have no leader; start a node that may lead tables, or check the running nodes.';

const allLedText = 'every table has a leader again.';

const clockAgreesText = 'the clock of this machine agrees with the clock of the database again.';

const clockFarText = (offsetMs: number): string =>
  `the clock of this machine differs from the clock of the database by ${offsetMs.toLocaleString('en')} ms; correct the clock of this machine. Until then this node leads no table.`;
