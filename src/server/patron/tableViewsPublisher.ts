import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type LobbyTile } from '../../wire/tableView.ts';
import { type DeviceConnection, sendToDeviceConnections } from '../socket/deviceConnection.ts';
import { KeyedThrottle } from '../limits/keyedThrottle.ts';
import { type PublicViewOptions, PublicViewBuilder, type TablePauseReason } from '../tables/publicViewBuilder.ts';
import { LobbyPublisher } from './lobbyPublisher.ts';

/** Minimum interval between deltas of a table that contain only stakes, in milliseconds. */
const totalsEveryMs = 500;

/**
 * Number of last entries of a table that are read at the start. From these entries its notice and the slips that
 * patrons may repeat are restored.
 */
const recallLength = 2_000;

export type TableChangeSummary = ReturnType<PublicViewBuilder['add']>;

type TableViewsOptions = {
  readonly metrics: Metrics;
  readonly displayInfoOf: (table: string) => PublicViewOptions;
  readonly warn: (subject: string, error: unknown) => void;
  /**
   * Called after the view of a table has changed. `entries` are the new entries; empty if the view has changed without
   * a new entry.
   */
  readonly onChange: (builder: PublicViewBuilder, entries: readonly StoredEntry[], change?: TableChangeSummary) => void;
};

/**
 * Publishes the public views of all tables and the lobby to patrons and displays. Only committed state is published.
 */
export class TableViewsPublisher {
  readonly #options: TableViewsOptions;
  #floor: FloorRuntime | undefined;
  readonly #builders = new Map<string, PublicViewBuilder>();
  /** By table: entries that arrived while the view builder of the table was being created. */
  readonly #unpublished = new Map<string, (readonly StoredEntry[])[]>();
  #isOpen = false;
  readonly lobby: LobbyPublisher;
  readonly #subscribers = new Map<string, Set<DeviceConnection>>();
  readonly #throttle = new KeyedThrottle<PublicViewBuilder>(totalsEveryMs, (builder) => this.#publishTable(builder));

  constructor(options: TableViewsOptions) {
    this.#options = options;
    this.lobby = new LobbyPublisher(() => this.#tiles(), options.metrics);
  }

  /** Call after all tables are loaded. */
  async open(floor: FloorRuntime): Promise<void> {
    this.#floor = floor;
    for (const table of floor.tables.values()) await this.#startPublishing(table);
    this.#isOpen = true;
  }

  /** Drops changes that the throttle delays. Changes that are not throttled are still published after this call. */
  close(): void {
    this.#throttle.close();
  }

  async #startPublishing({ id, processor }: TableRuntime): Promise<void> {
    const { state, sequence } = processor.committed();
    if (state === undefined || this.#builders.has(id)) return;
    const recent = (await processor.lastEntries(recallLength)).filter((entry) => entry.sequence <= sequence);
    if (this.#builders.has(id)) return; // Another call has created the builder during the read.
    const builder = new PublicViewBuilder({ table: state, sequence }, recent, this.#options.displayInfoOf(id));
    builder.setPaused(!processor.canAppend);
    this.#builders.set(id, builder);
    for (const connection of this.subscribers(id)) this.send(connection, id);
    this.#options.onChange(builder, []);
    for (const entries of this.#unpublished.get(id) ?? []) this.#publishEntries(builder, entries);
    this.#unpublished.delete(id);
  }

  /** The view builder of a table; undefined until the table is opened. */
  builder(table: string): PublicViewBuilder | undefined {
    return this.#builders.get(table);
  }

  builders(): readonly PublicViewBuilder[] {
    return [...this.#builders.values()];
  }

  publish(table: TableRuntime, entries: readonly StoredEntry[]): void {
    const { id } = table;
    const builder = this.#builders.get(id);
    if (builder) {
      this.#publishEntries(builder, entries);
      return;
    }
    this.#unpublished.set(id, [...(this.#unpublished.get(id) ?? []), entries]);
    // The table was just opened. It gets a view builder, and its tile appears in the lobby.
    if (this.#isOpen) {
      this.#startPublishing(table).then(
        () => this.lobby.sendTilesToAll(),
        (error: unknown) => this.#options.warn(`the view of ${id}`, error),
      );
    }
  }

  #publishEntries(builder: PublicViewBuilder, entries: readonly StoredEntry[]): void {
    const change = builder.add(entries);
    if (change.isStakesOnly) this.#throttle.schedule(builder);
    else this.#publishTable(builder);
    this.#options.onChange(builder, entries, change);
  }

  onTableCrashed(id: string): void {
    const builder = this.#builders.get(id);
    if (builder === undefined) return;
    builder.markBroken();
    this.#publishTable(builder);
    this.#options.onChange(builder, []);
  }

  setTablePaused(id: string, isPaused: boolean, by?: TablePauseReason): void {
    const builder = this.#builders.get(id);
    if (builder === undefined) return;
    builder.setPaused(isPaused, by);
    this.#publishTable(builder);
    this.#options.onChange(builder, []);
  }

  /**
   * Call when the number of patrons at a table has changed. The tile of the table is published within half a second.
   */
  setPatronCount(table: string, count: number): void {
    const builder = this.#builders.get(table);
    if (builder === undefined) return;
    builder.setPatronCount(count);
    this.#throttle.schedule(builder);
  }

  subscribers(table: string): Set<DeviceConnection> {
    let subscribers = this.#subscribers.get(table);
    if (subscribers === undefined) this.#subscribers.set(table, (subscribers = new Set()));
    return subscribers;
  }

  send(connection: DeviceConnection, table: string): void {
    const builder = this.#builders.get(table);
    if (builder)
      this.#options.metrics.viewBuilt('table', 'whole', sendToDeviceConnections([connection], builder.fullMessage()));
  }

  #publishTable(builder: PublicViewBuilder): void {
    const deltaMessage = builder.takeDelta();
    if (deltaMessage !== undefined)
      this.#options.metrics.viewBuilt(
        'table',
        'change',
        sendToDeviceConnections(this.subscribers(builder.id), deltaMessage),
      );
    const tileDelta = builder.takeTileDelta();
    if (tileDelta !== undefined) this.lobby.publishTile(builder.id, tileDelta);
  }

  #tiles(): readonly LobbyTile[] {
    return [...this.#floor!.tables.keys()].flatMap((id) => this.#builders.get(id)?.tile ?? []);
  }
}
