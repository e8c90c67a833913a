import { type AnchorState } from '../checkpoint/anchorFile.ts';
import { type HeadPositions } from '../checkpoint/checkpointFormat.ts';
import {
  type CheckpointChain,
  type UnsignedRange,
  checkEpochs,
  findTruncated,
  findDivergence,
  followCheckpoints,
  foreignSigner,
  latestPossibleTime,
  findCheckpointMismatch,
  findUnsignedRange,
} from '../checkpoint/checks.ts';
import { type StreamHead, type StoreReader } from '../store/store.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

export type TruncatedStreams = ReturnType<typeof findTruncated>;

export type Signatures = {
  readonly checkpoints: number;
  /** In order of time. */
  readonly signers: readonly string[];
  /** Time of the last checkpoint. */
  readonly at: number | undefined;
  readonly uncovered: UnsignedRange | undefined;
  readonly chain: CheckpointChain;
};

/** Verifies every checkpoint and that the heads it signs are in the store. */
export async function verifySignatures(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
): Promise<Signatures> {
  const signedHeads: HeadPositions[] = [];
  const chain = await followCheckpoints(store, (checkpoint) => {
    signedHeads.push(
      new Map(Object.entries(checkpoint.heads).map(([stream, [sequence, hash]]) => [stream, { sequence, hash }])),
    );
  });
  await checkEpochs(store, chain);
  const { last, heads: lastHeads, signers } = chain;
  for (const [index, signed] of signedHeads.entries()) await verifyCheckpoint(store, heads, signed, index + 1);
  const uncovered = await findUnsignedRange(store, heads, lastHeads);
  if (uncovered && last?.closed === true) {
    const { stream, sequence, count } = uncovered;
    throw new VerifyError(
      `Entry ${sequence} of ${stream} is the first of ${count} behind checkpoint ${last.number}, by which the floor had closed and nothing follows.`,
    );
  }
  return {
    checkpoints: last?.number ?? 0,
    signers,
    at: last?.at,
    uncovered,
    chain,
  };
}

/** Every start of a floor signs a checkpoint before its floor stream records it. */
export function verifyStarts({ chain: { last } }: Signatures, summaries: ReadonlyMap<string, StreamSummary>): void {
  for (const [stream, { floor }] of summaries) {
    if (floor === undefined || floor.epoch <= (last?.epoch ?? 0)) continue;
    throw new VerifyError(
      `The stream ${stream} tells of a start in epoch ${floor.epoch}, and the checkpoint that every start makes first is not there.`,
    );
  }
}

async function verifyCheckpoint(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  signed: HeadPositions,
  number: number,
): Promise<void> {
  const [truncated] = findTruncated(heads, signed);
  if (truncated) {
    const { stream, has, expected } = truncated;
    throw new VerifyError(
      `Checkpoint ${number} knows of entry ${expected} of ${stream}, which ends with entry ${has}.`,
    );
  }
  await verifyPositions(store, signed);
}

async function verifyPositions(store: StoreReader, positions: HeadPositions): Promise<void> {
  const divergence = await findDivergence(store, positions);
  if (divergence !== undefined) throw new VerifyError(divergence);
}

/** Compares the store with its anchor; returns the streams that end before it. */
export async function verifyAnchor(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  { chain }: Signatures,
  anchor: AnchorState,
): Promise<TruncatedStreams> {
  const foreignProblem = foreignSigner(chain.signers, anchor);
  if (foreignProblem !== undefined) throw new VerifyError(foreignProblem);
  await verifyPositions(store, anchor.heads);
  const missing = findTruncated(heads, anchor.heads);
  // A truncated store has fewer checkpoints too.
  const mismatch = missing.length === 0 ? findCheckpointMismatch(chain, anchor) : undefined;
  if (mismatch !== undefined) throw new VerifyError(mismatch);
  const latestTime = latestPossibleTime(chain, anchor);
  for (const [name, at] of await store.heartbeats()) {
    if (at > (latestTime ?? at)) throw new VerifyError(`The heartbeat of ${name} is later than the anchor allows.`);
  }
  return missing;
}
