import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Metrics } from '../../../metrics/metrics.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { type TablePublisher } from '../../tables/tablePublisher.ts';
import { type Scheduler } from '../../operations/serverClock.ts';
import { type StaffConnection, type Subscription } from '../../socket/staffConnection.ts';
import { StaffFeed } from './viewPublisher.ts';
import { Recent } from './recentEvents.ts';
import { type TableInfo, dealerSees, supervisorSees } from './tableViews.ts';

/** What stakes of patrons do to a view is shown at most this often, in milliseconds. */
const stakesEvery = 500;
/** So many entries are looked through for what has last happened, when somebody begins to look. */
const lookedThrough = 300;

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly gauges: Metrics;
  /** What is told of a table, once it has been opened. */
  readonly feed: (table: string) => TablePublisher | undefined;
  readonly numberOf: (person: string) => string | null;
  /** Who is signed in at the console of a table. */
  readonly dealerAt: (table: string) => TableInfo['dealer'];
  readonly isAway: (terminal: string) => boolean;
  /** What readers of cards say. */
  readonly scanner: TableInfo['scanner'];
  readonly trouble: (what: string, error: unknown) => void;
};

type Reading = { readonly recent: Recent; readonly whole: Promise<void>; early: StoredEntry[] | undefined };

/** Who of the staff looks at which table, and how. A view is made only while somebody looks at it. */
export class TableSubscriptions {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #feeds = new Map<string, StaffFeed>();
  /** What has last happened at each table that somebody looks at; what is written while it is read comes after that. */
  readonly #recent = new Map<string, Reading>();
  readonly #waiting = new Map<string, () => void>();

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
  }

  /** Somebody looks at a table from now on, and is told everything; false where it is not open yet. */
  async begin(connection: StaffConnection, watched: Subscription): Promise<boolean> {
    this.end(connection);
    connection.watched = watched;
    const { recent, whole } = this.#recentOf(watched.table);
    await whole;
    if (connection.gone || connection.watched !== watched) return true;
    const name = nameOf(watched);
    let feed = this.#feeds.get(name);
    if (feed === undefined) {
      feed = new StaffFeed(watched, () => this.#view(watched, recent), this.#parts.gauges);
      this.#feeds.set(name, feed);
    }
    // Whoever is there already is told what has changed, and whoever comes everything.
    const isOpen = feed.tellWhole(connection);
    feed.watchers.add(connection);
    return isOpen;
  }

  /** Somebody looks no more; what nobody looks at is not made. */
  end(connection: StaffConnection): void {
    const { watched } = connection;
    connection.watched = undefined;
    if (watched === undefined) return;
    const feed = this.#feeds.get(nameOf(watched));
    feed?.watchers.delete(connection);
    if (feed?.watchers.size !== 0) return;
    this.#feeds.delete(nameOf(watched));
    const isSeen = [...this.#feeds.values()].some((one) => one.watched.table === watched.table);
    if (!isSeen) this.#recent.delete(watched.table);
  }

  /** Tells everything once more. */
  again(connection: StaffConnection): void {
    const { watched } = connection;
    if (watched) this.#feeds.get(nameOf(watched))?.tellWhole(connection);
  }

  /** A table has moved, by what was written or otherwise. */
  moved({ id }: TablePublisher, entries: readonly StoredEntry[]): void {
    const reading = this.#recent.get(id);
    if (reading?.early) reading.early.push(...entries);
    else reading?.recent.add(entries, this.#parts.numberOf);
    if (!this.#isSeen(id)) return;
    const isStakes = entries.length > 0 && entries.every(({ event }) => event.type === 'SlipSet');
    if (isStakes) this.#tellLater(id);
    else this.#tellSoon(id);
  }

  /** What follows from the time, and from who is signed in where, may have changed. */
  look(): void {
    for (const feed of this.#feeds.values()) this.#tell(feed);
  }

  /** Everyone who looks at a table. */
  *at(table: string): Generator<StaffConnection> {
    for (const { watched, watchers } of this.#feeds.values()) if (watched.table === table) yield* watchers;
  }

  close(): void {
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
  }

  #isSeen(table: string): boolean {
    return [...this.#feeds.values()].some(({ watched }) => watched.table === table);
  }

  /** In the same breath, before whoever asked is answered. */
  #tellSoon(table: string): void {
    for (const feed of this.#feeds.values()) if (feed.watched.table === table) this.#tell(feed);
  }

  #tellLater(table: string): void {
    if (this.#waiting.has(table)) return;
    const stop = this.#parts.after(stakesEvery, () => {
      this.#waiting.delete(table);
      this.#tellSoon(table);
    });
    this.#waiting.set(table, stop);
  }

  /** What cannot be shown is written all the same. */
  #tell(feed: StaffFeed): void {
    try {
      feed.tell();
    } catch (error) {
      this.#parts.trouble(`what staff see of ${feed.watched.table}`, error);
    }
  }

  #recentOf(table: string): Reading {
    let reading = this.#recent.get(table);
    if (reading === undefined) {
      const recent = new Recent();
      reading = { recent, early: [], whole: this.#read(table, recent) };
      this.#recent.set(table, reading);
      reading.whole.catch(() => this.#recent.delete(table));
    }
    return reading;
  }

  async #read(table: string, recent: Recent): Promise<void> {
    const entries = await this.#floor.tables.get(table)!.runner.last(lookedThrough);
    const reading = this.#recent.get(table);
    recent.add([...entries, ...(reading?.early ?? [])], this.#parts.numberOf);
    if (reading?.recent === recent) reading.early = undefined;
  }

  #view({ table, as }: Subscription, recent: Recent) {
    const feed = this.#parts.feed(table);
    if (feed === undefined) return undefined;
    const { clock, numberOf, dealerAt, isAway, scanner } = this.#parts;
    const known = { at: clock(), numberOf, dealer: dealerAt(table), trouble: feed.trouble, scanner, recent, isAway };
    return as === 'dealer' ? dealerSees(feed.table, known) : supervisorSees(feed.table, known);
  }
}

const nameOf = ({ table, as }: Subscription): string => `${as} ${table}`;
