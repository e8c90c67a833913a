import { holderOf } from '../ledger/accounts.ts';
import { type Reader, type StoredEntry } from '../store/store.ts';

/** What a session has staked so far, what was taken off again not counted, and what came back to it. */
export type Turned = { staked: number; returned: number };

type Parts = {
  readonly store: Pick<Reader, 'read' | 'heads'>;
  /** The streams of all tables. */
  readonly streams: () => readonly string[];
};

/** What is known of a session, up to an entry of each table. */
type Known = { readonly turned: Turned; readonly upTo: ReadonlyMap<string, number> };

/** So far back a stream is looked at first for where a session began; then four times as far, and so on. */
const firstStep = 64;

/**
 * What the sessions of those who are here have staked. It is added up as tables write; of a session that began before, it is
 * read from the entries since then: once, and for all who wait for it together.
 */
export class Turnover {
  readonly #parts: Parts;
  readonly #known = new Map<string, Known>();
  /** Sessions to be read next, by when they began, and the reading of them. */
  #wanted = new Map<string, number>();
  #next: Promise<void> | undefined;
  /** Those that are being read, and what was written meanwhile. */
  #reading: Promise<void> = Promise.resolve();
  #meanwhile: StoredEntry[] | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(session: string): Turned | undefined {
    return this.#known.get(session)?.turned;
  }

  /** Nobody of that session is here any more. */
  forget(session: string): void {
    this.#known.delete(session);
  }

  /** Adds what was written at a table. */
  take(entries: readonly StoredEntry[]): void {
    this.#meanwhile?.push(...entries);
    for (const entry of entries) addTo(this.#known, entry);
  }

  /** Reads what a session has staked since it began, unless that is known. */
  async read(session: string, since: number): Promise<void> {
    if (this.#known.has(session)) return;
    this.#wanted.set(session, since);
    this.#next ??= this.#reading.then(() => {
      const wanted = this.#wanted;
      this.#wanted = new Map();
      this.#next = undefined;
      const reading = this.#readAll(wanted);
      // Whoever comes next does not wait in vain for one that failed.
      this.#reading = reading.catch(() => {});
      return reading;
    });
    await this.#next;
  }

  async #readAll(wanted: ReadonlyMap<string, number>): Promise<void> {
    const { store, streams } = this.#parts;
    this.#meanwhile = [];
    try {
      const heads = await store.heads();
      const upTo = new Map(streams().map((stream) => [stream, heads.get(stream)?.sequence ?? 0]));
      const read = new Map<string, Known>();
      for (const session of wanted.keys()) read.set(session, { turned: { staked: 0, returned: 0 }, upTo: new Map() });
      const since = Math.min(...wanted.values());
      for (const [stream, last] of upTo) {
        for await (const entries of store.read(stream, await this.#before(stream, since, last))) {
          for (const entry of entries) if (entry.sequence <= last) addTo(read, entry);
          if (entries.at(-1)!.sequence >= last) break;
        }
      }
      const found = new Map(Array.from(read, ([session, { turned }]) => [session, { turned, upTo }]));
      for (const entry of this.#meanwhile) addTo(found, entry);
      for (const [session, known] of found) this.#known.set(session, known);
    } finally {
      this.#meanwhile = undefined;
    }
  }

  /** An entry of a stream from before a time, not much further back than need be. */
  async #before(stream: string, since: number, last: number): Promise<number> {
    for (let step = firstStep; step < last; step *= 4) {
      for await (const [entry] of this.#parts.store.read(stream, last - step, 1)) {
        if (entry!.at < since) return last - step;
        break;
      }
    }
    return 0;
  }
}

/** Adds what an entry did to sessions, unless it is counted already. */
function addTo(sessions: ReadonlyMap<string, Known>, entry: StoredEntry): void {
  for (const [session, { staked, returned }] of turnedIn(entry)) {
    const known = sessions.get(session);
    if (known === undefined || entry.sequence <= (known.upTo.get(entry.stream) ?? 0)) continue;
    known.turned.staked += staked;
    known.turned.returned += returned;
  }
}

/** What an entry of a table did to the credit of each session. */
function turnedIn({ event, postings }: StoredEntry): ReadonlyMap<string, Turned> {
  const found = new Map<string, Turned>();
  const kind = event.type === 'SlipSet' ? 'staked' : 'returned';
  const move = (session: string | undefined, by: number): void => {
    if (session === undefined) return;
    const turned = found.get(session) ?? { staked: 0, returned: 0 };
    turned[kind] += kind === 'staked' ? -by : by;
    found.set(session, turned);
  };
  for (const { from, to, amount } of postings) {
    move(holderOf(from), -amount);
    move(holderOf(to), amount);
  }
  return found;
}
