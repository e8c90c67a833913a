import { genesisHash } from '../store/hashChain.ts';
import { DamagedEntry, DamagedRecord, type Store, type StoredEntry } from '../store/store.ts';
import { BalancesHash, type HeadPosition, type HeadPositions } from './checkpointFormat.ts';
import { Moves } from './balanceRewind.ts';

// Where several programs write to a record, whoever signs has not written all of it: it reads what was written since the
// last checkpoint, and holds it against the one moment that it signs.

/** What was signed last, and what is known besides. */
type Known = {
  /** Where streams stood at the last checkpoint, and what all balances came to. */
  readonly signed: HeadPositions;
  readonly balances: string;
  /** Where streams have been seen by now: none ends before that, or goes another way. */
  readonly seen: HeadPositions;
};

/** Where a record stands at one moment: all streams if asked for, else those that have moved; all balances as a hash. */
type Reached = { readonly heads: HeadPositions; readonly balances: string };

/**
 * Where a record stands, if what was written since the last checkpoint leads there: each stream that has moved is read on
 * from where it was signed, link by link, and its postings lead from the balances that were signed to those that are.
 */
export async function reached(store: Store, known: Known, isWhole: boolean): Promise<Reached> {
  const { signed, seen } = known;
  const moves = new Moves();
  const [all, before] = [new BalancesHash(), new BalancesHash()];
  const [heads, moved] = [new Map<string, HeadPosition>(), new Map<string, HeadPosition>()];
  const missing = new Set([...signed.keys(), ...seen.keys()]);
  let isRead = false;
  const read = async (): Promise<void> => {
    if (isRead) return;
    isRead = true;
    const [lost] = missing;
    if (lost !== undefined) throw endsEarly(lost, 0, signed.get(lost) ?? seen.get(lost)!);
    await readOn(store, moved, known, moves);
  };
  for await (const part of store.readHeadsAndBalances()) {
    for (const [stream, { sequence, hash }] of part.heads) {
      missing.delete(stream);
      const head = { sequence, hash };
      if (hasMoved(stream, head, known)) moved.set(stream, head);
      if (isWhole) heads.set(stream, head);
    }
    if (part.balances.length === 0) continue;
    // All streams come before the first account, in one and the same moment.
    await read();
    all.add(part.balances);
    before.add(moves.before(part.balances));
  }
  await read();
  moves.end();
  if (before.end() !== known.balances) {
    throw new DamagedRecord('The balances are not those that were signed and what was written since.');
  }
  return { heads: isWhole ? heads : moved, balances: all.end() };
}

/** Whether a stream has moved since it was signed; it cannot have gone back, nor be another by then. */
function hasMoved(stream: string, head: HeadPosition, { signed, seen }: Known): boolean {
  const [last, known] = [signed.get(stream), seen.get(stream)];
  for (const place of [last, known]) {
    if (place && head.sequence < place.sequence) throw endsEarly(stream, head.sequence, place);
    if (place && head.sequence === place.sequence && head.hash !== place.hash) throw isOther(stream, place);
  }
  return head.sequence !== last?.sequence;
}

const endsEarly = (stream: string, sequence: number, { sequence: known }: HeadPosition): DamagedRecord =>
  new DamagedRecord(`The stream ${stream} ends with entry ${sequence}, and entry ${known} was there.`);

const isOther = (stream: string, { sequence }: HeadPosition): DamagedRecord =>
  new DamagedRecord(`Entry ${sequence} of ${stream} is another than the one that was there.`);

/** A stream that has moved by no more than this is read together with others, so many at once. */
const short = 20;
const together = 100;
/** Of a longer one so many entries are read at once; between them whatever else waits has its turn. */
const atOnce = 200;

/** Reads streams on from where they were signed to where they stand. */
async function readOn(store: Store, moved: HeadPositions, { signed, seen }: Known, moves: Moves): Promise<void> {
  const from = (stream: string): number => signed.get(stream)?.sequence ?? 0;
  const isShort = (stream: string, { sequence }: HeadPosition): boolean =>
    store.readMany !== undefined && sequence - from(stream) <= short;
  const follower = (stream: string): Follower =>
    new Follower(stream, { start: signed.get(stream), end: moved.get(stream)!, seen: seen.get(stream) }, moves);
  const some = [...moved].filter(([stream, head]) => isShort(stream, head)).map(([stream]) => stream);
  for (let part = 0; part < some.length; part += together) {
    const followers = new Map(some.slice(part, part + together).map((stream) => [stream, follower(stream)]));
    const places = Array.from(followers.keys(), (stream) => ({ stream, sequence: from(stream) + 1 }));
    for await (const entries of store.readMany!(places, short)) {
      for (const entry of entries) followers.get(entry.stream)!.take(entry);
    }
    for (const one of followers.values()) one.end();
  }
  for (const [stream, head] of moved) {
    if (isShort(stream, head)) continue;
    const one = follower(stream);
    for await (const entries of store.read(stream, from(stream), Math.min(atOnce, head.sequence - from(stream)))) {
      for (const entry of entries) one.take(entry);
      if (one.isThere) break;
    }
    one.end();
  }
}

type Way = {
  readonly start: HeadPosition | undefined;
  readonly end: HeadPosition;
  readonly seen: HeadPosition | undefined;
};

/** Follows one stream, link by link, to where it stands; what was written behind that is left to the next time. */
class Follower {
  readonly #stream: string;
  readonly #way: Way;
  readonly #moves: Moves;
  #at: HeadPosition;

  constructor(stream: string, way: Way, moves: Moves) {
    this.#stream = stream;
    this.#way = way;
    this.#moves = moves;
    this.#at = way.start ?? { sequence: 0, hash: genesisHash };
  }

  get isThere(): boolean {
    return this.#at.sequence >= this.#way.end.sequence;
  }

  take(entry: StoredEntry): void {
    if (this.isThere) return;
    const { sequence, hash, previous } = entry;
    if (sequence !== this.#at.sequence + 1 || previous !== this.#at.hash) {
      throw new DamagedEntry(this.#stream, this.#at.sequence + 1, 'does not follow the entry before it');
    }
    const { seen } = this.#way;
    if (seen && sequence === seen.sequence && hash !== seen.hash) throw isOther(this.#stream, seen);
    this.#at = { sequence, hash };
    this.#moves.take(entry);
  }

  end(): void {
    const { sequence, hash } = this.#way.end;
    if (this.#at.sequence === sequence && this.#at.hash === hash) return;
    throw new DamagedRecord(`The stream ${this.#stream} does not end with the entry last written there.`);
  }
}
