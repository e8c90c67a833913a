import { countText } from '../base/countText.ts';
import { setImmediate } from 'node:timers/promises';
import { DamagedStoreError, type StoreReader, type StoredEntry } from '../store/store.ts';
import {
  type Checkpoint,
  type SignerHandover,
  type HeadPosition,
  type HeadPositions,
  parseSignedCheckpoint,
  applyHeads,
  handoverTextToSign,
  hashOfBalances,
  hashOfText,
} from './checkpointFormat.ts';
import { type AnchorState } from './anchorFile.ts';
import { BalanceRewind } from './balanceRewind.ts';
import { verifySignature } from './signingKey.ts';

/** The checkpoints of a store, verified from the first to the last. */
export type CheckpointChain = {
  readonly last: Checkpoint | undefined;
  /** Hash of the text of each checkpoint, in order. */
  readonly hashes: readonly string[];
  /** Heads at the last checkpoint. */
  readonly heads: HeadPositions;
  /** Names of all signers, in order. */
  readonly signers: readonly string[];
  /** Handover to each signer except the first. */
  readonly handovers: readonly SignerHandover[];
};

/** Number of checkpoints that are verified without a pause. After them, other work of the process may run. */
const yieldInterval = 100;

/**
 * Verifies the chain of checkpoints. Each checkpoint must be signed by the signer that it names, and follow the
 * previous checkpoint. The signer may change only if the previous signer has handed over. `before` is a chain that is
 * verified already; only the checkpoints after it are read.
 */
export async function verifyCheckpointChain(
  store: Pick<StoreReader, 'checkpoints'>,
  onCheckpoint: (checkpoint: Checkpoint) => void = () => {},
  before?: CheckpointChain,
): Promise<CheckpointChain> {
  let last = before?.last;
  // The collections are copied once and then changed in place, because there may be very many streams and checkpoints.
  const heads = new Map(before?.heads);
  const hashes = [...(before?.hashes ?? [])];
  const signers = [...(before?.signers ?? [])];
  const handovers = [...(before?.handovers ?? [])];
  for await (const page of store.checkpoints(last?.number)) {
    for (const { number: stored, text, signature } of page) {
      const number = (last?.number ?? 0) + 1;
      const damaged = (problem: string): DamagedStoreError => new DamagedStoreError(`Checkpoint ${number} ${problem}.`);
      if (stored !== number) throw damaged('is missing');
      const checkpoint = parseSignedCheckpoint({ text, signature });
      if (checkpoint === undefined) throw damaged('was changed after it was signed');
      if (checkpoint.number !== number || checkpoint.previous !== (hashes.at(-1) ?? null))
        throw damaged('does not follow the one before it');
      const { signer, handover } = checkpoint;
      if (
        last &&
        signer !== last.signer &&
        !verifySignature(handoverTextToSign(signer, number), handover ?? '', last.signer)
      ) {
        throw damaged(`is signed by ${signer}, but ${last.signer} has not handed over to this key`);
      }
      if (last && signer !== last.signer) handovers.push({ to: signer, number, signature: handover! });
      if (signer !== signers.at(-1)) signers.push(signer);
      onCheckpoint(checkpoint);
      applyHeads(heads, checkpoint);
      last = checkpoint;
      hashes.push(hashOfText(text));
      if (number % yieldInterval === 0) await setImmediate();
    }
  }
  return { last, hashes, heads, signers, handovers };
}

/** Throws when the last checkpoint was signed in a later epoch than the last epoch of the store. */
export async function checkCheckpointEpoch(
  store: Pick<StoreReader, 'epoch'>,
  { last }: CheckpointChain,
): Promise<void> {
  const epoch = await store.epoch();
  if (last === undefined || last.epoch <= epoch) return;
  throw new DamagedStoreError(
    `Checkpoint ${last.number} was signed in epoch ${last.epoch}, but the last epoch of the event store is ${epoch}.`,
  );
}

