import { countText } from '../base/countText.ts';
import { DamagedStoreError, type StoreReader } from '../store/store.ts';
import { type AnchorState, DamagedAnchorError, readAnchor, previousAnchorPaths } from './anchorFile.ts';
import { type IntegrityIssue, type HeadPositions, hashOfText } from './checkpointFormat.ts';
import { type Signer } from './signingKey.ts';
import {
  type CheckpointChain,
  type UnsignedEntryRange,
  findTruncatedStreams,
  describeEntryDivergence,
  describeForeignAnchorSigner,
  latestPossibleFloorTime,
  describeCheckpointMismatch,
  unsignedEntryRangeText,
  maxDelayAfterAnchorMs,
} from './checks.ts';

// Rollback check: compares the store with its anchor. If the store is suspicious, a floor starts only after the
// operator has confirmed the start.

/** Error: the store may have been rolled back, or its anchor is missing. The operator may confirm and continue. */
export class RollbackSuspectedError extends Error {
  readonly issue: IntegrityIssue;

  constructor(issue: IntegrityIssue, message: string) {
    super(message);
    this.issue = issue;
  }
}

type TruncatedStreams = ReturnType<typeof findTruncatedStreams>;

type RollbackEvidence = {
  readonly file: string;
  readonly anchor: AnchorState | undefined;
  readonly heads: HeadPositions;
  readonly chain: CheckpointChain;
  readonly unsigned: UnsignedEntryRange | undefined;
  readonly signer: Signer | undefined;
  readonly wasSigned: boolean;
};

/**
 * Compares the store with its anchor. Returns an error if the operator must confirm the start. Returns an issue if the
 * operator has confirmed it at an earlier start, but the event log does not contain it yet. Returns undefined if
 * nothing is suspicious. Throws when the store or the anchor is damaged.
 */
export async function findSuspectedRollback(
  store: StoreReader,
  evidence: RollbackEvidence,
): Promise<RollbackSuspectedError | IntegrityIssue | undefined> {
  const { file, anchor, heads, chain, unsigned, signer, wasSigned } = evidence;
  if (anchor === undefined) {
    // A store that was never signed needs no anchor.
    const mustHaveAnchor = chain.last !== undefined || (wasSigned && heads.size > 0);
    return mustHaveAnchor ? missingAnchor(file, heads, unsigned) : undefined;
  }
  const foreignProblem = describeForeignAnchorSigner(
    [...new Set([...chain.signers, ...(signer ? [signer.name] : [])])],
    anchor,
  );
  if (foreignProblem !== undefined)
    throw new DamagedAnchorError(`${foreignProblem} Restore the anchor of this event store.`);
  const divergence = await describeEntryDivergence(store, anchor.heads);
  if (divergence !== undefined) throw await divergenceError(divergence, store, evidence);
  const missing = findTruncatedStreams(heads, anchor.heads);
  if (missing.length > 0) return behindAnchor(missing, anchor);
  const { signers } = chain;
  if (signers.length > 0 && !signers.includes(anchor.last.signer)) return beforeRotation(anchor, heads);
  const mismatch = describeCheckpointMismatch(chain, anchor);
  if (mismatch !== undefined) throw new DamagedStoreError(mismatch);
  const reason = unsigned && unsignedReason(unsigned, chain, anchor);
  return reason === undefined ? anchor.last.issue : unsignedEntries(unsigned!, reason, heads);
}

function readIntactAnchor(file: string): AnchorState | undefined {
  try {
    return readAnchor(file);
  } catch (error) {
    if (error instanceof DamagedAnchorError) return undefined;
    throw error;
  }
}

/**
 * Error for a store that contradicts its anchor. If a kept copy of an earlier anchor matches the store, the error names
 * this copy.
 */
async function divergenceError(
  problem: string,
  store: StoreReader,
  { file, heads, chain }: RollbackEvidence,
): Promise<Error> {
  for (const previous of previousAnchorPaths(file)) {
    const anchor = readIntactAnchor(previous);
    const isMatch =
      anchor !== undefined &&
      describeForeignAnchorSigner(chain.signers, anchor) === undefined &&
      findTruncatedStreams(heads, anchor.heads).length === 0 &&
      describeCheckpointMismatch(chain, anchor) === undefined &&
      (await describeEntryDivergence(store, anchor.heads)) === undefined;
    if (!isMatch) continue;
    return new DamagedAnchorError(
      `${problem} The event store matches the earlier anchor ${previous}, which was kept when the operator confirmed a start without some entries; ` +
        `to continue with this event store, copy ${file} elsewhere and replace ${file} by ${previous}.`,
    );
  }
  return new DamagedStoreError(problem);
}

