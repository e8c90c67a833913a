import { setImmediate } from 'node:timers/promises';
import { type Owner } from '../floor/world.ts';
import { movedAt } from '../history/entry.ts';
import { terminalAccount } from '../ledger/accounts.ts';
import { type Place, type Store, type StoredEntry } from '../store/store.ts';
import { Turns } from './turns.ts';

type Parts = { readonly store: Pick<Store, 'about'>; readonly owner: Owner };

/** What a session has staked, and up to which entry of each table that is counted. */
type Known = { staked: number; readonly upTo: Map<string, number> };

/** So many stakes are read at once, in between whatever else waits comes first; and of so many sessions at a time. */
const atOnce = 100;
const sessionsAtOnce = 4;
/** So many sessions are remembered; the one that was asked for longest ago is read again. */
const mostKnown = 20_000;

/**
 * What sessions have staked so far, what was taken off again not counted. It is added up as tables write; of a session that
 * began before, it is read once from its own stakes.
 */
export class Turnover {
  readonly #parts: Parts;
  readonly #known = new Map<string, Known>();
  /** Those that are being read, and what they have staked meanwhile. */
  readonly #reading = new Map<string, { readonly done: Promise<void>; readonly meanwhile: StoredEntry[] }>();
  readonly #turns = new Turns(sessionsAtOnce);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a session has staked; undefined before it was read. */
  of(session: string): number | undefined {
    return this.#known.get(session)?.staked;
  }

  /** Adds what was written at a table. */
  take(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      if (entry.event.type !== 'SlipSet') continue;
      const session = String(entry.event['terminal']);
      this.#reading.get(session)?.meanwhile.push(entry);
      const known = this.#known.get(session);
      if (known) this.#add(known, session, entry);
    }
  }

  /** Reads what a session has staked since it began, unless that is known. */
  async read(session: string): Promise<void> {
    const known = this.#known.get(session);
    if (known) this.#remember(session, known);
    else await (this.#reading.get(session) ?? this.#begin(session)).done;
  }

  #begin(session: string): { readonly done: Promise<void> } {
    const meanwhile: StoredEntry[] = [];
    const done = this.#turns
      .run(async () => {
        const known = await this.#readAll(session);
        for (const entry of meanwhile) this.#add(known, session, entry);
        this.#remember(session, known);
      })
      .finally(() => this.#reading.delete(session));
    const reading = { done, meanwhile };
    this.#reading.set(session, reading);
    return reading;
  }

  /** The last stakes are read first: whatever is written from then on comes to be known by itself. */
  async #readAll(session: string): Promise<Known> {
    const known: Known = { staked: 0, upTo: new Map() };
    for (let before: Place | undefined; ;) {
      const entries = await this.#parts.store.about(session, { most: atOnce, ...(before && { before }) });
      for (const entry of entries) {
        known.staked += this.#stakedIn(session, entry);
        known.upTo.set(entry.stream, Math.max(entry.sequence, known.upTo.get(entry.stream) ?? 0));
      }
      before = entries.at(-1);
      if (entries.length < atOnce) return known;
      await setImmediate();
    }
  }

  /** Adds a stake, unless it is counted already. */
  #add(known: Known, session: string, entry: StoredEntry): void {
    if (entry.sequence <= (known.upTo.get(entry.stream) ?? 0)) return;
    known.upTo.set(entry.stream, entry.sequence);
    known.staked += this.#stakedIn(session, entry);
  }

  #stakedIn(session: string, { postings }: StoredEntry): number {
    const moved = movedAt(postings, terminalAccount(this.#parts.owner, session));
    return moved ? moved.before - moved.after : 0;
  }

  #remember(session: string, known: Known): void {
    this.#known.delete(session);
    this.#known.set(session, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown) this.#known.delete(oldest!);
  }
}
