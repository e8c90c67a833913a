import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { refuse } from '../../base/refusal.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { type Store, type StoredEntry } from '../../store/store.ts';
import { type ClientMessage, type ClientMessageOf } from '../../wire/messages.ts';
import { protocol } from '../../wire/protocolVersion.ts';
import { type Tile } from '../../wire/tableView.ts';
import { SessionLimitsHandler, type CareSetting } from '../money/sessionLimits.ts';
import { type Connection, seatOf, sendAll } from '../socket/patronConnection.ts';
import { TerminalMoney } from '../money/terminalMoney.ts';
import { ConnectionsBySecret } from './connectionsBySecret.ts';
import { KeyedThrottle } from '../limits/throttle.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { LobbyPublisher } from './lobbyPublisher.ts';
import { Recalls } from './roundRecall.ts';
import { maySay } from './messagePermissions.ts';
import { noTerminals, notSeated, onlyWatches, tooManySeats, unknownTable } from '../shared/refusals.ts';
import { Seats } from './seatReservations.ts';
import { SecretRotation, hashSecret } from './secretRotation.ts';
import { notEnrolled } from '../money/creditTransferHandler.ts';
import { type CardReaderPort, CardReaders } from './cardReaders.ts';
import { SlipQueue, closing } from '../tables/slipQueue.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type TableDisplayInfo, TablePublisher, type Halting } from '../tables/tablePublisher.ts';
import { type Scheduler } from '../operations/serverClock.ts';

/** What stakes of others do to a table's public view is shown at most this often, in milliseconds. */
const totalsEvery = 500;

/** So many entries of a table are looked through at a start for what patrons may stake again. */
const recalled = 2_000;

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly gauges: Metrics;
  /** How often patrons are reminded, and words of help. */
  readonly care: CareSetting;
  /** What a new terminal of a demo begins with, in whole minor units; null where money is real. */
  readonly credit: number | null;
  /** What readers of cards say, and those who deal. */
  readonly scanner: ScanFormat;
  readonly pit: () => CardReaderPort;
  /** How a table looks, and when it opens. */
  readonly extra: (table: string) => TableDisplayInfo;
  /** What is told of a table has changed, by what was written or by nothing that is. */
  readonly moved: (feed: TablePublisher, entries: readonly StoredEntry[]) => void;
  readonly trouble: (what: string, error: unknown) => void;
};

/** Who sits where, and what each of them is told. Nothing is told that is not in the record. */
export class PatronHub {
  readonly #parts: Parts;
  #floor: FloorRuntime | undefined;
  readonly #feeds = new Map<string, TablePublisher>();
  /** What was written of tables that nobody is told of yet. */
  readonly #early = new Map<string, (readonly StoredEntry[])[]>();
  #isOpen = false;
  readonly #lobby: LobbyPublisher;
  readonly #atTable = new Map<string, Set<Connection>>();
  readonly #ofTerminal = new Map<string, Set<Connection>>();
  /** The table that a terminal sits at, be that here or at another node. */
  readonly tableOf = (terminal: string): string | null =>
    seatOf(this.#ofTerminal.get(terminal)) ?? this.#floor!.presence.tableOf(terminal);
  #seats: Seats | undefined;
  #slips: SlipQueue | undefined;
  #secrets: SecretRotation | undefined;
  #known: ConnectionsBySecret | undefined;
  #care: SessionLimitsHandler | undefined;
  #recalls: Recalls | undefined;
  #counter: TerminalMoney | undefined;
  #shoes: CardReaders | undefined;
  readonly #later = new KeyedThrottle<TablePublisher>(totalsEvery, (feed) => this.#tellTable(feed));
  #closing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lobby = new LobbyPublisher(() => this.#tiles(), parts.gauges);
  }