/**
 * The reason why a floor with this anchor cannot have written the unsigned entries; undefined if it can have written
 * them.
 */
function unsignedReason(
  { until }: UnsignedEntryRange,
  chain: CheckpointChain,
  anchor: AnchorState,
): string | undefined {
  if (chain.last?.closed === true) return 'they follow the close of the floor, after which there must be none';
  return until > (latestPossibleFloorTime(chain, anchor) ?? Infinity)
    ? `their times are more than ${maxDelayAfterAnchorMs / 1_000} s after the last update of the anchor`
    : undefined;
}

function unsignedEntries(unsigned: UnsignedEntryRange, reason: string, heads: HeadPositions): RollbackSuspectedError {
  const phrase = confirmationPhrase(`unsigned ${headsText(heads)}`);
  const message =
    `${unsignedEntryRangeText(unsigned)}, and ${reason}: another program may have written them. Keep a copy of the folder for ` +
    `the auditor and restore the signed event store, or continue with these entries and retire every shoe with --go-on "${phrase}".`;
  return new RollbackSuspectedError({ reason: 'unsigned-entries', confirmation: phrase, missing: [] }, message);
}

function missingAnchor(
  file: string,
  heads: HeadPositions,
  unsigned: UnsignedEntryRange | undefined,
): RollbackSuspectedError {
  const phrase = confirmationPhrase(`without ${file} ${headsText(heads)}`);
  const message =
    `The anchor ${file} of the event store is missing, so a rollback cannot be detected; restore the anchor, ` +
    `or continue and retire every shoe with --go-on "${phrase}".`;
  const addition = unsigned ? ` ${unsignedEntryRangeText(unsigned)}.` : '';
  return new RollbackSuspectedError(
    { reason: 'anchor-missing', confirmation: phrase, missing: [] },
    `${message}${addition}`,
  );
}

/** All heads as one text, one line for each stream, sorted. The confirmation phrase is derived from this text. */
const headsText = (heads: HeadPositions): string =>
  Array.from(heads, ([stream, { sequence, hash }]) => `${stream} ${sequence} ${hash}\n`)
    .toSorted()
    .join('');

function behindAnchor(missing: TruncatedStreams, { last }: AnchorState): RollbackSuspectedError {
  const lostCount = missing.reduce((sum, { has, expected }) => sum + expected - has, 0);
  const phrase = confirmationPhrase(JSON.stringify([missing, last.at, last.epoch]));
  const { stream, has, expected } = missing[0]!;
  const example = has + 1 === expected ? `entry ${expected}` : `entries ${has + 1} to ${expected}`;
  const message =
    `The event store ends too early: its anchor lists ${lostCount} more ${lostCount === 1 ? 'entry' : 'entries'} of ` +
    `${countText(missing.length, 'stream')}, such as ${example} of ${stream}; restore the newest event store, or ` +
    `continue without these entries and retire every shoe with --go-on "${phrase}".`;
  return new RollbackSuspectedError({ reason: 'behind-anchor', confirmation: phrase, missing }, message);
}

/**
 * Error for a store that has all entries which its anchor lists, but is older than the key rotation which the anchor
 * lists.
 */
function beforeRotation({ last }: AnchorState, heads: HeadPositions): RollbackSuspectedError {
  const phrase = confirmationPhrase(`before ${last.signer} ${headsText(heads)}`);
  const message =
    `The event store lacks the key rotation to ${last.signer} that its anchor lists; restore ` +
    `the newest event store, or continue with this one and retire every shoe with --go-on "${phrase}".`;
  return new RollbackSuspectedError({ reason: 'behind-anchor', confirmation: phrase, missing: [] }, message);
}

const ranks = ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const suits = ['clubs', 'diamonds', 'hearts', 'spades'];

/**
 * Confirmation phrase: names of two different cards, which the operator types to confirm this state and no other. The
 * cards come from a hash of the state. So each state has its own phrase, and the operator cannot type it from habit.
 */
export function confirmationPhrase(state: string): string {
  const bytes = Buffer.from(hashOfText(state).slice(-8), 'hex');
  const first = bytes.readUInt16BE(0) % 52;
  const second = (first + 1 + (bytes.readUInt16BE(2) % 51)) % 52;
  return `${cardName(first)} ${cardName(second)}`;
}

const cardName = (index: number): string => `${ranks[index % 13]}-of-${suits[Math.floor(index / 13)]}`;