/** Reads the entries of each stream from the stream's position on, at most `maxEntries` of each. */
async function* entriesAt(
  store: StoreReader,
  positions: HeadPositions,
  maxEntries: number,
): AsyncGenerator<readonly [string, readonly StoredEntry[]]> {
  if (store.readMany === undefined) {
    for (const [stream, { sequence }] of positions) {
      const found: StoredEntry[] = [];
      for await (const entries of store.read(stream, sequence - 1, maxEntries)) {
        found.push(...entries);
        if (found.length >= maxEntries) break;
      }
      yield [stream, found];
    }
    return;
  }
  const missing = new Set(positions.keys());
  const all = Array.from(positions, ([stream, { sequence }]) => ({ stream, sequence }));
  for await (const entries of store.readMany(all, maxEntries)) {
    for (const [stream, found] of Map.groupBy(entries, (entry) => entry.stream)) {
      missing.delete(stream);
      yield [stream, found];
    }
  }
  for (const stream of missing) yield [stream, []];
}

/**
 * Describes a stored entry that has another hash than the signed head at the same position; undefined if there is no
 * such entry.
 */
export async function describeEntryDivergence(
  store: StoreReader,
  positions: HeadPositions,
): Promise<string | undefined> {
  for await (const [stream, [entry]] of entriesAt(store, positions, 1)) {
    const { sequence, hash } = positions.get(stream)!;
    if (entry && entry.hash !== hash) return `Entry ${sequence} of ${stream} is not the one that was signed.`;
  }
  return undefined;
}

/**
 * Describes the signer of the anchor if the signer is foreign: the signer never signed the store, and no handovers lead
 * from a signer of the store to this signer. Undefined if the signer belongs to the store.
 */
export function describeForeignAnchorSigner(
  signers: readonly string[],
  { last: { signer }, handovers }: AnchorState,
): string | undefined {
  const accepted = new Set(signers);
  for (const { to, number, signature } of handovers) {
    if ([...accepted].some((from) => verifySignature(handoverTextToSign(to, number), signature, from)))
      accepted.add(to);
  }
  return signers.length === 0 || accepted.has(signer)
    ? undefined
    : `The anchor is signed by ${signer}, but the event store by ${signers.join(', then ')}.`;
}

/** Describes how the checkpoints differ from the checkpoint that the anchor names; undefined if they match. */
export function describeCheckpointMismatch(
  { hashes }: CheckpointChain,
  { last: { checkpoint } }: AnchorState,
): string | undefined {
  if (checkpoint === undefined || hashes[checkpoint.number - 1] === checkpoint.hash) return undefined;
  return hashes.length < checkpoint.number
    ? `The anchor lists checkpoint ${checkpoint.number}, but the event store has only ${countText(hashes.length, 'checkpoint')}.`
    : `Checkpoint ${checkpoint.number} is not the one that the anchor lists.`;
}

/**
 * Maximum time in milliseconds from the last anchor line to an entry of the same floor. A later entry is suspicious,
 * because a floor updates its anchor every few seconds.
 */
export const maxDelayAfterAnchorMs = 30_000;

/**
 * Latest time at which the floor can have run according to its anchor, in milliseconds since 1970. Undefined when the
 * anchor lacks the last checkpoint: the anchor was not updated for a while, so its time proves nothing.
 */
export const latestPossibleFloorTime = ({ hashes }: CheckpointChain, { last }: AnchorState): number | undefined =>
  hashes.length > (last.checkpoint?.number ?? 0) ? undefined : last.at + maxDelayAfterAnchorMs;

/** Error for a stream of which the stored head is not the last entry. */
export const wrongStoredHeadError = (stream: string, { sequence, hash }: HeadPosition): DamagedStoreError =>
  new DamagedStoreError(
    `The stream ${stream} does not end with its stored head, which is entry ${sequence} with the hash ${hash}.`,
  );