  /** Begins once every table is back from its record. */
  async open(floor: FloorRuntime): Promise<void> {
    const { clock, limits } = this.#parts;
    this.#floor = floor;
    this.#seats = new Seats(floor.terminals, limits, clock);
    const isClosing = (): boolean => this.#closing;
    const slips = new SlipQueue({ ...this.#parts, isClosing }, floor);
    const at = this.#ofTerminal;
    this.#slips = slips;
    this.#known = new ConnectionsBySecret({
      ...this.#parts,
      floor,
      reader: (connection, table) => this.#shoes!.know(connection, table),
      device: (connection, device) => this.#counter!.know(connection, device),
      patron: (connection, secretHash) => this.#back(connection, secretHash),
    });
    this.#secrets = new SecretRotation({
      terminals: floor.terminals,
      known: this.#known,
      slips,
      isClosing,
      at: (terminal) => at.get(terminal) ?? new Set(),
    });
    this.#care = new SessionLimitsHandler({ ...this.#parts, terminals: floor.terminals, slips, isClosing });
    this.#recalls = new Recalls(this.#parts, floor);
    const feeds = (): readonly TablePublisher[] => [...this.#feeds.values()];
    this.#counter = new TerminalMoney({ ...this.#parts, isClosing, slips, feeds, at }, floor);
    this.#shoes = new CardReaders({ ...this.#parts, isClosing }, floor);
    for (const table of floor.tables.values()) await this.#begin(table);
    this.#isOpen = true;
  }

  /** Begins to tell of a table, once it has been opened. */
  async #begin({ id, runner }: TableRuntime): Promise<void> {
    const { state, sequence } = runner.stand();
    if (state === undefined || this.#feeds.has(id)) return;
    const recent = (await runner.last(recalled)).filter((entry) => entry.sequence <= sequence);
    if (this.#feeds.has(id)) return; // It was begun while that was read, and more has been told since.
    const feed = new TablePublisher({ table: state, sequence }, recent, this.#parts.extra(id));
    feed.halt(!runner.canRecord);
    this.#feeds.set(id, feed);
    for (const connection of this.#watchers(id)) this.#tellWhole(connection, id);
    this.#parts.moved(feed, []);
    for (const entries of this.#early.get(id) ?? []) this.#tell(feed, entries);
    this.#early.delete(id);
  }

  /** What is told of a table, once it has been opened. */
  feed(table: string): TablePublisher | undefined {
    return this.#feeds.get(table);
  }

  /** Whether anybody is at a terminal, be that here or at another node. */
  isThere(terminal: string): boolean {
    return this.#ofTerminal.has(terminal) || this.#floor!.presence.isThere(terminal);
  }

  /** How many terminals sit at a table or watch it. */
  seatedAt(table: string): number {
    const here = new Set([...(this.#atTable.get(table) ?? [])].flatMap(({ terminal }) => terminal ?? []));
    return here.size + this.#floor!.presence.seatedAt(table);
  }

  /** Takes no more bets, but goes on telling. */
  close(): void {
    this.#closing = true;
    this.#counter?.close();
    this.#known?.close();
    this.#later.close();
  }

  /** The record of a table has grown. */
  publish(table: TableRuntime, entries: readonly StoredEntry[]): void {
    const { id } = table;
    const feed = this.#feeds.get(id);
    if (feed) {
      this.#tell(feed, entries);
      return;
    }
    this.#early.set(id, [...(this.#early.get(id) ?? []), entries]);
    // Two persons have opened it: from now on it is in the lobby.
    if (this.#isOpen) {
      this.#begin(table).then(
        () => this.#lobby.tellAll(),
        (error: unknown) => this.#parts.trouble(`the view of ${id}`, error),
      );
    }
  }

  #tell(feed: TablePublisher, entries: readonly StoredEntry[]): void {
    const { holders, turned, stakesOnly, isPaid, isQuestioned } = feed.add(entries);
    if (stakesOnly) this.#later.due(feed);
    else this.#tellTable(feed);
    this.#parts.moved(feed, entries);
    for (const terminal of new Set([...holders].map(terminalOfSession))) this.credited(terminal);
    if (!stakesOnly) this.#shoes!.tell(feed.id, () => feed.due);
    if (isPaid) this.#counter!.paid(feed.id);
    if (isQuestioned) this.#counter!.tellAll();
    if (turned) for (const connection of this.#watchers(feed.id)) this.#tellOwn(connection);
  }

  /** Credit came to a terminal, or left it. */
  credited(terminal: string): void {
    for (const connection of this.#ofTerminal.get(terminal) ?? []) this.#tellOwn(connection);
    this.#counter?.credited(terminal);
  }

  /** A table cannot go on. */
  stopped(id: string): void {
    const feed = this.#feeds.get(id);
    if (feed === undefined) return;
    feed.stop();
    this.#tellTable(feed);
    this.#parts.moved(feed, []);
  }

  /** A table cannot record for the time being, or can again. */
  halted(id: string, isHalted: boolean, by?: Halting): void {
    const feed = this.#feeds.get(id);
    if (feed === undefined) return;
    feed.halt(isHalted, by);
    this.#tellTable(feed);
    this.#parts.moved(feed, []);
  }

  /** Another node has linked a secret, or killed it. */
  relinked(secretHash: string): void {
    this.#known?.relinked(secretHash);
  }

  left(connection: Connection): void {
    this.#lobby.leave(connection);
    this.#known?.left(connection);
    this.#getUp(connection);
    if (connection.role === 'shoe') this.#shoes!.left(connection);
    if (connection.terminal === undefined) return;
    if (connection.role !== 'terminal') {
      this.#counter!.left(connection);
      return;
    }
    const others = this.#ofTerminal.get(connection.terminal);
    others?.delete(connection);
    if (others?.size !== 0) return;
    this.#ofTerminal.delete(connection.terminal);
    this.#floor!.there(connection.terminal, false);
    // Whoever closes the page has left the table; what is at stake there is another matter.
    if (!this.#closing) this.#floor!.linkLost(connection.terminal, connection.hasLeft ? undefined : connection.table);
    this.#seats!.left(connection.terminal);
  }

  async asked(connection: Connection, said: ClientMessage, arrived: number): Promise<void> {
    if (!maySay[connection.role](said.type)) {
      connection.refuse(notEnrolled, 'id' in said ? said.id : null);
      return undefined;
    }
    switch (said.type) {
      case 'hello':
        return this.#hello(connection, said);
      case 'sit':
        return this.#sit(connection, said);
      case 'watch':
        return this.#watch(connection, said);
      case 'around':
        return this.#around(connection, said);
      case 'leave':
        return this.#move(connection, undefined);
      case 'slip':
        return this.#slip(connection, said, arrived);
      case 'renew':
        return this.#secrets!.renew(connection, said);
      case 'recall':
        return this.#recalls!.answer(connection, said);
      case 'limit':
        return this.#care!.limit(connection, said);
      case 'pause':
        return this.#care!.pause(connection, said);
      case 'load':
      case 'redeem':
      case 'collect':
        return void this.#counter!.answer(connection, said);
      case 'scan':
        return this.#shoes!.scan(connection, said, arrived);
      case 'whole':
        if (said.of === 'lobby') this.#lobby.tell(connection);
        else if (said.of === 'purse') this.#counter!.tell(connection.terminal ?? '', connection);
        else if (connection.table !== undefined) {
          if (said.of === 'table') this.#tellWhole(connection, connection.table);
          else this.#tellOwn(connection, true);
        }
        return undefined;
    }
  }

  async #hello(connection: Connection, { secret }: ClientMessageOf<'hello'>): Promise<void> {
    if (connection.isWelcome) {
      connection.refuse(refuse<'bad-request'>('bad-request', 'You have said hello already; open another connection.'));
      return;
    }
    if (secret !== undefined && !(await this.#known!.greet(connection, hashSecret(secret)))) return;
    connection.isWelcome = true;
    connection.tell({
      type: 'welcome',
      v: protocol,
      at: this.#parts.clock(),
      terminal: connection.terminal ?? null,
      demo: this.#parts.credit !== null,
    });
    this.#shoes!.come(connection);
    const { terminal } = connection;
    if (secret === undefined || connection.role !== 'terminal') return;
    this.#move(connection, undefined);
    if (terminal === undefined) return;
    if (!(await this.#known!.reads(connection, this.#floor!.terminals.fresh(terminal)))) return;
    if (!connection.gone) this.#floor!.linkBack(terminal);
    this.#counter!.tell(terminal, connection);
  }

  /** A screen over a table may be there before the table is opened. */
  #watch(connection: Connection, { table }: ClientMessageOf<'watch'>): void {
    if (this.#floor!.tables.has(table)) this.#move(connection, table);
    else connection.refuse(unknownTable(table));
  }

  async #sit(connection: Connection, { table }: ClientMessageOf<'sit'>): Promise<void> {
    if (!this.#feeds.has(table)) {
      connection.refuse(unknownTable(table));
      return;
    }
    if (this.#feeds.get(table)!.tile.bets === 'chips') {
      connection.refuse(noTerminals(table));
      return;
    }
    if (connection.secretHash === undefined) {
      connection.refuse(onlyWatches);
      return;
    }
    const { terminals } = this.#floor!;
    if (connection.terminal === undefined && (await this.#known!.ask(connection, connection.secretHash))) return;
    const terminal = connection.terminal ?? this.#newSeat(connection);
    if (terminal === undefined) return;
    const isRead =
      terminals.session(terminal) !== undefined || (await this.#known!.reads(connection, terminals.open(terminal)));
    if (!isRead || connection.gone) return;
    this.#floor!.linkBack(terminal, table);
    this.#move(connection, table);
    this.#counter!.tell(terminal);
  }

  /** A seat for a secret that leads to no terminal yet. */
  #newSeat(connection: Connection): string | undefined {
    // Where money is real nobody sits down who was not enrolled.
    const barred = this.#closing ? closing : this.#parts.credit === null ? notEnrolled : undefined;
    if (barred) {
      connection.refuse(barred);
      return undefined;
    }
    const hash = connection.secretHash!;
    const known = this.#back(connection, hash);
    if (known !== undefined) return known;
    const terminal = this.#seats!.take(hash, connection.address);
    if (terminal === undefined) connection.refuse(tooManySeats);
    else this.#know(connection, terminal);
    return terminal;
  }

  #slip(connection: Connection, said: ClientMessageOf<'slip'>, arrived: number): void {
    const table = this.#floor!.tables.get(said.table);
    if (connection.terminal === undefined) {
      connection.refuse(notSeated, said.id);
    } else if (table === undefined || !this.#feeds.has(said.table)) {
      connection.refuse(unknownTable(said.table), said.id);
    } else this.#slips!.take(connection, said, table, arrived);
  }

  /** A patron who has a terminal is there again. */
  #back(connection: Connection, secretHash: string): string | undefined {
    const terminal = this.#seats!.back(secretHash);
    if (terminal !== undefined) this.#know(connection, terminal);
    return terminal;
  }

  #know(connection: Connection, terminal: string): void {
    connection.terminal = terminal;
    const others = this.#ofTerminal.get(terminal);
    if (others) others.add(connection);
    else this.#ofTerminal.set(terminal, new Set([connection]));
  }

  /** To a table, or to the lobby; either way everything is told at once. */
  #move(connection: Connection, table: string | undefined): void {
    this.#getUp(connection);
    connection.table = table;
    connection.lastOwn = '';
    const { terminal } = connection;
    if (terminal !== undefined) this.#floor!.there(terminal, seatOf(this.#ofTerminal.get(terminal)));
    if (table === undefined) return this.#lobby.enter(connection);
    if (!connection.looksAround) this.#lobby.leave(connection);
    this.#watchers(table).add(connection);
    this.seated(table);
    this.#tellWhole(connection, table);
    this.#tellOwn(connection);
  }

  #tellWhole(connection: Connection, table: string): void {
    const feed = this.#feeds.get(table);
    if (feed) this.#parts.gauges.viewed('table', 'whole', sendAll([connection], feed.whole()));
  }

  /** Whoever is in the lobby is told of all tables anyway. */
  #around(connection: Connection, { wanted }: ClientMessageOf<'around'>): void {
    connection.looksAround = wanted;
    if (connection.table === undefined) return;
    if (wanted) this.#lobby.enter(connection);
    else this.#lobby.leave(connection);
  }

  /** From wherever it sits. */
  #getUp(connection: Connection): void {
    const { table } = connection;
    if (table === undefined) return;
    this.#watchers(table).delete(connection);
    this.seated(table);
  }

  /** Another number of patrons sits at a table; the lobby is told with what else changes there. */
  seated(table: string): void {
    const feed = this.#feeds.get(table);
    if (feed === undefined) return;
    feed.seat(this.seatedAt(table));
    this.#later.due(feed);
  }

  #watchers(table: string): Set<Connection> {
    let watchers = this.#atTable.get(table);
    if (watchers === undefined) this.#atTable.set(table, (watchers = new Set()));
    return watchers;
  }

  #tellTable(feed: TablePublisher): void {
    const text = feed.change();
    if (text !== undefined) this.#parts.gauges.viewed('table', 'change', sendAll(this.#watchers(feed.id), text));
    const change = feed.tileChange();
    if (change !== undefined) this.#lobby.changed(feed.id, change);
  }

  #tiles(): readonly Tile[] {
    return [...this.#floor!.tables.keys()].flatMap((id) => this.#feeds.get(id)?.tile ?? []);
  }

  #tellOwn(connection: Connection, again = false): void {
    const { terminal, table } = connection;
    if (terminal === undefined || table === undefined) return;
    const { terminals } = this.#floor!;
    const session = terminals.session(terminal);
    if (session === undefined) return;
    // Before the first bet of a demo nothing is written of its credit, but what it begins with is known.
    const credit = terminals.isNew(terminal) ? (this.#parts.credit ?? 0) : terminals.creditOf(terminal);
    const bytes = connection.tellOwn(table, this.#feeds.get(table)!.own(terminal, session, credit), again);
    if (bytes !== undefined) this.#parts.gauges.viewed('own', 'whole', bytes);
  }
}
