import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Metrics } from '../../../metrics/metrics.ts';
import { fullNameOf } from '../../../rules/game.ts';
import { isRefused } from '../../../base/refusal.ts';
import { type StoreReader, type StoredEntry } from '../../../store/store.ts';
import { parseSettings, resolveSettings } from '../../../table/schema/settings.ts';
import { unpaidHandPays, terminalOfSession } from '../../../terminal/state.ts';
import { type FloorView, type FloorRow as Row, type WorkItem } from '../../../wire/staff/views.ts';
import { type TableSetting } from '../../../runtime/tables/tableRuntime.ts';
import { type TablePublisher } from '../../tables/tablePublisher.ts';
import { type Scheduler } from '../../operations/serverClock.ts';
import { type StaffConnection } from '../../socket/staffConnection.ts';
import { GamingDayTotals } from '../../../runtime/projections/gamingDayTotals.ts';
import { byUrgency, closedRow, floorRow, waitsAt } from './floorRows.ts';

/** The whole floor is told at most this often, in milliseconds. */
const tellEvery = 500;

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly gauges: Metrics;
  readonly store: Pick<StoreReader, 'read'>;
  readonly settings: ReadonlyMap<string, TableSetting>;
  readonly feed: (table: string) => TablePublisher | undefined;
  /** The number of whoever is signed in at the console of a table. */
  readonly dealerAt: (table: string) => string | null;
  readonly isAway: (terminal: string) => boolean;
  readonly seatedAt: (table: string) => number;
  /** When the record was last signed, and the hash of what was. */
  readonly signed: () => FloorView['signed'];
  readonly trouble: (what: string, error: unknown) => void;
};