/** Throws unless each stream ends with its stored head. */
export async function checkStreamHeads(store: StoreReader, heads: HeadPositions): Promise<void> {
  for (const stream of await store.streams()) {
    if (!heads.has(stream)) throw new DamagedStoreError(`The stream ${stream} has entries, but no stored head.`);
  }
  for await (const [stream, found] of entriesAt(store, heads, 2)) {
    const head = heads.get(stream)!;
    if (found.length !== 1 || found[0]!.hash !== head.hash) throw wrongStoredHeadError(stream, head);
  }
}

/**
 * Entries that no signature covers. `stream`, `sequence` and `at`: position and time of the earliest entry. `until`:
 * time of the latest entry.
 */
export type UnsignedEntryRange = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly count: number;
  readonly until: number;
};

/**
 * Finds the entries after the signed heads; undefined if there are none. If several lists in `signed` name a stream,
 * the highest head counts.
 */
export async function findUnsignedEntryRange(
  store: StoreReader,
  heads: HeadPositions,
  ...signed: readonly HeadPositions[]
): Promise<UnsignedEntryRange | undefined> {
  let first: Pick<UnsignedEntryRange, 'stream' | 'sequence' | 'at'> | undefined;
  let [count, until] = [0, 0];
  for (const [stream, { sequence: end }] of heads) {
    const signedUpTo = Math.max(...signed.map((positions) => positions.get(stream)?.sequence ?? 0));
    if (end <= signedUpTo) continue;
    count += end - signedUpTo;
    for await (const [entry] of store.read(stream, signedUpTo, 1)) {
      if (first === undefined || entry!.at < first.at) first = { stream, sequence: signedUpTo + 1, at: entry!.at };
      break;
    }
    for await (const [entry] of store.read(stream, end - 1, 1)) until = Math.max(until, entry!.at);
  }
  return first && { ...first, count, until };
}

/** Describes unsigned entries, as the start of a sentence. */
export const unsignedEntryRangeText = ({ stream, sequence, count }: UnsignedEntryRange): string =>
  `No signature covers ${countText(count, 'entry', 'entries')}, the first of which is entry ${sequence} of ${stream}`;

/** Finds the streams that end before an expected head. `has`: sequence of the last entry that the stream has. */
export const findTruncatedStreams = (
  heads: HeadPositions,
  expectedHeads: HeadPositions,
): readonly { readonly stream: string; readonly has: number; readonly expected: number }[] =>
  Array.from(expectedHeads, ([stream, { sequence: expected }]) => ({
    stream,
    has: heads.get(stream)?.sequence ?? 0,
    expected,
  }))
    .filter((stream) => stream.has < stream.expected)
    .toSorted((a, b) => (a.stream < b.stream ? -1 : 1));

/**
 * Throws unless the stored balances equal the balances at the last checkpoint plus all later postings. Without a
 * checkpoint, all entries are read. Call `checkStreamHeads` first.
 */
export async function checkStoredBalances(
  store: StoreReader,
  { last, heads }: Pick<CheckpointChain, 'last' | 'heads'>,
): Promise<void> {
  const rewind = new BalanceRewind();
  for (const [stream, { sequence: end }] of await store.heads()) {
    const signedUpTo = heads.get(stream)?.sequence ?? 0;
    // The last checkpoint signs all entries of this stream.
    if (signedUpTo === end) continue;
    for await (const entries of store.read(stream, signedUpTo)) for (const entry of entries) rewind.add(entry);
  }
  const before = new Map(rewind.rewind([...(await store.balances())]));
  rewind.finish();
  if (hashOfBalances(before) !== balancesHashOfCheckpoint(last)) {
    throw new DamagedStoreError('The stored balances differ from the signed balances plus all later postings.');
  }
}

/** Hash of all balances at a checkpoint; without a checkpoint, the hash of an empty list. */
export const balancesHashOfCheckpoint = (checkpoint: Pick<Checkpoint, 'balances'> | undefined): string =>
  checkpoint?.balances ?? hashOfBalances(new Map());
