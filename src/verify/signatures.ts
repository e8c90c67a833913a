import { type AnchorState } from '../checkpoint/anchorFile.ts';
import { type HeadPositions } from '../checkpoint/checkpointFormat.ts';
import { type CheckpointChain, type UnsignedRange, checkEpochs, findTruncated, findDivergence, followCheckpoints, foreignSigner, latestPossibleTime, findCheckpointMismatch, findUnsignedRange } from '../checkpoint/checks.ts';
import { type StreamHead, type StoreReader } from '../store/store.ts';
import { VerifyError } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

/** Streams that end before what is known of them elsewhere. */
export type Missing = ReturnType<typeof findTruncated>;

/** What is signed of a record. */
export type Signatures = {
  readonly checkpoints: number;
  /** Who signed, one after another. */
  readonly signers: readonly string[];
  /** When the last checkpoint was signed. */
  readonly at: number | undefined;
  readonly uncovered: UnsignedRange | undefined;
  readonly followed: CheckpointChain;
};

/** Every checkpoint is as it was signed, and names entries that stand in the record. */
export async function verifySignatures(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
): Promise<Signatures> {
  const named: HeadPositions[] = [];
  const followed = await followCheckpoints(store, (checkpoint) => {
    named.push(
      new Map(Object.entries(checkpoint.heads).map(([stream, [sequence, hash]]) => [stream, { sequence, hash }])),
    );
  });
  await checkEpochs(store, followed);
  const { last, heads: places, signers } = followed;
  for (const [place, some] of named.entries()) await agree(store, heads, some, place + 1);
  const uncovered = await findUnsignedRange(store, heads, places);
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
    followed,
  };
}

/** Every start of a floor signs the record before its journal tells of it. */
export function verifyStarts({ followed: { last } }: Signatures, found: ReadonlyMap<string, StreamSummary>): void {
  for (const [stream, { journal }] of found) {
    if (journal === undefined || journal.epoch <= (last?.epoch ?? 0)) continue;
    throw new VerifyError(
      `The stream ${stream} tells of a start in epoch ${journal.epoch}, and the checkpoint that every start makes first is not there.`,
    );
  }
}

/** What a checkpoint knows of a record is in it. */
async function agree(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  places: HeadPositions,
  number: number,
): Promise<void> {
  const [early] = findTruncated(heads, places);
  if (early) {
    const { stream, has, known } = early;
    throw new VerifyError(`Checkpoint ${number} knows of entry ${known} of ${stream}, which ends with entry ${has}.`);
  }
  await sameAs(store, places);
}

async function sameAs(store: StoreReader, places: HeadPositions): Promise<void> {
  const other = await findDivergence(store, places);
  if (other !== undefined) throw new VerifyError(other);
}

/** The record is the one that its anchor knows; gives the streams of which the anchor knows more than is there. */
export async function verifyAnchor(
  store: StoreReader,
  heads: ReadonlyMap<string, StreamHead>,
  { followed }: Signatures,
  anchor: AnchorState,
): Promise<Missing> {
  const foreign = foreignSigner(followed.signers, anchor);
  if (foreign !== undefined) throw new VerifyError(foreign);
  await sameAs(store, anchor.heads);
  const missing = findTruncated(heads, anchor.heads);
  // A record that ends too early has fewer checkpoints as well.
  const other = missing.length === 0 ? findCheckpointMismatch(followed, anchor) : undefined;
  if (other !== undefined) throw new VerifyError(other);
  const latest = latestPossibleTime(followed, anchor);
  for (const [name, at] of await store.heartbeats()) {
    if (at > (latest ?? at)) throw new VerifyError(`The heartbeat of ${name} is later than the anchor allows.`);
  }
  return missing;
}
