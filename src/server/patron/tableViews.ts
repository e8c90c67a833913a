import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type Tile } from '../../wire/tableView.ts';
import { type PatronConnection, sendAll } from '../socket/patronConnection.ts';
import { KeyedThrottle } from '../limits/throttle.ts';
import { type TableDisplayInfo, TablePublisher, type PauseReason } from '../tables/tablePublisher.ts';
import { LobbyPublisher } from './lobbyPublisher.ts';

/** Deltas that contain nothing but stakes are published at most this often. */
const totalsEveryMs = 500;

/** Entries that are read at start to restore repeatable slips. */
const recallLength = 2_000;

/** What the entries of an append changed. */
export type TableChange = ReturnType<TablePublisher['add']>;

type TableViewsOptions = {
  readonly metrics: Metrics;
  readonly displayInfoOf: (table: string) => TableDisplayInfo;
  readonly warn: (subject: string, error: unknown) => void;
  /** Called after a table view changed, with the entries that changed it, if any. */
  readonly onChange: (publisher: TablePublisher, entries: readonly StoredEntry[], change?: TableChange) => void;
};

/** Views of all tables and the lobby, for patrons and displays. Only committed state is published. */
export class TableViews {
  readonly #options: TableViewsOptions;
  #floor: FloorRuntime | undefined;
  readonly #publishers = new Map<string, TablePublisher>();
  /** Entries of tables whose publisher is still being made. */
  readonly #unpublished = new Map<string, (readonly StoredEntry[])[]>();
  #isOpen = false;
  readonly lobby: LobbyPublisher;
  readonly #subscribers = new Map<string, Set<PatronConnection>>();
  readonly #throttle = new KeyedThrottle<TablePublisher>(totalsEveryMs, (publisher) => this.#publishTable(publisher));

  constructor(options: TableViewsOptions) {
    this.#options = options;
    this.lobby = new LobbyPublisher(() => this.#tiles(), options.metrics);
  }

  /** Called after all tables are loaded. */
  async open(floor: FloorRuntime): Promise<void> {
    this.#floor = floor;
    for (const table of floor.tables.values()) await this.#startPublishing(table);
    this.#isOpen = true;
  }

  /** Changes that wait for the throttle are published no more; all others still are. */
  close(): void {
    this.#throttle.close();
  }

  /** Makes the publisher of an opened table. */
  async #startPublishing({ id, processor }: TableRuntime): Promise<void> {
    const { state, sequence } = processor.committed();
    if (state === undefined || this.#publishers.has(id)) return;
    const recent = (await processor.lastEntries(recallLength)).filter((entry) => entry.sequence <= sequence);
    if (this.#publishers.has(id)) return; // Another call made it during the read.
    const publisher = new TablePublisher({ table: state, sequence }, recent, this.#options.displayInfoOf(id));
    publisher.setPaused(!processor.canAppend);
    this.#publishers.set(id, publisher);
    for (const connection of this.subscribers(id)) this.send(connection, id);
    this.#options.onChange(publisher, []);
    for (const entries of this.#unpublished.get(id) ?? []) this.#publishEntries(publisher, entries);
    this.#unpublished.delete(id);
  }

  /** Undefined before the table is opened. */
  publisher(table: string): TablePublisher | undefined {
    return this.#publishers.get(table);
  }

  publishers(): readonly TablePublisher[] {
    return [...this.#publishers.values()];
  }

  /** Publishes entries that were appended to a table. */
  publish(table: TableRuntime, entries: readonly StoredEntry[]): void {
    const { id } = table;
    const publisher = this.#publishers.get(id);
    if (publisher) {
      this.#publishEntries(publisher, entries);
      return;
    }
    this.#unpublished.set(id, [...(this.#unpublished.get(id) ?? []), entries]);
    // The table was just opened: it appears in the lobby.
    if (this.#isOpen) {
      this.#startPublishing(table).then(
        () => this.lobby.sendTilesToAll(),
        (error: unknown) => this.#options.warn(`the view of ${id}`, error),
      );
    }
  }

  #publishEntries(publisher: TablePublisher, entries: readonly StoredEntry[]): void {
    const change = publisher.add(entries);
    if (change.isStakesOnly) this.#throttle.schedule(publisher);
    else this.#publishTable(publisher);
    this.#options.onChange(publisher, entries, change);
  }

  onTableCrashed(id: string): void {
    const publisher = this.#publishers.get(id);
    if (publisher === undefined) return;
    publisher.markBroken();
    this.#publishTable(publisher);
    this.#options.onChange(publisher, []);
  }

  setTablePaused(id: string, isPaused: boolean, by?: PauseReason): void {
    const publisher = this.#publishers.get(id);
    if (publisher === undefined) return;
    publisher.setPaused(isPaused, by);
    this.#publishTable(publisher);
    this.#options.onChange(publisher, []);
  }

  /** The new count is published with the next delta of the table. */
  setPatronCount(table: string, count: number): void {
    const publisher = this.#publishers.get(table);
    if (publisher === undefined) return;
    publisher.setPatronCount(count);
    this.#throttle.schedule(publisher);
  }

  /** Connections that receive the view of a table. */
  subscribers(table: string): Set<PatronConnection> {
    let subscribers = this.#subscribers.get(table);
    if (subscribers === undefined) this.#subscribers.set(table, (subscribers = new Set()));
    return subscribers;
  }

  /** Sends the full view of a table. */
  send(connection: PatronConnection, table: string): void {
    const publisher = this.#publishers.get(table);
    if (publisher) this.#options.metrics.viewed('table', 'whole', sendAll([connection], publisher.fullMessage()));
  }

  #publishTable(publisher: TablePublisher): void {
    const deltaMessage = publisher.takeDelta();
    if (deltaMessage !== undefined)
      this.#options.metrics.viewed('table', 'change', sendAll(this.subscribers(publisher.id), deltaMessage));
    const tileDelta = publisher.takeTileDelta();
    if (tileDelta !== undefined) this.lobby.publishTile(publisher.id, tileDelta);
  }

  #tiles(): readonly Tile[] {
    return [...this.#floor!.tables.keys()].flatMap((id) => this.#publishers.get(id)?.tile ?? []);
  }
}
