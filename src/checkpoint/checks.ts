import { countText } from '../base/countText.ts';
import { setImmediate } from 'node:timers/promises';
import { DamagedRecord, type StoreReader, type StoredEntry } from '../store/store.ts';
import {
  type Checkpoint,
  type Handover,
  type HeadPositions,
  checkpointIn,
  goOn,
  handoverOf,
  hashOfBalances,
  hashOfText,
} from './checkpointFormat.ts';
import { type Anchored } from './anchorFile.ts';
import { Moves } from './balanceRewind.ts';
import { verifySignature } from './signingKey.ts';

/** The checkpoints of a record, followed from its first to its last. */
export type CheckpointChain = {
  readonly last: Checkpoint | undefined;
  /** The hashes of their texts, in order. */
  readonly hashes: readonly string[];
  /** Where every stream stood at the last one. */
  readonly places: HeadPositions;
  /** Who signed, one after another. */
  readonly signers: readonly string[];
  /** How each but the first of them came to sign. */
  readonly handovers: readonly Handover[];
};

/** So many checkpoints are followed at once; between them whatever else waits has its turn. */
const followedAtOnce = 100;

/**
 * Every checkpoint is signed by the signer it names, follows the one before it, and is of the same signer unless that one
 * has handed over. `told` hears of each. Where some were followed before, only those behind them are.
 */
export async function followCheckpoints(
  store: Pick<StoreReader, 'checkpoints'>,
  told: (checkpoint: Checkpoint) => void = () => {},
  before?: CheckpointChain,
): Promise<CheckpointChain> {
  let last = before?.last;
  // There may be very many of both: none is copied for the next.
  const places = new Map(before?.places);
  const hashes = [...(before?.hashes ?? [])];
  const signers = [...(before?.signers ?? [])];
  const handovers = [...(before?.handovers ?? [])];
  for await (const some of store.checkpoints(last?.number)) {
    for (const { number, text, signature } of some) {
      const due = (last?.number ?? 0) + 1;
      const bad = (what: string): DamagedRecord => new DamagedRecord(`Checkpoint ${due} ${what}.`);
      if (number !== due) throw bad('is missing');
      const checkpoint = checkpointIn({ text, signature });
      if (checkpoint === undefined) throw bad('is not as it was signed');
      if (checkpoint.number !== due || checkpoint.previous !== (hashes.at(-1) ?? null))
        throw bad('does not follow the one before it');
      const { signer, handover } = checkpoint;
      if (last && signer !== last.signer && !verifySignature(handoverOf(signer, due), handover ?? '', last.signer)) {
        throw bad(`is signed by ${signer}, to whom ${last.signer} has not handed over`);
      }
      if (last && signer !== last.signer) handovers.push({ to: signer, number: due, word: handover! });
      if (signer !== signers.at(-1)) signers.push(signer);
      told(checkpoint);
      goOn(places, checkpoint);
      last = checkpoint;
      hashes.push(hashOfText(text));
      if (due % followedAtOnce === 0) await setImmediate();
    }
  }
  return { last, hashes, places, signers, handovers };
}

/** No checkpoint is of an epoch that the record does not know of. */
export async function checkEpochs(store: Pick<StoreReader, 'epoch'>, { last }: CheckpointChain): Promise<void> {
  const known = await store.epoch();
  if (last === undefined || last.epoch <= known) return;
  throw new DamagedRecord(
    `Checkpoint ${last.number} was signed in epoch ${last.epoch}, and the record knows of ${known} epochs.`,
  );
}

/** What stands in some streams from the place on that is known of each, so many entries at most; by stream. */
async function* standingFrom(
  store: StoreReader,
  places: HeadPositions,
  most: number,
): AsyncGenerator<readonly [string, readonly StoredEntry[]]> {
  if (store.readMany === undefined) {
    for (const [stream, { sequence }] of places) {
      const found: StoredEntry[] = [];
      for await (const entries of store.read(stream, sequence - 1, most)) {
        found.push(...entries);
        if (found.length >= most) break;
      }
      yield [stream, found];
    }
    return;
  }
  const left = new Set(places.keys());
  const all = Array.from(places, ([stream, { sequence }]) => ({ stream, sequence }));
  for await (const entries of store.readMany(all, most)) {
    for (const [stream, found] of Map.groupBy(entries, (entry) => entry.stream)) {
      left.delete(stream);
      yield [stream, found];
    }
  }
  for (const stream of left) yield [stream, []];
}

/** Each stream has, at the place that is known of it, the very entry that is known; else the first that has not is named. */
export async function findOther(store: StoreReader, places: HeadPositions): Promise<string | undefined> {
  for await (const [stream, [entry]] of standingFrom(store, places, 1)) {
    const { sequence, hash } = places.get(stream)!;
    if (entry && entry.hash !== hash) return `Entry ${sequence} of ${stream} is another than the one that was signed.`;
  }
  return undefined;
}

