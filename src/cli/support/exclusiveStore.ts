import { resolve } from 'node:path';
import { type KeyPaths } from '../../checkpoint/openStore.ts';
import { recentMs, defaultLeaseMs } from '../../cluster/leases.ts';
import { ClusterNode } from '../../cluster/clusterNode.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { Membership } from '../../store/postgres/membership.ts';
import { type Store, TakenOver } from '../../store/store.ts';
import { type Values, optionText } from './command.ts';
import {
  type StorePaths,
  keyPath,
  toMissingStoreError,
  openDataFolder,
  openDatabase,
  toDatabaseError,
  toCliError,
} from './openStore.ts';
import { CliError } from './cliError.ts';

/** The record that was named, and where its keys and its anchor lie. */
export type ExclusiveStore = {
  readonly store: Store;
  readonly data: string;
  readonly key: string;
  readonly places: KeyPaths;
};

/** What every command takes that does something on a record of which it must be the only one. */
export const exclusiveStoreOptions = {
  data: { type: 'string' },
  store: { type: 'string' },
  key: { type: 'string' },
} as const;

/**
 * Does something on the record that was named, in a folder or a database, while no floor runs on it and none can begin to.
 * What goes wrong comes back as what is told of it.
 */
export async function withExclusiveStore<Given>(
  values: Values,
  act: (held: ExclusiveStore) => Promise<Given>,
): Promise<Given> {
  const data = resolve(optionText(values, 'data') ?? 'data');
  const address = optionText(values, 'store');
  const key = keyPath(optionText(values, 'key'), address, data);
  const places = {
    signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
    anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
  };
  try {
    if (address !== undefined) {
      return await inDatabase(address, { ...places, key }, (store) => act({ store, data, key, places }));
    }
    const store = await openDataFolder(data, places.anchor, false);
    try {
      return await act({ store, data, key, places });
    } finally {
      await store.close();
    }
  } catch (error) {
    throw address === undefined ? toCliError(data, error) : toDatabaseError(address, error);
  }
}

/** So long the lease is waited for, in milliseconds. */
const patience = 15_000;

/** Holds what whoever begins a floor holds: a program that starts meanwhile waits until it is done. */
async function inDatabase<Given>(
  address: string,
  kept: StorePaths,
  act: (store: Store) => Promise<Given>,
): Promise<Given> {
  await refuseNodes(address);
  let far: number | undefined;
  const ground = await Membership.open(address, { timeoutMs: defaultLeaseMs / 2, mustExist: true }).catch(
    (error: unknown) => {
      throw toMissingStoreError(kept, error);
    },
  );
  const member = await ClusterNode.start({
    membership: ground,
    leaseMs: defaultLeaseMs,
    mayLead: true,
    onClockError: (by) => void (far = by),
    onDatabaseFailure: () => {},
    onDatabaseReply: () => {},
    onWarning: () => {},
  });
  try {
    if ((await member.waitToStart(AbortSignal.timeout(patience))) !== 'first') {
      throw far === undefined ? inUse(address, member.otherNodes[0]?.id ?? '') : clockFar(far);
    }
    const opened = await openDatabase(address, kept);
    try {
      return await act(whileFirst(opened, member));
    } finally {
      await opened.close();
    }
  } finally {
    await member.leave();
  }
}

/** The record, to which nothing is written unless nobody else can have begun a floor on it. */
function whileFirst(store: Store, member: ClusterNode): Store {
  const sure =
    <Args extends readonly unknown[], Given>(write: (...args: Args) => Promise<Given>) =>
    async (...args: Args): Promise<Given> => {
      if (!member.maySign()) throw new TakenOver('Another program has begun the floor meanwhile.');
      return write(...args);
    };
  return {
    ...store,
    append: sure(store.append),
    saveSnapshot: sure(store.saveSnapshot),
    putBlob: sure(store.putBlob),
    recordHeartbeats: sure(store.recordHeartbeats),
    putValue: sure(store.putValue),
    putValueIfAbsent: sure(store.putValueIfAbsent),
    checkpoint: sure(store.checkpoint),
  };
}

async function refuseNodes(address: string): Promise<void> {
  const there = (await Membership.listNodes(address)).find(
    ({ silent, holds }) => silent < recentMs || holds.length > 0,
  );
  if (there !== undefined)
    throw inUse(address, there.id, ` (last heard of ${(there.silent / 1_000).toFixed(1)} s ago)`);
}

const inUse = (address: string, node: string, heard = ''): CliError =>
  new CliError(
    1,
    'data-in-use',
    `Node ${node} runs on the database ${redactedUrl(parseConnectionUrl(address))}${heard}; stop it first.`,
  );

const clockFar = (by: number): CliError =>
  new CliError(
    1,
    'clock-far',
    `The clock of this machine is ${by.toLocaleString('en')} ms from that of the database; set it, and try again.`,
  );
