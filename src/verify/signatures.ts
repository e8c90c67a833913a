import { type Anchored } from '../anchor/file.ts';
import { type Places } from '../anchor/mark.ts';
import {
  type Followed,
  endingEarly,
  findOther,
  followCheckpoints,
  foreignSigner,
  otherCheckpoint,
} from '../anchor/standing.ts';
import { type Head, type Reader } from '../store/store.ts';
import { Problem } from './problem.ts';

/** An entry that no signature covers, the earliest of so many. */
type Uncovered = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly count: number;
};

/** Streams that end before what is known of them elsewhere. */
export type Missing = ReturnType<typeof endingEarly>;

/** What is signed of a record. */
export type Signatures = {
  readonly checkpoints: number;
  /** Who signed, one after another. */
  readonly signers: readonly string[];
  /** When the last checkpoint was signed. */
  readonly at: number | undefined;
  readonly uncovered: Uncovered | undefined;
  readonly followed: Followed;
};

/** Every checkpoint is as it was signed, and names entries that stand in the record. */
export async function verifySignatures(store: Reader, heads: ReadonlyMap<string, Head>): Promise<Signatures> {
  const named: Places[] = [];
  const followed = await followCheckpoints(store, (checkpoint) => {
    named.push(
      new Map(Object.entries(checkpoint.heads).map(([stream, [sequence, hash]]) => [stream, { sequence, hash }])),
    );
  });
  const { last, places, signers } = followed;
  for (const [place, some] of named.entries()) await agree(store, heads, some, place + 1);
  return {
    checkpoints: last?.number ?? 0,
    signers,
    at: last?.at,
    uncovered: await firstUncovered(store, heads, places),
    followed,
  };
}

/** What a checkpoint knows of a record is in it. */
async function agree(store: Reader, heads: ReadonlyMap<string, Head>, places: Places, number: number): Promise<void> {
  const [early] = endingEarly(heads, places);
  if (early) {
    const { stream, has, known } = early;
    throw new Problem(`Checkpoint ${number} knows of entry ${known} of ${stream}, which ends with entry ${has}.`);
  }
  await sameAs(store, places);
}

async function sameAs(store: Reader, places: Places): Promise<void> {
  const other = await findOther(store, places);
  if (other !== undefined) throw new Problem(other);
}

async function firstUncovered(
  store: Reader,
  heads: ReadonlyMap<string, Head>,
  places: Places,
): Promise<Uncovered | undefined> {
  let first: Omit<Uncovered, 'count'> | undefined;
  let count = 0;
  for (const [stream, { sequence: end }] of heads) {
    const covered = places.get(stream)?.sequence ?? 0;
    if (end <= covered) continue;
    count += end - covered;
    for await (const [entry] of store.read(stream, covered, 1)) {
      if (first === undefined || entry!.at < first.at) first = { stream, sequence: covered + 1, at: entry!.at };
      break;
    }
  }
  return first && { ...first, count };
}

/** The record is the one that its anchor knows; gives the streams of which the anchor knows more than is there. */
export async function verifyAnchor(
  store: Reader,
  heads: ReadonlyMap<string, Head>,
  { followed }: Signatures,
  anchor: Anchored,
): Promise<Missing> {
  const foreign = foreignSigner(followed.signers, anchor);
  if (foreign !== undefined) throw new Problem(foreign);
  await sameAs(store, anchor.places);
  const missing = endingEarly(heads, anchor.places);
  // A record that ends too early has fewer checkpoints as well.
  const other = missing.length === 0 ? otherCheckpoint(followed, anchor) : undefined;
  if (other !== undefined) throw new Problem(other);
  return missing;
}
