import { genesisHash } from '../store/hashChain.ts';
import { DamagedEntryError, DamagedStoreError, type Store, type StoredEntry } from '../store/store.ts';
import { BalancesHash, type HeadPosition, type HeadPositions } from './checkpointFormat.ts';
import { BalanceRewind } from './balanceRewind.ts';
import { wrongStoredHeadError } from './checks.ts';

// Check before a checkpoint in a cluster, where other nodes write too. The signing node reads all entries since the
// last checkpoint. It compares them with the heads and balances that it is about to sign.

type CatchUpBasis = {
  /** Heads at the last checkpoint. */
  readonly signedHeads: HeadPositions;
  readonly balancesHash: string;
  /** Highest head that this node has read of each stream. The store must still have the entry at that head. */
  readonly readHeads: HeadPositions;
};

/**
 * `heads`: all heads or, without `withAllHeads`, only the heads that have moved. `balancesHash`: hash of all balances
 * at the same moment.
 */
type CatchUpResult = { readonly heads: HeadPositions; readonly balancesHash: string };

/**
 * Verifies all entries since the last checkpoint. Each stream that has grown is read from its signed head on. The
 * postings must lead from the signed balances to the present balances. Throws `DamagedStoreError`.
 */
export async function verifyEntriesSinceCheckpoint(
  store: Store,
  basis: CatchUpBasis,
  withAllHeads: boolean,
): Promise<CatchUpResult> {
  const { signedHeads, readHeads } = basis;
  const rewind = new BalanceRewind();
  const [present, signed] = [new BalancesHash(), new BalancesHash()];
  const [heads, moved] = [new Map<string, HeadPosition>(), new Map<string, HeadPosition>()];
  const missing = new Set([...signedHeads.keys(), ...readHeads.keys()]);
  let hasRead = false;
  const readOnce = async (): Promise<void> => {
    if (hasRead) return;
    hasRead = true;
    const [lost] = missing;
    if (lost !== undefined) throw truncated(lost, 0, signedHeads.get(lost) ?? readHeads.get(lost)!);
    await readMovedStreams(store, moved, basis, rewind);
  };
  for await (const chunk of store.readHeadsAndBalances()) {
    for (const [stream, { sequence, hash }] of chunk.heads) {
      missing.delete(stream);
      const head = { sequence, hash };
      if (hasMoved(stream, head, basis)) moved.set(stream, head);
      if (withAllHeads) heads.set(stream, head);
    }
    if (chunk.balances.length === 0) continue;
    // The store lists all heads before the first balance, as of one moment. So all moved streams are known here.
    await readOnce();
    present.add(chunk.balances);
    signed.add(rewind.rewind(chunk.balances));
  }
  await readOnce();
  rewind.finish();
  if (signed.digest() !== basis.balancesHash) {
    throw new DamagedStoreError('The stored balances differ from the signed balances plus all later postings.');
  }
  return { heads: withAllHeads ? heads : moved, balancesHash: present.digest() };
}

/**
 * True if the stream has new entries since the checkpoint. Throws when the stream has lost or replaced its signed head,
 * or the head that this node has read.
 */
function hasMoved(stream: string, head: HeadPosition, { signedHeads, readHeads }: CatchUpBasis): boolean {
  const [signed, read] = [signedHeads.get(stream), readHeads.get(stream)];
  for (const position of [signed, read]) {
    if (position && head.sequence < position.sequence) throw truncated(stream, head.sequence, position);
    if (position && head.sequence === position.sequence && head.hash !== position.hash)
      throw replaced(stream, position);
  }
  return head.sequence !== signed?.sequence;
}

const truncated = (stream: string, sequence: number, { sequence: lastRead }: HeadPosition): DamagedStoreError =>
  new DamagedStoreError(
    `The stream ${stream} ends with entry ${sequence}, but entry ${lastRead} was read or signed before.`,
  );

const replaced = (stream: string, { sequence }: HeadPosition): DamagedStoreError =>
  new DamagedStoreError(`Entry ${sequence} of ${stream} is not the one that was read or signed before.`);

/** If the store has `readMany`, streams with at most this number of new entries are read together. */
const maxShortStream = 20;
const streamsPerRead = 100;
/** Page size for a stream that is read alone. Other work of the process may run between two pages. */
const entriesPerRead = 200;

async function readMovedStreams(
  store: Store,
  moved: HeadPositions,
  { signedHeads, readHeads }: CatchUpBasis,
  rewind: BalanceRewind,
): Promise<void> {
  const signedUpTo = (stream: string): number => signedHeads.get(stream)?.sequence ?? 0;
  const isShort = (stream: string, { sequence }: HeadPosition): boolean =>
    store.readMany !== undefined && sequence - signedUpTo(stream) <= maxShortStream;
  const followerOf = (stream: string): StreamFollower =>
    new StreamFollower(
      stream,
      { start: signedHeads.get(stream), end: moved.get(stream)!, read: readHeads.get(stream) },
      rewind,
    );
  const shortStreams = [...moved].filter(([stream, head]) => isShort(stream, head)).map(([stream]) => stream);
  for (let start = 0; start < shortStreams.length; start += streamsPerRead) {
    const followers = new Map(
      shortStreams.slice(start, start + streamsPerRead).map((stream) => [stream, followerOf(stream)]),
    );
    const positions = Array.from(followers.keys(), (stream) => ({ stream, sequence: signedUpTo(stream) + 1 }));
    for await (const entries of store.readMany!(positions, maxShortStream)) {
      for (const entry of entries) followers.get(entry.stream)!.add(entry);
    }
    for (const follower of followers.values()) follower.finish();
  }
  for (const [stream, head] of moved) {
    if (isShort(stream, head)) continue;
    const follower = followerOf(stream);
    for await (const entries of store.read(
      stream,
      signedUpTo(stream),
      Math.min(entriesPerRead, head.sequence - signedUpTo(stream)),
    )) {
      for (const entry of entries) follower.add(entry);
      if (follower.isAtEnd) break;
    }
    follower.finish();
  }
}

type StreamRange = {
  readonly start: HeadPosition | undefined;
  readonly end: HeadPosition;
  readonly read: HeadPosition | undefined;
};

/**
 * Follows the hash chain of one stream up to the head that this checkpoint will sign. Ignores later entries, which
 * belong to the next checkpoint.
 */
class StreamFollower {
  readonly #stream: string;
  readonly #range: StreamRange;
  readonly #rewind: BalanceRewind;
  #position: HeadPosition;

  constructor(stream: string, range: StreamRange, rewind: BalanceRewind) {
    this.#stream = stream;
    this.#range = range;
    this.#rewind = rewind;
    this.#position = range.start ?? { sequence: 0, hash: genesisHash };
  }

  get isAtEnd(): boolean {
    return this.#position.sequence >= this.#range.end.sequence;
  }

  add(entry: StoredEntry): void {
    if (this.isAtEnd) return;
    const { sequence, hash, previous } = entry;
    if (sequence !== this.#position.sequence + 1 || previous !== this.#position.hash) {
      throw new DamagedEntryError(this.#stream, this.#position.sequence + 1, 'does not follow the entry before it');
    }
    const { read } = this.#range;
    if (read && sequence === read.sequence && hash !== read.hash) throw replaced(this.#stream, read);
    this.#position = { sequence, hash };
    this.#rewind.add(entry);
  }

  finish(): void {
    const { end } = this.#range;
    if (this.#position.sequence === end.sequence && this.#position.hash === end.hash) return;
    throw wrongStoredHeadError(this.#stream, end);
  }
}