/** Who else has signed an anchor than the signers of its record, and those to whom they have handed over by its word. */
export function foreignSigner(
  signers: readonly string[],
  { last: { signer }, handovers }: Anchored,
): string | undefined {
  const own = new Set(signers);
  for (const { to, number, word } of handovers) {
    if ([...own].some((from) => verifySignature(handoverOf(to, number), word, from))) own.add(to);
  }
  return signers.length === 0 || own.has(signer)
    ? undefined
    : `The anchor is signed by ${signer}, and the record by ${signers.join(', then ')}.`;
}

/** What is wrong with the checkpoints of a record by the last one that its anchor knows of, if anything is. */
export function otherCheckpoint({ hashes }: CheckpointChain, { last: { checkpoint } }: Anchored): string | undefined {
  if (checkpoint === undefined || hashes[checkpoint.number - 1] === checkpoint.hash) return undefined;
  return hashes.length < checkpoint.number
    ? `The anchor knows of checkpoint ${checkpoint.number}, and the record has ${hashes.length}.`
    : `Checkpoint ${checkpoint.number} is another than the one that the anchor knows.`;
}

/** An anchor is told every few seconds: whatever is later than its last line by more than this, in milliseconds, it would know. */
const late = 30_000;

/**
 * The latest time at which a floor can have run, by an anchor that could be written; undefined where it could not: it does
 * not know of the last checkpoint.
 */
export const latestBy = ({ hashes }: CheckpointChain, { last }: Anchored): number | undefined =>
  hashes.length > (last.checkpoint?.number ?? 0) ? undefined : last.at + late;

/** Each stream ends with the entry that was last written there. */
export async function checkHeads(store: StoreReader, heads: HeadPositions): Promise<void> {
  for (const stream of await store.streams()) {
    if (!heads.has(stream)) throw new DamagedRecord(`The stream ${stream} has entries, and no end that was written.`);
  }
  for await (const [stream, found] of standingFrom(store, heads, 2)) {
    if (found.length !== 1 || found[0]!.hash !== heads.get(stream)!.hash) {
      throw new DamagedRecord(`The stream ${stream} does not end with the entry last written there.`);
    }
  }
}

/** Entries that no signature covers: how many, the earliest of them, and the time of the latest. */
export type UnsignedRange = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly count: number;
  readonly until: number;
};

/** What stands behind the places that somebody has signed. */
export async function uncoveredIn(
  store: StoreReader,
  heads: HeadPositions,
  ...signed: readonly HeadPositions[]
): Promise<UnsignedRange | undefined> {
  let first: Pick<UnsignedRange, 'stream' | 'sequence' | 'at'> | undefined;
  let [count, until] = [0, 0];
  for (const [stream, { sequence: end }] of heads) {
    const covered = Math.max(...signed.map((places) => places.get(stream)?.sequence ?? 0));
    if (end <= covered) continue;
    count += end - covered;
    for await (const [entry] of store.read(stream, covered, 1)) {
      if (first === undefined || entry!.at < first.at) first = { stream, sequence: covered + 1, at: entry!.at };
      break;
    }
    for await (const [entry] of store.read(stream, end - 1, 1)) until = Math.max(until, entry!.at);
  }
  return first && { ...first, count, until };
}

/** What is said of them. */
export const uncoveredText = ({ stream, sequence, count }: UnsignedRange): string =>
  `No signature covers ${countText(count, 'entry', 'entries')}, the first of which is entry ${sequence} of ${stream}`;

/** The streams that end before a place that is known of them. */
export const endingEarly = (
  heads: HeadPositions,
  places: HeadPositions,
): readonly { readonly stream: string; readonly has: number; readonly known: number }[] =>
  Array.from(places, ([stream, { sequence: known }]) => ({ stream, has: heads.get(stream)?.sequence ?? 0, known }))
    .filter(({ has, known }) => has < known)
    .toSorted((one, other) => (one.stream < other.stream ? -1 : 1));

/**
 * Every balance is what the last checkpoint vouches for and the entries behind it lead to. Without a checkpoint all
 * entries are read. Where streams end is known to be right by then. A start trusts balances, so they are looked at first.
 */
export async function checkBalances(
  store: StoreReader,
  { last, places }: Pick<CheckpointChain, 'last' | 'places'>,
): Promise<void> {
  const moves = new Moves();
  for (const [stream, { sequence: end }] of await store.heads()) {
    const covered = places.get(stream)?.sequence ?? 0;
    // Where nothing stands behind it nothing is to be read.
    if (covered === end) continue;
    for await (const entries of store.read(stream, covered)) for (const entry of entries) moves.take(entry);
  }
  const before = new Map(moves.before([...(await store.balances())]));
  moves.end();
  if (hashOfBalances(before) !== balancesBy(last)) {
    throw new DamagedRecord('The balances are not those that the entries of the record lead to.');
  }
}

/** What all balances came to by a checkpoint; none are there before the first. */
export const balancesBy = (last: Pick<Checkpoint, 'balances'> | undefined): string =>
  last?.balances ?? hashOfBalances(new Map());
