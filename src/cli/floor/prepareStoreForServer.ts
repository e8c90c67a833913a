import { LeaderCheckpointWriter } from '../../checkpoint/leaderCheckpointWriter.ts';
import { type UnsignedEntryRange } from '../../checkpoint/checks.ts';
import { type SignerAndAnchorPaths, checkStoreOnJoin, checkStoreBeforeStart } from '../../checkpoint/storeCheck.ts';
import { HeadTracker } from '../../checkpoint/headTracker.ts';
import { type ClockJump } from '../../runtime/ports/clock.ts';
import { loadOrCreateDataKey } from '../../runtime/encryption/dataKey.ts';
import { type ServerOptions } from '../../server/serverOptions.ts';
import { createSystemScheduler } from '../../server/operations/systemScheduler.ts';
import { type Store } from '../../store/store.ts';
import { type ClusterNodeHandle } from './clusterProcess.ts';

type StartupOptions = {
  readonly keyPaths: SignerAndAnchorPaths;
  /** Path of the encryption key. */
  readonly keyFile: string;
  /** Value of --go-on: two words, with which the operator accepts an integrity issue. */
  readonly acceptedIssue?: string | undefined;
  readonly clockOptions?: { readonly acceptClock?: boolean; readonly onClockJump?: (jump: ClockJump) => void };
  /** Called if there were entries that no checkpoint covered, after they have been signed. */
  readonly onUnsignedSigned?: (unsignedRange: UnsignedEntryRange) => void;
};

type StoreOptions = Pick<
  ServerOptions,
  | 'store'
  | 'key'
  | 'checkpoints'
  | 'scheduler'
  | 'acceptedIssue'
  | 'lastAliveAt'
  | 'beforeFirstWrite'
  | 'cluster'
  | 'joinsFloor'
> &
  Pick<ServerOptions, 'unsignedEntries' | 'openingNumber' | 'leaderClockOffset' | 'silenceOf'>;

/**
 * Checks the store before a floor opens on it, and prepares signing, clock and cluster connection. Returns the server
 * options that depend on the store. */
export async function prepareStoreForServer(
  store: Store,
  cluster: ClusterNodeHandle | undefined,
  options: StartupOptions,
): Promise<StoreOptions> {
  const { keyPaths, clockOptions = {}, onUnsignedSigned } = options;
  if (cluster?.role === 'joins') return joinFloor(store, cluster, options);
  const {
    issue: acceptedIssue,
    unsigned: unsignedRange,
    latestTime: lastAliveAt,
    startSigning,
  } = await checkStoreBeforeStart(store, keyPaths, options.acceptedIssue);
  const scheduler = await createSystemScheduler(store, {
    ...clockOptions,
    ...(lastAliveAt !== undefined && { lastAliveAt }),
  });
  const key = loadOrCreateDataKey(options.keyFile, (await store.streams()).length === 0);
  const headTracker = new HeadTracker(store);
  const clusterCheckpoints = cluster && { headTracker, isLeaseHolder: cluster.isSigner };
  const { writer: checkpointWriter, sign } = startSigning(scheduler.now, clusterCheckpoints);
  return {
    ...(clusterCheckpoints
      ? {
          ...(await connectToCluster(headTracker.store, cluster, key, scheduler)),
          checkpoints: new LeaderCheckpointWriter(
            { store, paths: keyPaths, clock: scheduler.now, cluster: clusterCheckpoints },
            checkpointWriter,
          ),
        }
      : { store: checkpointWriter.trackedStore(), checkpoints: checkpointWriter }),
    key,
    scheduler,
    ...(acceptedIssue && { acceptedIssue }),
    ...(unsignedRange && { unsignedEntries: toUnsignedEntries(unsignedRange) }),
    ...(lastAliveAt !== undefined && { lastAliveAt }),
    beforeFirstWrite: async () => {
      await sign();
      if (unsignedRange) onUnsignedSigned?.(unsignedRange);
    },
  };
}

async function joinFloor(
  store: Store,
  cluster: ClusterNodeHandle,
  { keyPaths, keyFile, clockOptions }: StartupOptions,
): Promise<StoreOptions> {
  const followed = await checkStoreOnJoin(store, keyPaths);
  const scheduler = await createSystemScheduler(store, clockOptions ?? {});
  const key = loadOrCreateDataKey(keyFile, false);
  const headTracker = new HeadTracker(store);
  const clusterCheckpoints = { headTracker, isLeaseHolder: cluster.isSigner };
  return {
    ...(await connectToCluster(headTracker.store, cluster, key, scheduler)),
    checkpoints: new LeaderCheckpointWriter({
      store,
      paths: keyPaths,
      clock: scheduler.now,
      cluster: clusterCheckpoints,
      chain: followed,
    }),
    key,
    scheduler,
    joinsFloor: true,
  };
}

/**
 * Connects this node to the other nodes. Must be called before the floor opens; otherwise this node could miss entries
 * of other nodes.
 */
async function connectToCluster(
  store: Store,
  cluster: ClusterNodeHandle,
  key: Buffer,
  { now }: NonNullable<ServerOptions['scheduler']>,
) {
  await cluster.connect(key, now);
  return {
    store,
    cluster: cluster.clusterPort(store),
    openingNumber: store.writerEpoch,
    leaderClockOffset: cluster.clockOffsetOf,
    silenceOf: cluster.silentMs,
  };
}

const toUnsignedEntries = ({ stream, sequence, count }: UnsignedEntryRange) => ({ stream, sequence, count });
