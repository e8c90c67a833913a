import { type CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import {
  type SignerAndAnchorPaths,
  takeOverSigning,
  checkStoreBeforeStart,
  checkAndSignStore,
} from '../../src/checkpoint/storeCheck.ts';
import { HeadTracker } from '../../src/checkpoint/headTracker.ts';
import { MemoryStoreContents } from '../../src/store/memoryStore.ts';
import { DamagedStoreError } from '../../src/store/store.ts';
import { openSharedMemory } from '../store/sharedMemoryStore.ts';
import { clock, grow } from './fixtures.ts';

/** One of several processes on an event store, with its own anchor and the shared signing key. */
function node(memory: MemoryStoreContents, signer: string, anchor: string) {
  const inner = openSharedMemory(memory);
  const headTracker = new HeadTracker(inner);
  const files: SignerAndAnchorPaths = { signer, anchor };
  const lease = { isHolder: false };
  const signingOptions = { headTracker, isLeaseHolder: () => lease.isHolder };
  return { inner, headTracker, store: headTracker.store, files, lease, signingOptions };
}

export type Node = ReturnType<typeof node>;

/** Makes pairs of nodes with files of one folder: the first started the floor and signs; each has appended entries. */
export const nodePairs = (newKeyPaths: () => SignerAndAnchorPaths) => async () => {
  const memory = new MemoryStoreContents();
  const { signer } = newKeyPaths();
  const [one, two] = [node(memory, signer, newKeyPaths().anchor), node(memory, signer, newKeyPaths().anchor)];
  one.lease.isHolder = true;
  const { startSigning } = await checkStoreBeforeStart(one.inner, one.files, undefined);
  const { writer, sign } = startSigning(clock, one.signingOptions);
  await sign();
  await grow(one.store, 'a', 3);
  await grow(two.store, 'b', 2);
  await writer.checkpoint();
  const count = (): number => memory.checkpoints.length;
  return { memory, one, two, writer, count };
};

/** Makes the second node the signer. */
export async function takeOver(one: Node, two: Node): Promise<CheckpointWriter> {
  [one.lease.isHolder, two.lease.isHolder] = [false, true];
  return takeOverSigning(two.inner, two.files, clock, two.signingOptions);
}

export const damageOf = async (act: Promise<unknown>): Promise<string> => {
  const error: unknown = await act.catch((thrown: unknown) => thrown);
  return error instanceof DamagedStoreError ? error.message : `no damage: ${String(error)}`;
};

/** Opens the event store as the next process does after all others have ended. */
export const checkAs = (memory: MemoryStoreContents, files: SignerAndAnchorPaths) =>
  checkAndSignStore(openSharedMemory(memory), files, clock, undefined);
