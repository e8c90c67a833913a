import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Metrics } from '../../../metrics/metrics.ts';
import { versionedGameId } from '../../../rules/game.ts';
import { isRefused } from '../../../base/refusal.ts';
import { type StoreReader, type StoredEntry } from '../../../store/store.ts';
import { parseSettings, gameAndRulebookOf } from '../../../table/schema/settings.ts';
import { signedUnpaidHandPayTotal, terminalOfSession } from '../../../terminal/state.ts';
import { type FloorView, type FloorTableRow as Row, type WorkItem } from '../../../wire/staff/floorView.ts';
import { type UncheckedTableSettings } from '../../../runtime/tables/tableRuntime.ts';
import { type PublicViewBuilder } from '../../tables/publicViewBuilder.ts';
import { type Scheduler } from '../../../runtime/ports/scheduler.ts';
import { type StaffConnection } from '../../socket/staffConnection.ts';
import { TableGamingDayTotals } from '../../../runtime/projections/tableGamingDayTotals.ts';
import { compareWorkItemsByUrgency, buildUnopenedTableRow, buildFloorRow, workItemsOfTable } from './floorRows.ts';

/** Minimum interval between two floor views, in milliseconds. */
const publishEveryMs = 500;

type FloorPublisherDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly metrics: Metrics;
  readonly store: Pick<StoreReader, 'read'>;
  readonly settings: ReadonlyMap<string, UncheckedTableSettings>;
  readonly builderOf: (table: string) => PublicViewBuilder | undefined;
  readonly dealerAt: (table: string) => string | null;
  readonly isDisconnected: (terminal: string) => boolean;
  readonly terminalCountAt: (table: string) => number;
  /** Gives time and hash of the last checkpoint; null if there is no checkpoint yet. */
  readonly lastSigned: () => FloorView['signed'];
  readonly warn: (subject: string, error: unknown) => void;
};

export class FloorViewPublisher {
  readonly #dependencies: FloorPublisherDependencies;
  readonly #floor: FloorRuntime;
  /** Start time of this server, used as the time of a work item whose own time is not known. */
  readonly #startedAt: number;
  readonly #subscribers = new Set<StaffConnection>();
  readonly #totals = new Map<string, TableGamingDayTotals>();
  #loading: Promise<void> | undefined;
  #version = 0;
  #lastText = '';
  #cancel: (() => void) | undefined;

  constructor(dependencies: FloorPublisherDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#startedAt = dependencies.clock();
  }

