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
   * Latest time at which the floor can have run according to its anchor, in milliseconds since 1970. Undefined if there
   * is no anchor, or if the anchor was not updated for a while.
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
 * Checks the store before a start: heads, checkpoints and balances, and that the store has every entry which the anchor
 * lists. If the store is suspicious, throws `RollbackSuspectedError`, unless `confirmation` is the phrase for exactly
 * this state. Writes nothing.
 */
export async function checkStoreBeforeStart(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
  confirmation: string | undefined,
): Promise<StoreCheckResult> {
  refuseAfterInterruptedKeyRotation(keyFile);
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

/**
 * Last epoch of the store. In a cluster, another node may have opened the store after this node and begun a later
 * epoch.
 */
const latestEpoch = async (store: Store): Promise<number> => Math.max(store.writerEpoch, await store.epoch());

/**
 * Checks the store when a node joins a running cluster. The key of the node must have signed the last checkpoint. If
 * the node has an anchor, the store must contain every entry that the anchor lists. Heads are not checked, because they
 * move during the check; the signing node checks them. Writes nothing. Returns the checkpoints, so that a later
 * take-over of signing need not read them again.
 */
export async function checkStoreOnJoin(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
): Promise<CheckpointChain> {
  refuseAfterInterruptedKeyRotation(keyFile);
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
 * Takes over signing in a running cluster. Trusts the signed entries; verifies the later entries and signs them at once
 * in a checkpoint. The next update of the anchor rewrites the anchor file.
 */
export async function takeOverSigning(
  store: Store,
  { signer: keyFile, anchor: file }: SignerAndAnchorPaths,
  clock: () => number,
  cluster: ClusterSigningOptions,
  before?: CheckpointChain,
): Promise<CheckpointWriter> {
  refuseAfterInterruptedKeyRotation(keyFile);
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
      // The previous signing node has saved another checkpoint meanwhile. The next pass of the loop verifies that
      // checkpoint.
      if (!(error instanceof WriterTakenOverError) || !(await cluster.isLeaseHolder())) throw error;
    }
  }
}

/**
 * Throws when unsigned entries follow the checkpoint that closed the floor. No floor can have written them, because a
 * floor that starts again signs a checkpoint before its first entry.
 */
async function refuseAfterClose(store: Store, { heads }: CheckpointChain): Promise<void> {
  const unsigned = await findUnsignedEntryRange(store, await store.heads(), heads);
  if (unsigned === undefined) return;
  throw new DamagedStoreError(
    `${unsignedEntryRangeText(unsigned)}, and they follow the close of the floor, after which there must be none.`,
  );
}

export function refuseAfterInterruptedKeyRotation(keyFile: string): void {
  if (!existsSync(`${keyFile}.next`)) return;
  throw new UnusableSigningKeyError(
    `A key rotation was interrupted: ${keyFile}.next exists; run \`punto rotate\` again first.`,
  );
}

/**
 * Turns the error of a failed write of the anchor file into `UnusableAnchorError`. Returns a take-over or damage
 * unchanged.
 */
function toAnchorError(file: string, error: unknown): unknown {
  if (error instanceof WriterTakenOverError || error instanceof DamagedStoreError) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new UnusableAnchorError(
    `The anchor ${file} cannot be written (${code}); check its folder, or name another file.`,
  );
}

/** Throws when the last checkpoint was signed by another signer than the given one. */
export function checkSignerOfStore({ name }: Signer, { last }: CheckpointChain): void {
  if (last === undefined || last.signer === name) return;
  throw new UnusableSigningKeyError(
    `The event store is signed by ${last.signer}, but this key is ${name}; restore the key that signed it.`,
  );
}
