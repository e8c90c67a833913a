import { existsSync } from 'node:fs';
import { DamagedStoreError, type Store, WriterTakenOverError } from '../store/store.ts';
import { RollbackSuspectedError, findSuspectedRollback } from './rollbackCheck.ts';
import { DamagedAnchorError, UnusableAnchorError, readAnchor } from './anchorFile.ts';
import { CheckpointWriter, type ClusterSigningOptions } from './checkpointWriter.ts';
import { type IntegrityIssue } from './checkpointFormat.ts';
import { type Signer, UnusableSigningKeyError, loadOrCreateSigner } from './signingKey.ts';
import {
  type CheckpointChain,
  type UnsignedEntryRange,
  checkStoredBalances,
  checkCheckpointEpoch,
  checkStreamHeads,
  findTruncatedStreams,
  describeEntryDivergence,
  verifyCheckpointChain,
  describeForeignAnchorSigner,
  latestPossibleFloorTime,
  describeCheckpointMismatch,
  findUnsignedEntryRange,
  unsignedEntryRangeText,
} from './checks.ts';

/** Paths of the signing key and of the anchor file, both outside the data folder. */
export type SignerAndAnchorPaths = { readonly signer: string; readonly anchor: string };

export type StoreCheckResult = {
  /** Integrity issue that the operator has confirmed, at this start or an earlier one. */
  readonly issue: IntegrityIssue | undefined;
  readonly unsigned: UnsignedEntryRange | undefined;
  /**
   * Latest time at which the floor can have run according to the anchor, in milliseconds since 1970; undefined if the
   * anchor does not show it.
   */
  readonly latestTime: number | undefined;
  /** Creates the checkpoint writer. The caller must call `sign` before any other write. */
  readonly startSigning: (
    clock: () => number,
    cluster?: ClusterSigningOptions,
  ) => {
    readonly writer: CheckpointWriter;
    readonly sign: (isClosed?: boolean) => Promise<void>;
  };
};

/**
 * Checks before a start: heads, checkpoints, balances, and that no entry of the anchor is missing. For a suspicious
 * store, throws `RollbackSuspectedError` unless the operator gives the confirmation phrase of just this state. Writes
 * nothing.
 */
export async function checkStoreBeforeStart(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
  confirmation: string | undefined,
): Promise<StoreCheckResult> {
  refuseDuringKeyRotation(keyFile);
  const wasSigned = existsSync(keyFile) || existsSync(file) || store.writerEpoch > 1;
  const heads = await store.heads();
  await checkStreamHeads(store, heads);
  const chain = await verifyCheckpointChain(store);
  await checkCheckpointEpoch(store, chain);
  const epoch = await latestEpoch(store);
  const [truncated] = findTruncatedStreams(heads, chain.heads);
  if (truncated) {
    throw new DamagedStoreError(
      `The stream ${truncated.stream} ends with entry ${truncated.has}, but entry ${truncated.expected} is signed.`,
    );
  }
  const divergence = await describeEntryDivergence(store, chain.heads);
  if (divergence !== undefined) throw new DamagedStoreError(divergence);
  const anchor = readAnchor(file);
  // A new store gets its signing key with the first signature.
  const isNew = chain.last === undefined && anchor === undefined && !existsSync(keyFile);
  let signer = isNew ? undefined : loadOrCreateSigner(keyFile, false);
  if (signer) checkSignerOfStore(signer, chain);
  await checkStoredBalances(store, chain);
  const unsigned = await findUnsignedEntryRange(store, heads, chain.heads, anchor?.heads ?? new Map());
  const rollback = await findSuspectedRollback(store, { file, anchor, heads, chain, unsigned, signer, wasSigned });
  if (rollback instanceof RollbackSuspectedError && confirmation !== rollback.issue.confirmation) throw rollback;
  const isAlreadyAnchored = rollback !== undefined && !(rollback instanceof RollbackSuspectedError);
  const issue = rollback instanceof RollbackSuspectedError ? rollback.issue : rollback;
  const startSigning: StoreCheckResult['startSigning'] = (clock, cluster) => {
    const ownSigner = (): Signer => (signer ??= loadOrCreateSigner(keyFile, true));
    const writer = new CheckpointWriter({
      store,
      signer: ownSigner,
      file,
      clock,
      chain,
      epoch,
      ...(cluster && { cluster }),
    });
    const sign = async (isClosed = false): Promise<void> => {
      await writer.beginAnchor(issue, isAlreadyAnchored).catch((error: unknown) => {
        throw toAnchorError(file, error);
      });
      await writer.checkpoint(isClosed);
    };
    return { writer, sign };
  };
  return { issue, unsigned, latestTime: anchor && latestPossibleFloorTime(chain, anchor), startSigning };
}

export async function checkAndSignStore(
  store: Store,
  paths: SignerAndAnchorPaths,
  clock: () => number,
  confirmation: string | undefined,
  isClosed = false,
): Promise<Omit<StoreCheckResult, 'startSigning'> & { readonly writer: CheckpointWriter }> {
  const { startSigning, ...check } = await checkStoreBeforeStart(store, paths, confirmation);
  const { writer, sign } = startSigning(clock);
  await sign(isClosed);
  return { ...check, writer };
}

