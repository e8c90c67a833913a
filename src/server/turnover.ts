import { type Store, type StoredEntry } from '../store/store.ts';

/** What a session has staked, up to an entry of each table. */
type Known = { staked: number; readonly upTo: Map<string, number> };

/**
 * What the sessions of those who are here have staked so far, what was taken off again not counted. It is added up as tables
 * write; of a session that began before, it is read from its stakes, once and for all who wait for it.
 */
export class Turnover {
  readonly #store: Pick<Store, 'about'>;
  readonly #known = new Map<string, Known>();
  /** Those that are being read, and what was written of them meanwhile. */
  readonly #reading = new Map<string, { readonly done: Promise<void>; readonly meanwhile: StoredEntry[] }>();

  constructor(store: Pick<Store, 'about'>) {
    this.#store = store;
  }

  of(session: string): number | undefined {
    return this.#known.get(session)?.staked;
  }

  /** Nobody of that session is here any more. */
  forget(session: string): void {
    this.#known.delete(session);
  }

  /** Adds what was written at a table. */
  take(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      if (entry.event.type !== 'SlipSet') continue;
      const session = String(entry.event['terminal']);
      this.#reading.get(session)?.meanwhile.push(entry);
      const known = this.#known.get(session);
      if (known) count(known, entry);
    }
  }

  /** Reads what a session has staked since it began, unless that is known. */
  read(session: string): Promise<void> {
    if (this.#known.has(session)) return Promise.resolve();
    let reading = this.#reading.get(session);
    if (reading === undefined) {
      const meanwhile: StoredEntry[] = [];
      const done = this.#read(session, meanwhile).finally(() => this.#reading.delete(session));
      this.#reading.set(session, (reading = { done, meanwhile }));
    }
    return reading.done;
  }

  async #read(session: string, meanwhile: readonly StoredEntry[]): Promise<void> {
    const stakes: StoredEntry[] = [];
    for (let page = await this.#store.about(session); page.length > 0;) {
      stakes.push(...page);
      page = await this.#store.about(session, { before: page.at(-1)! });
    }
    const known = { staked: 0, upTo: new Map<string, number>() };
    for (const entry of [...stakes.toReversed(), ...meanwhile]) count(known, entry);
    this.#known.set(session, known);
  }
}

/** Adds a stake, unless it is counted already. */
function count(known: Known, { stream, sequence, event }: StoredEntry): void {
  if (sequence <= (known.upTo.get(stream) ?? 0)) return;
  known.upTo.set(stream, sequence);
  known.staked += Number(event['hold']);
}
