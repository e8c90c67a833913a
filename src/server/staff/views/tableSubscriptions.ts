import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Metrics } from '../../../metrics/metrics.ts';
import { type StoredEntry } from '../../../store/store.ts';
import { type PublicViewBuilder } from '../../tables/publicViewBuilder.ts';
import { type Scheduler } from '../../../runtime/ports/scheduler.ts';
import { type StaffConnection, type TableViewSubscription } from '../../socket/staffConnection.ts';
import { StaffViewPublisher } from './staffViewPublisher.ts';
import { RecentEventsAndMessages } from './recentEventsAndMessages.ts';
import { type TableViewFacts, buildDealerViewWithFacts, buildSupervisorViewWithFacts } from './staffTableViews.ts';

/** Minimum interval between two deltas of a view in milliseconds. Applies to deltas that contain only stakes. */
const stakesEveryMs = 500;
/** At the first subscription, this many of the last entries of a table are read for its list of recent events. */
const recentLength = 300;

type TableSubscriptionsDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly metrics: Metrics;
  /** Gives the public view builder of a table; undefined until the table is opened. */
  readonly builderOf: (table: string) => PublicViewBuilder | undefined;
  readonly numberOf: (person: string) => string | null;
  readonly dealerAt: (table: string) => TableViewFacts['dealer'];
  readonly isDisconnected: (terminal: string) => boolean;
  readonly scanFormat: TableViewFacts['scanFormat'];
  readonly warn: (subject: string, error: unknown) => void;
};

/** Recent events of a table. Until they are read from the store, new entries of the table are kept in `pending`. */
type RecentRead = {
  readonly recent: RecentEventsAndMessages;
  readonly loading: Promise<void>;
  pending: StoredEntry[] | undefined;
};

/** Subscriptions of staff to views of tables. A view is built only while it has a subscriber. */
export class TableSubscriptions {
  readonly #dependencies: TableSubscriptionsDependencies;
  readonly #floor: FloorRuntime;
  readonly #publishers = new Map<string, StaffViewPublisher>();
  readonly #recent = new Map<string, RecentRead>();
  readonly #timers = new Map<string, () => void>();

  constructor(dependencies: TableSubscriptionsDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  /** Subscribes a connection and sends the full view; returns false if the table is not open. */
  async subscribe(connection: StaffConnection, subscription: TableViewSubscription): Promise<boolean> {
    this.unsubscribe(connection);
    connection.subscription = subscription;
    const { recent, loading } = this.#recentOf(subscription.table);
    await loading;
    if (connection.isClosed || connection.subscription !== subscription) return true;
    const name = keyOf(subscription);
    let publisher = this.#publishers.get(name);
    if (publisher === undefined) {
      publisher = new StaffViewPublisher(
        subscription,
        () => this.#view(subscription, recent),
        this.#dependencies.metrics,
      );
      this.#publishers.set(name, publisher);
    }
    // `sendView` sends the delta to the other subscribers, and the full view to this one.
    const isOpen = publisher.sendView(connection);
    publisher.subscribers.add(connection);
    return isOpen;
  }

  /** Ends the subscription of a connection; a view without subscribers is dropped. */
  unsubscribe(connection: StaffConnection): void {
    const { subscription } = connection;
    connection.subscription = undefined;
    if (subscription === undefined) return;
    const publisher = this.#publishers.get(keyOf(subscription));
    publisher?.subscribers.delete(connection);
    if (publisher?.subscribers.size !== 0) return;
    this.#publishers.delete(keyOf(subscription));
    const hasOthers = [...this.#publishers.values()].some((one) => one.subscription.table === subscription.table);
    if (!hasOthers) this.#recent.delete(subscription.table);
  }

  resend(connection: StaffConnection): void {
    const { subscription } = connection;
    if (subscription) this.#publishers.get(keyOf(subscription))?.sendView(connection);
  }

  onTableChange({ id }: PublicViewBuilder, entries: readonly StoredEntry[]): void {
    const reading = this.#recent.get(id);
    if (reading?.pending) reading.pending.push(...entries);
    else reading?.recent.add(entries, this.#dependencies.numberOf);
    if (!this.#hasSubscribers(id)) return;
    const isStakes = entries.length > 0 && entries.every(({ event }) => event.type === 'SlipSet');
    if (isStakes) this.#publishTableSoon(id);
    else this.#publishTable(id);
  }

  /**
   * Publishes the views that have changed without a new entry of their table: by the passing of time, or by a sign-in.
   */
  refresh(): void {
    for (const publisher of this.#publishers.values()) this.#publish(publisher);
  }

  *subscribersOf(table: string): Generator<StaffConnection> {
    for (const { subscription, subscribers } of this.#publishers.values())
      if (subscription.table === table) yield* subscribers;
  }

  close(): void {
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  #hasSubscribers(table: string): boolean {
    return [...this.#publishers.values()].some(({ subscription }) => subscription.table === table);
  }

  /** Publishes the views of a table without delay. So a client gets the new view before the reply to its command. */
  #publishTable(table: string): void {
    for (const publisher of this.#publishers.values())
      if (publisher.subscription.table === table) this.#publish(publisher);
  }

  #publishTableSoon(table: string): void {
    if (this.#timers.has(table)) return;
    const stop = this.#dependencies.after(stakesEveryMs, () => {
      this.#timers.delete(table);
      this.#publishTable(table);
    });
    this.#timers.set(table, stop);
  }

  /**
   * Publishes a view. An error is only reported as a warning, because the entries that changed the view are stored
   * already.
   */
  #publish(publisher: StaffViewPublisher): void {
    try {
      publisher.publish();
    } catch (error) {
      this.#dependencies.warn(`the staff view of ${publisher.subscription.table}`, error);
    }
  }

  #recentOf(table: string): RecentRead {
    let reading = this.#recent.get(table);
    if (reading === undefined) {
      const recent = new RecentEventsAndMessages();
      reading = { recent, pending: [], loading: this.#read(table, recent) };
      this.#recent.set(table, reading);
      reading.loading.catch(() => this.#recent.delete(table));
    }
    return reading;
  }

  async #read(table: string, recent: RecentEventsAndMessages): Promise<void> {
    const entries = await this.#floor.tables.get(table)!.processor.lastEntries(recentLength);
    const reading = this.#recent.get(table);
    recent.add([...entries, ...(reading?.pending ?? [])], this.#dependencies.numberOf);
    if (reading?.recent === recent) reading.pending = undefined;
  }

  #view({ table, as }: TableViewSubscription, recent: RecentEventsAndMessages) {
    const builder = this.#dependencies.builderOf(table);
    if (builder === undefined) return undefined;
    const { clock, numberOf, dealerAt, isDisconnected, scanFormat } = this.#dependencies;
    const info = {
      at: clock(),
      numberOf,
      dealer: dealerAt(table),
      fault: builder.fault,
      scanFormat,
      recent,
      isDisconnected,
      creditOf: (session: string) => this.#floor.terminals.sessionCredit(session),
    };
    return as === 'dealer'
      ? buildDealerViewWithFacts(builder.table, info)
      : buildSupervisorViewWithFacts(builder.table, info);
  }
}

const keyOf = ({ table, as }: TableViewSubscription): string => `${as} ${table}`;