/** Latest epoch of the store. In a cluster it may belong to a node that opened the store after this one. */
const latestEpoch = async (store: Store): Promise<number> => Math.max(store.writerEpoch, await store.epoch());

/**
 * Checks the store when a node joins a running cluster: the key of the node has signed the last checkpoint, and the
 * store contains all entries of the anchor of the node, if there is an anchor. Heads are not checked here, because they
 * move meanwhile; the signing node checks the heads. Writes nothing. Returns the checkpoints, so that a later take-over
 * of signing need not read them again.
 */
export async function checkStoreOnJoin(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
): Promise<CheckpointChain> {
  refuseDuringKeyRotation(keyFile);
  // The anchor is read before the store. The store only grows, so it must contain every entry that the anchor lists.
  const anchor = readAnchor(file);
  const signer = loadOrCreateSigner(keyFile, false);
  const chain = await verifyChain(store, signer);
  if (anchor === undefined) return chain;
  const foreignProblem = describeForeignAnchorSigner([...new Set([...chain.signers, signer.name])], anchor);
  if (foreignProblem !== undefined)
    throw new DamagedAnchorError(`${foreignProblem} Restore the anchor of this event store.`);
  const [truncated] = findTruncatedStreams(await store.heads(), anchor.heads);
  const problem =
    truncated === undefined
      ? ((await describeEntryDivergence(store, anchor.heads)) ?? describeCheckpointMismatch(chain, anchor))
      : `The stream ${truncated.stream} ends with entry ${truncated.has}, but the anchor ${file} lists entry ${truncated.expected}.`;
  if (problem === undefined) return chain;
  throw new DamagedAnchorError(
    `${problem} Restore the newest event store; if the other nodes have continued without it, move the anchor ${file} away.`,
  );
}

/** Verifies the checkpoints, and that this signer signed the last checkpoint. */
async function verifyChain(store: Store, signer: Signer, before?: CheckpointChain): Promise<CheckpointChain> {
  const chain = await verifyCheckpointChain(store, () => {}, before);
  await checkCheckpointEpoch(store, chain);
  checkSignerOfStore(signer, chain);
  return chain;
}

/**
 * Takes over signing in a running cluster. Signed entries are trusted; later entries are verified and signed at once.
 * The next update of the anchor rewrites the file.
 */
export async function takeOverSigning(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
  clock: () => number,
  cluster: ClusterSigningOptions,
  before?: CheckpointChain,
): Promise<CheckpointWriter> {
  refuseDuringKeyRotation(keyFile);
  const anchoredHeads = readAnchor(file)?.heads ?? new Map();
  const signer = loadOrCreateSigner(keyFile, false);
  for (let chain = before; ;) {
    chain = await verifyChain(store, signer, chain);
    if (chain.last?.closed === true) await refuseAfterClose(store, chain);
    const epoch = await latestEpoch(store);
    const writer = new CheckpointWriter({
      store,
      signer: () => signer,
      file,
      clock,
      chain,
      epoch,
      cluster,
      anchoredHeads,
    });
    try {
      await writer.checkpoint();
      return writer;
    } catch (error) {
      // The previous signing node has saved one more checkpoint, which the next pass of the loop verifies.
      if (!(error instanceof WriterTakenOverError) || !(await cluster.isLeaseHolder())) throw error;
    }
  }
}

/**
 * Throws when unsigned entries follow the checkpoint that closed the floor. A floor that starts again signs a
 * checkpoint before it writes.
 */
async function refuseAfterClose(store: Store, { heads }: CheckpointChain): Promise<void> {
  const unsigned = await findUnsignedEntryRange(store, await store.heads(), heads);
  if (unsigned === undefined) return;
  throw new DamagedStoreError(
    `${unsignedEntryRangeText(unsigned)}, and they follow the close of the floor, after which there must be none.`,
  );
}

export function refuseDuringKeyRotation(keyFile: string): void {
  if (!existsSync(`${keyFile}.next`)) return;
  throw new UnusableSigningKeyError(
    `A key rotation was interrupted: ${keyFile}.next exists; run \`punto rotate\` again first.`,
  );
}

/** Turns a failed write of the anchor file into `UnusableAnchorError`; a take-over or damage stays as it is. */
function toAnchorError(file: string, error: unknown): unknown {
  if (error instanceof WriterTakenOverError || error instanceof DamagedStoreError) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new UnusableAnchorError(
    `The anchor ${file} cannot be written (${code}); check its folder, or name another file.`,
  );
}

/** Throws when another signer signed the last checkpoint. */
export function checkSignerOfStore({ name }: Signer, { last }: CheckpointChain): void {
  if (last === undefined || last.signer === name) return;
  throw new UnusableSigningKeyError(
    `The event store is signed by ${last.signer}, but this key is ${name}; restore the key that signed it.`,
  );
}
