import { type AnchorState } from '../checkpoint/anchorFile.ts';
import { type HeadPositions } from '../checkpoint/checkpointFormat.ts';
import {
  type CheckpointChain,
  type UnsignedEntryRange,
  checkCheckpointEpoch,
  findTruncatedStreams,
  describeEntryDivergence,
  verifyCheckpointChain,
  describeForeignAnchorSigner,
  latestPossibleFloorTime,
  describeCheckpointMismatch,
  findUnsignedEntryRange,
  unsignedEntryRangeText,
} from '../checkpoint/checks.ts';
import { type StreamHead, type StoreReader } from '../store/store.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

export type TruncatedStreams = ReturnType<typeof findTruncatedStreams>;

export type SignatureReport = {
  readonly checkpoints: number;
  /** Names of all signers, in order of time. */
  readonly signers: readonly string[];
  /** Time of the last checkpoint; undefined if there is none. */
  readonly at: number | undefined;
  readonly unsigned: UnsignedEntryRange | undefined;
  readonly chain: CheckpointChain;
};

/**
 * Verifies every checkpoint, and that each head which a checkpoint signs is in the store. Throws when entries follow
 * the checkpoint that closed the floor.
 */
export async function verifySignatures(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
): Promise<SignatureReport> {
  const signedHeads: HeadPositions[] = [];
  const chain = await verifyCheckpointChain(store, (checkpoint) => {
    signedHeads.push(
      new Map(Object.entries(checkpoint.heads).map(([stream, [sequence, hash]]) => [stream, { sequence, hash }])),
    );
  });
  await checkCheckpointEpoch(store, chain);
  const { last, heads: lastHeads, signers } = chain;
  for (const [index, signed] of signedHeads.entries()) await verifyCheckpoint(store, heads, signed, index + 1);
  const unsigned = await findUnsignedEntryRange(store, heads, lastHeads);
  if (unsigned && last?.closed === true) {
    throw new VerifyError(
      `${unsignedEntryRangeText(unsigned)}, and they follow checkpoint ${last.number}, with which the floor was closed.`,
    );
  }
  return {
    checkpoints: last?.number ?? 0,
    signers,
    at: last?.at,
    unsigned,
    chain,
  };
}

/**
 * Throws when the floor stream records a start in a later epoch than that of the last checkpoint: every start signs a
 * checkpoint before it writes.
 */
export function assertFloorStartsAreSigned(
  { chain: { last } }: SignatureReport,
  summaries: ReadonlyMap<string, StreamSummary>,
): void {
  for (const [stream, { floor }] of summaries) {
    if (floor === undefined || floor.epoch <= (last?.epoch ?? 0)) continue;
    throw new VerifyError(
      `The stream ${stream} records a start in epoch ${floor.epoch}, but the checkpoint that this start must sign first is missing.`,
    );
  }
}

async function verifyCheckpoint(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  signed: HeadPositions,
  number: number,
): Promise<void> {
  const [truncated] = findTruncatedStreams(heads, signed);
  if (truncated) {
    const { stream, has, expected } = truncated;
    throw new VerifyError(`Checkpoint ${number} signs entry ${expected} of ${stream}, which ends with entry ${has}.`);
  }
  await verifyPositions(store, signed);
}

async function verifyPositions(store: StoreReader, positions: HeadPositions): Promise<void> {
  const divergence = await describeEntryDivergence(store, positions);
  if (divergence !== undefined) throw new VerifyError(divergence);
}

/**
 * Compares the store with its anchor. Returns the streams that end before their head in the anchor. Throws for any
 * other difference.
 */
export async function verifyAnchor(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  { chain }: SignatureReport,
  anchor: AnchorState,
): Promise<TruncatedStreams> {
  const foreignProblem = describeForeignAnchorSigner(chain.signers, anchor);
  if (foreignProblem !== undefined) throw new VerifyError(foreignProblem);
  await verifyPositions(store, anchor.heads);
  const truncatedStreams = findTruncatedStreams(heads, anchor.heads);
  // A store that lacks entries also lacks checkpoints. The missing checkpoints are not reported as a second problem.
  const mismatch = truncatedStreams.length === 0 ? describeCheckpointMismatch(chain, anchor) : undefined;
  if (mismatch !== undefined) throw new VerifyError(mismatch);
  const latestTime = latestPossibleFloorTime(chain, anchor);
  for (const [name, at] of await store.heartbeats()) {
    if (at > (latestTime ?? at)) {
      const latestText = `by its anchor the floor ran until ${new Date(latestTime!).toISOString()} at the latest`;
      throw new VerifyError(`The heartbeat of ${name} is dated ${new Date(at).toISOString()}, but ${latestText}.`);
    }
  }
  return truncatedStreams;
}