/** The whole floor for those who look at it: a row for each table, and what waits for a person. */
export class FloorPublisher {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  /** Since when it is known of what waits, where nothing tells that better. */
  readonly #began: number;
  readonly #watchers = new Set<StaffConnection>();
  readonly #figures = new Map<string, GamingDayTotals>();
  #reading: Promise<void> | undefined;
  #version = 0;
  #told = '';
  #stop: (() => void) | undefined;

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
    this.#began = parts.clock();
  }

  /** Somebody looks at the floor, and is told everything. */
  async begin(connection: StaffConnection): Promise<void> {
    connection.looksAround = true;
    await (this.#reading ??= this.#read());
    if (connection.gone || !connection.looksAround) return;
    this.#watchers.add(connection);
    this.again(connection);
  }

  end(connection: StaffConnection): void {
    connection.looksAround = false;
    this.#watchers.delete(connection);
    if (this.#watchers.size > 0) return;
    // Nobody follows the figures any more: they are read again by the next who looks.
    this.#reading = undefined;
    this.#figures.clear();
    this.close();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  again(connection: StaffConnection): void {
    if (!this.#watchers.has(connection)) return;
    const view = this.#view();
    connection.tell({ type: 'floor', version: this.#version, view });
  }

  /** A table has moved. */
  moved({ id }: TablePublisher, entries: readonly StoredEntry[]): void {
    if (this.#reading === undefined) return;
    this.#figures.get(id)?.add(entries);
    this.look();
  }

  /** Something may have changed: it is told soon. */
  look(): void {
    if (this.#watchers.size === 0) return;
    this.#stop ??= this.#parts.after(tellEvery, () => {
      this.#stop = undefined;
      this.#tell();
    });
  }

  #tell(): void {
    try {
      const view = this.#view();
      const text = JSON.stringify(view);
      if (text === this.#told) return;
      this.#told = text;
      this.#version += 1;
      const bytes = Buffer.from(`{"type":"floor","version":${this.#version},"view":${text}}`, 'utf8');
      for (const watcher of this.#watchers) watcher.send(bytes);
      this.#parts.gauges.viewed('staff', 'whole', bytes.length);
    } catch (error) {
      this.#parts.trouble('what staff see of the floor', error);
    }
  }

  async #read(): Promise<void> {
    for (const { id, runner, stream } of this.#floor.tables.values()) {
      if (runner.state !== undefined) await this.#readTable(id, stream, runner.sequence);
    }
  }

  async #readTable(id: string, stream: string, sequence: number): Promise<void> {
    const feed = this.#parts.feed(id);
    if (feed === undefined) return;
    const now = this.#parts.clock();
    const figures = new GamingDayTotals(feed.table.setting.profile, now);
    await figures.load(this.#parts.store, stream, sequence, now);
    this.#figures.set(id, figures);
  }

  #view(): FloorView {
    const now = this.#parts.clock();
    const rows: Row[] = [];
    const waiting: WorkItem[] = [];
    let [voids, corrected, since] = [0, 0, now];
    for (const id of this.#floor.tables.keys()) {
      const feed = this.#parts.feed(id);
      if (feed === undefined) {
        rows.push(this.#closed(id));
        waiting.push(notOpen(id, this.#began));
        continue;
      }
      const figures = (this.#figures.get(id) ?? new GamingDayTotals(feed.table.setting.profile, now)).at(now);
      rows.push(this.#row(feed, now, figures));
      waiting.push(...waitsAt(feed.table, { at: now, trouble: feed.trouble }));
      voids += figures.voids;
      corrected += figures.corrected;
      since = Math.min(since, figures.since);
    }
    waiting.push(...this.#handPays());
    return {
      tables: rows,
      waiting: waiting.toSorted(byUrgency),
      since,
      voids,
      corrected,
      signed: this.#parts.signed(),
    };
  }

  #row(feed: TablePublisher, at: number, figures: ReturnType<GamingDayTotals['at']>): Row {
    const { dealerAt, isAway, seatedAt } = this.#parts;
    const { table, id, trouble } = feed;
    // Whoever has left after the round is not missed at it.
    const staked = table.phase === 'idle' ? [] : Object.keys(table.round?.slips ?? {});
    const offline = staked.filter((session) => isAway(terminalOfSession(session))).length;
    return floorRow(table, {
      at,
      trouble,
      terminals: seatedAt(id),
      offline,
      figures,
      dealer: dealerAt(id),
    });
  }

  #closed(id: string): Row {
    const setting = parseSettings(this.#parts.settings.get(id) ?? {}, this.#parts.clock());
    const dealer = this.#parts.dealerAt(id);
    if (isRefused(setting)) return closedRow(id, { name: id, version: '' }, { bets: 'terminals', dealer });
    const { game } = resolveSettings(setting);
    return closedRow(id, { name: game.name, version: fullNameOf(game) }, { bets: setting.bets, dealer });
  }

  /** Terminals that are locked until what they hold is paid by hand. */
  *#handPays(): Generator<WorkItem> {
    const { terminals } = this.#floor;
    for (const terminal of terminals.names) {
      const owed = terminals.owedAt(terminal);
      if (owed === 0) continue;
      const says = { code: 'hand-pay', with: { terminal, amount: String(owed) }, by: 'HOUSE 2' };
      const item = { table: null, what: 'hand-pay', says, by: 'HOUSE 2' } as const;
      const proposal = terminals.proposedAt(terminal);
      if (proposal !== null) {
        const { since, expires, hash } = proposal;
        yield { ...item, who: 'pit-manager', since, expires, hash };
        continue;
      }
      const isSigned = unpaidHandPays({ signed: terminals.signedAt(terminal) }) >= owed;
      const since = terminals.movedAt(terminal) ?? this.#began;
      yield { ...item, who: isSigned ? 'cage' : 'supervisor', since };
    }
  }
}

const notOpen = (table: string, since: number): WorkItem => ({
  table,
  what: 'not-open',
  says: { code: 'not-open', with: {}, by: null },
  by: null,
  who: 'pit-manager',
  since,
});