  async subscribe(connection: StaffConnection): Promise<void> {
    connection.subscribesToFloor = true;
    await (this.#loading ??= this.#load());
    if (connection.isClosed || !connection.subscribesToFloor) return;
    this.#subscribers.add(connection);
    this.sendView(connection);
  }

  unsubscribe(connection: StaffConnection): void {
    connection.subscribesToFloor = false;
    this.#subscribers.delete(connection);
    if (this.#subscribers.size > 0) return;
    // While there is no subscriber, the totals are not updated. The next subscriber causes them to be loaded again.
    this.#loading = undefined;
    this.#totals.clear();
    this.close();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  sendView(connection: StaffConnection): void {
    if (!this.#subscribers.has(connection)) return;
    const view = this.#view();
    connection.send({ type: 'floor', version: this.#version, view });
  }

  onTableChange({ id }: PublicViewBuilder, entries: readonly StoredEntry[]): void {
    if (this.#loading === undefined) return;
    this.#totals.get(id)?.add(entries);
    this.schedule();
  }

  /** Publishes the view after a short delay, if it has changed. */
  schedule(): void {
    if (this.#subscribers.size === 0) return;
    this.#cancel ??= this.#dependencies.after(publishEveryMs, () => {
      this.#cancel = undefined;
      this.#publish();
    });
  }

  #publish(): void {
    try {
      const view = this.#view();
      const text = JSON.stringify(view);
      if (text === this.#lastText) return;
      this.#lastText = text;
      this.#version += 1;
      const bytes = Buffer.from(`{"type":"floor","version":${this.#version},"view":${text}}`, 'utf8');
      for (const subscriber of this.#subscribers) subscriber.sendText(bytes);
      this.#dependencies.metrics.viewBuilt('staff', 'whole', bytes.length);
    } catch (error) {
      this.#dependencies.warn('the floor view', error);
    }
  }

  async #load(): Promise<void> {
    for (const { id, processor, stream } of this.#floor.tables.values()) {
      if (processor.state !== undefined) await this.#loadTable(id, stream, processor.sequence);
    }
  }

  async #loadTable(id: string, stream: string, sequence: number): Promise<void> {
    const builder = this.#dependencies.builderOf(id);
    if (builder === undefined) return;
    const now = this.#dependencies.clock();
    const totals = new TableGamingDayTotals(builder.table.settings.profile, now);
    await totals.load(this.#dependencies.store, stream, sequence, now);
    this.#totals.set(id, totals);
  }

  #view(): FloorView {
    const now = this.#dependencies.clock();
    const rows: Row[] = [];
    const workItems: WorkItem[] = [];
    let [voids, corrected, since] = [0, 0, now];
    for (const id of this.#floor.tables.keys()) {
      const builder = this.#dependencies.builderOf(id);
      if (builder === undefined) {
        rows.push(this.#closed(id));
        workItems.push(notOpen(id, this.#startedAt));
        continue;
      }
      const totals = (this.#totals.get(id) ?? new TableGamingDayTotals(builder.table.settings.profile, now)).at(now);
      rows.push(this.#row(builder, now, totals));
      workItems.push(...workItemsOfTable(builder.table, { at: now, fault: builder.fault }));
      voids += totals.voids;
      corrected += totals.corrected;
      since = Math.min(since, totals.since);
    }
    workItems.push(...this.#handPays());
    return {
      tables: rows,
      waiting: workItems.toSorted(compareWorkItemsByUrgency),
      since,
      voids,
      corrected,
      signed: this.#dependencies.lastSigned(),
    };
  }

  #row(builder: PublicViewBuilder, at: number, totals: ReturnType<TableGamingDayTotals['at']>): Row {
    const { dealerAt, isDisconnected, terminalCountAt } = this.#dependencies;
    const { table, id, fault } = builder;
    // Only disconnected terminals with stakes in the round in play are counted. So between rounds none is counted.
    const staked = table.phase === 'idle' ? [] : Object.keys(table.round?.slips ?? {});
    const offline = staked.filter((session) => isDisconnected(terminalOfSession(session))).length;
    return buildFloorRow(table, {
      at,
      fault,
      terminals: terminalCountAt(id),
      offline,
      totals,
      dealer: dealerAt(id),
    });
  }

  #closed(id: string): Row {
    const setting = parseSettings(this.#dependencies.settings.get(id) ?? {}, this.#dependencies.clock());
    const dealer = this.#dependencies.dealerAt(id);
    if (isRefused(setting)) return buildUnopenedTableRow(id, { name: id, version: '' }, { bets: 'terminals', dealer });
    const { game } = gameAndRulebookOf(setting);
    return buildUnopenedTableRow(
      id,
      { name: game.name, version: versionedGameId(game) },
      { bets: setting.bets, dealer },
    );
  }

  /** Gives the work items for terminals that are locked because of a hand-pay that is not paid yet. */
  *#handPays(): Generator<WorkItem> {
    const { terminals } = this.#floor;
    for (const terminal of terminals.names) {
      const owed = terminals.handPayOwed(terminal);
      if (owed === 0) continue;
      const prompt = { code: 'hand-pay', with: { terminal, amount: String(owed) }, by: 'HOUSE 2' };
      const item = { table: null, what: 'hand-pay', prompt, by: 'HOUSE 2' } as const;
      const proposal = terminals.proposedAt(terminal);
      if (proposal !== null) {
        const { since, expires, hash } = proposal;
        yield { ...item, role: 'pit-manager', since, expires, hash };
        continue;
      }
      const isSigned = signedUnpaidHandPayTotal({ signed: terminals.signedAt(terminal) }) >= owed;
      const since = terminals.handPayDueSince(terminal) ?? this.#startedAt;
      yield { ...item, role: isSigned ? 'cage' : 'supervisor', since };
    }
  }
}

const notOpen = (table: string, since: number): WorkItem => ({
  table,
  what: 'not-open',
  prompt: { code: 'not-open', with: {}, by: null },
  by: null,
  role: 'pit-manager',
  since,
});
