import { resolve } from 'node:path';
import { type SignerAndAnchorPaths } from '../../checkpoint/storeCheck.ts';
import { maxLiveNodeSilenceMs, defaultLeaseMs } from '../../cluster/nodeLeases.ts';
import { ClusterNode } from '../../cluster/clusterNode.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { ClusterMembership } from '../../store/postgres/clusterMembership.ts';
import { type Store, WriterTakenOverError } from '../../store/store.ts';
import { type OptionValues, optionText } from './commandLine.ts';
import {
  type KeyAndAnchorPaths,
  encryptionKeyPath,
  missingStoreToCliError,
  openDataFolderStore,
  openDatabaseStore,
  databaseErrorToCliError,
  storeErrorToCliError,
} from './openStore.ts';
import { CliError } from './cliError.ts';

/** An event store that no other program uses, with the paths of its keys and its anchor. */
export type ExclusiveStoreContext = {
  readonly store: Store;
  readonly data: string;
  /** Path of the encryption key. */
  readonly key: string;
  readonly keyPaths: SignerAndAnchorPaths;
};

/** Options of every command that needs exclusive access to the store. */
export const exclusiveStoreOptions = {
  data: { type: 'string' },
  store: { type: 'string' },
  key: { type: 'string' },
} as const;

/**
 * Opens the store of --data or --store, calls `act` with it, and closes it. During this time no floor can run or start
 * on the store. Errors of the store are thrown as CliError.
 */
export async function withExclusiveStore<Result>(
  values: OptionValues,
  act: (context: ExclusiveStoreContext) => Promise<Result>,
): Promise<Result> {
  const data = resolve(optionText(values, 'data') ?? 'data');
  const databaseUrl = optionText(values, 'store');
  const key = encryptionKeyPath(optionText(values, 'key'), databaseUrl, data);
  const keyPaths = {
    signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
    anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
  };
  try {
    if (databaseUrl !== undefined) {
      return await withExclusiveDatabase(databaseUrl, { ...keyPaths, key }, (store) =>
        act({ store, data, key, keyPaths }),
      );
    }
    const store = await openDataFolderStore(data, keyPaths.anchor, false);
    try {
      return await act({ store, data, key, keyPaths });
    } finally {
      await store.close();
    }
  } catch (error) {
    throw databaseUrl === undefined ? storeErrorToCliError(data, error) : databaseErrorToCliError(databaseUrl, error);
  }
}

/** Maximum milliseconds to wait for the floor lease. */
const leaseTimeoutMs = 15_000;

/**
 * Calls `act` while this program holds the floor lease. A node that starts in this time waits until the lease is free.
 */
async function withExclusiveDatabase<Result>(
  databaseUrl: string,
  storePaths: KeyAndAnchorPaths,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  await refuseActiveNodes(databaseUrl);
  let clockOffsetMs: number | undefined;
  const membership = await ClusterMembership.open(databaseUrl, {
    timeoutMs: defaultLeaseMs / 2,
    mustExist: true,
  }).catch((error: unknown) => {
    throw missingStoreToCliError(storePaths, error);
  });
  const clusterNode = await ClusterNode.start({
    membership,
    leaseMs: defaultLeaseMs,
    mayLead: true,
    onClockError: (offsetMs) => void (clockOffsetMs = offsetMs),
    onDatabaseFailure: () => {},
    onDatabaseReply: () => {},
    onWarning: () => {},
  });
  try {
    if ((await clusterNode.waitToStart(AbortSignal.timeout(leaseTimeoutMs))) !== 'first') {
      throw clockOffsetMs === undefined
        ? toInUseError(databaseUrl, clusterNode.otherNodes[0]?.id ?? '')
        : toClockError(clockOffsetMs);
    }
    const databaseStore = await openDatabaseStore(databaseUrl, storePaths);
    try {
      return await act(fencedByFloorLease(databaseStore, clusterNode));
    } finally {
      await databaseStore.close();
    }
  } finally {
    await clusterNode.leave();
  }
}

/** Fenced store: a write throws when it is no longer certain that this program holds the floor lease. */
function fencedByFloorLease(store: Store, clusterNode: ClusterNode): Store {
  const fenced =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!clusterNode.maySign()) throw new WriterTakenOverError('Another program has started the floor meanwhile.');
      return write(...args);
    };
  return {
    ...store,
    append: fenced(store.append),
    saveSnapshot: fenced(store.saveSnapshot),
    putBlob: fenced(store.putBlob),
    recordHeartbeats: fenced(store.recordHeartbeats),
    putValue: fenced(store.putValue),
    putValueIfAbsent: fenced(store.putValueIfAbsent),
    saveCheckpoint: fenced(store.saveCheckpoint),
  };
}

async function refuseActiveNodes(databaseUrl: string): Promise<void> {
  const active = (await ClusterMembership.listNodes(databaseUrl)).find(
    ({ silent, holds }) => silent < maxLiveNodeSilenceMs || holds.length > 0,
  );
  if (active !== undefined)
    throw toInUseError(databaseUrl, active.id, ` (last heartbeat ${(active.silent / 1_000).toFixed(1)} s ago)`);
}

const toInUseError = (databaseUrl: string, nodeId: string, heartbeatText = ''): CliError =>
  new CliError(
    1,
    'data-in-use',
    `Node ${nodeId} runs on the database ${redactedUrl(parseConnectionUrl(databaseUrl))}${heartbeatText}; stop it first.`,
  );

const toClockError = (offsetMs: number): CliError =>
  new CliError(
    1,
    'clock-far',
    `The clock of this machine differs from the clock of the database by ${offsetMs.toLocaleString('en')} ms; correct the clock of this machine and try again.`,
  );
