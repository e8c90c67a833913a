import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { refuse } from '../../base/refusal.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessage, type ClientMessageOf } from '../../wire/messages.ts';
import { protocolVersion } from '../../wire/protocolVersion.ts';
import { type Tile } from '../../wire/tableView.ts';
import { type PatronConnection, seatedTable, sendAll } from '../socket/patronConnection.ts';
import { KeyedThrottle } from '../limits/throttle.ts';
import { LobbyPublisher } from './lobbyPublisher.ts';
import { maySend } from './messagePermissions.ts';
import { hashSecret } from './secretRotation.ts';
import { type PatronServices, type PatronServicesDependencies, createPatronServices } from './patronServices.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type TableDisplayInfo, TablePublisher, type PauseReason } from '../tables/tablePublisher.ts';
import {
  displayOnly,
  noTerminals,
  notEnrolled,
  notSeated,
  serverClosing,
  tooManySeats,
  unknownTable,
} from '../shared/refusals.ts';

/** Deltas that contain nothing but stakes are published at most this often. */
const totalsEveryMs = 500;

/** Entries that are read at start to restore repeatable slips. */
const recallLength = 2_000;

type PatronHubDependencies = PatronServicesDependencies & {
  readonly displayInfoOf: (table: string) => TableDisplayInfo;
  /** Called after a table view changed; without entries if the cause is not a stored event. */
  readonly onTableChange: (publisher: TablePublisher, entries: readonly StoredEntry[]) => void;
};

/** Hub of patrons, displays and devices: seats, message dispatch and views. Only committed state is published. */
export class PatronHub {
  readonly #dependencies: PatronHubDependencies;
  #floor: FloorRuntime | undefined;
  readonly #publishers = new Map<string, TablePublisher>();
  /** Entries of tables whose publisher is still being made. */
  readonly #unpublished = new Map<string, (readonly StoredEntry[])[]>();
  #isOpen = false;
  readonly #lobby: LobbyPublisher;
  readonly #byTable = new Map<string, Set<PatronConnection>>();
  readonly #byTerminal = new Map<string, Set<PatronConnection>>();
  /** Table of a terminal, at this node or another. */
  readonly tableOf = (terminal: string): string | null =>
    seatedTable(this.#byTerminal.get(terminal)) ?? this.#floor!.presence.tableOf(terminal);
  #services: PatronServices | undefined;
  readonly #throttle = new KeyedThrottle<TablePublisher>(totalsEveryMs, (publisher) => this.#publishTable(publisher));
  #isClosing = false;

  constructor(dependencies: PatronHubDependencies) {
    this.#dependencies = dependencies;
    this.#lobby = new LobbyPublisher(() => this.#tiles(), dependencies.metrics);
  }

  /** Called after all tables are loaded. */
  async open(floor: FloorRuntime): Promise<void> {
    this.#floor = floor;
    this.#services = createPatronServices(
      this.#dependencies,
      {
        isClosing: () => this.#isClosing,
        publishers: () => [...this.#publishers.values()],
        connectionsByTerminal: this.#byTerminal,
        bindPatron: (connection, secretHash) => this.#reclaim(connection, secretHash),
      },
      floor,
    );
    for (const table of floor.tables.values()) await this.#startPublishing(table);
    this.#isOpen = true;
  }

  /** Makes the publisher of an opened table. */
  async #startPublishing({ id, processor }: TableRuntime): Promise<void> {
    const { state, sequence } = processor.committed();
    if (state === undefined || this.#publishers.has(id)) return;
    const recent = (await processor.lastEntries(recallLength)).filter((entry) => entry.sequence <= sequence);
    if (this.#publishers.has(id)) return; // Another call made it during the read.
    const publisher = new TablePublisher({ table: state, sequence }, recent, this.#dependencies.displayInfoOf(id));
    publisher.setPaused(!processor.canAppend);
    this.#publishers.set(id, publisher);
    for (const connection of this.#watchers(id)) this.#sendTableView(connection, id);
    this.#dependencies.onTableChange(publisher, []);
    for (const entries of this.#unpublished.get(id) ?? []) this.#publishEntries(publisher, entries);
    this.#unpublished.delete(id);
  }

  /** Undefined before the table is opened. */
  publisher(table: string): TablePublisher | undefined {
    return this.#publishers.get(table);
  }

  /** True if a connection uses the terminal, at this node or another. */
  isConnected(terminal: string): boolean {
    return this.#byTerminal.has(terminal) || this.#floor!.presence.isPresent(terminal);
  }

  /** Number of terminals at a table, at all nodes. */
  terminalCountAt(table: string): number {
    const here = new Set([...(this.#byTable.get(table) ?? [])].flatMap(({ terminal }) => terminal ?? []));
    return here.size + this.#floor!.presence.seatedAt(table);
  }

  /** Refuses new bets; views are still published. */
  close(): void {
    this.#isClosing = true;
    this.#services?.money.close();
    this.#services?.bySecret.close();
    this.#throttle.close();
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
        () => this.#lobby.sendTilesToAll(),
        (error: unknown) => this.#dependencies.warn(`the view of ${id}`, error),
      );
    }
  }

  #publishEntries(publisher: TablePublisher, entries: readonly StoredEntry[]): void {
    const { sessions, isRoundChanged, isStakesOnly, isPaid, isReviewChanged } = publisher.add(entries);
    if (isStakesOnly) this.#throttle.schedule(publisher);
    else this.#publishTable(publisher);
    this.#dependencies.onTableChange(publisher, entries);
    for (const terminal of new Set([...sessions].map(terminalOfSession))) this.onCreditChange(terminal);
    if (!isStakesOnly) this.#services!.cardReaders.publishNextCard(publisher.id, () => publisher.nextCard);
    if (isPaid) this.#services!.money.onRoundPaid(publisher.id);
    if (isReviewChanged) this.#services!.money.publishAllBalances();
    if (isRoundChanged) for (const connection of this.#watchers(publisher.id)) this.#sendTerminalView(connection);
  }

  onCreditChange(terminal: string): void {
    for (const connection of this.#byTerminal.get(terminal) ?? []) this.#sendTerminalView(connection);
    this.#services?.money.onCreditChange(terminal);
  }

  onTableCrashed(id: string): void {
    const publisher = this.#publishers.get(id);
    if (publisher === undefined) return;
    publisher.markBroken();
    this.#publishTable(publisher);
    this.#dependencies.onTableChange(publisher, []);
  }

  setTablePaused(id: string, isPaused: boolean, by?: PauseReason): void {
    const publisher = this.#publishers.get(id);
    if (publisher === undefined) return;
    publisher.setPaused(isPaused, by);
    this.#publishTable(publisher);
    this.#dependencies.onTableChange(publisher, []);
  }

  /** Another node bound or revoked a secret. */
  onSecretRebound(secretHash: string): void {
    this.#services?.bySecret.onRebound(secretHash);
  }

  onClose(connection: PatronConnection): void {
    this.#lobby.unsubscribe(connection);
    this.#services?.bySecret.remove(connection);
    this.#leaveTable(connection);
    if (connection.deviceKind === 'shoe') this.#services!.cardReaders.remove(connection);
    if (connection.terminal === undefined) return;
    if (connection.deviceKind !== 'terminal') {
      this.#services!.money.onDeviceClosed(connection);
      return;
    }
    const others = this.#byTerminal.get(connection.terminal);
    others?.delete(connection);
    if (others?.size !== 0) return;
    this.#byTerminal.delete(connection.terminal);
    this.#floor!.publishSeat(connection.terminal, false);
    // A normally closed page has left the table; stakes stay. Otherwise the link was lost.
    if (!this.#isClosing)
      this.#floor!.terminalDisconnected(
        connection.terminal,
        connection.isClosedNormally ? undefined : connection.table,
      );
    this.#services!.seats.vacate(connection.terminal);
  }

  async onMessage(connection: PatronConnection, message: ClientMessage, arrivedAt: number): Promise<void> {
    if (!maySend[connection.deviceKind](message.type)) {
      connection.refuse(notEnrolled, 'id' in message ? message.id : null);
      return undefined;
    }
    switch (message.type) {
      case 'hello':
        return this.#hello(connection, message);
      case 'sit':
        return this.#sit(connection, message);
      case 'watch':
        return this.#watch(connection, message);
      case 'watch-lobby':
        return this.#setLobbySubscription(connection, message);
      case 'leave':
        return this.#move(connection, undefined);
      case 'slip':
        return this.#slip(connection, message, arrivedAt);
      case 'renew':
        return this.#services!.secrets.renew(connection, message);
      case 'recall':
        return this.#services!.recall.answer(connection, message);
      case 'limit':
        return this.#services!.sessionLimits.limit(connection, message);
      case 'pause':
        return this.#services!.sessionLimits.pause(connection, message);
      case 'load':
      case 'redeem':
      case 'collect':
        return void this.#services!.money.answer(connection, message);
      case 'scan':
        return this.#services!.cardReaders.scan(connection, message, arrivedAt);
      case 'whole':
        if (message.of === 'lobby') this.#lobby.sendTiles(connection);
        else if (message.of === 'balance') this.#services!.money.publishBalance(connection.terminal ?? '', connection);
        else if (connection.table !== undefined) {
          if (message.of === 'table') this.#sendTableView(connection, connection.table);
          else this.#sendTerminalView(connection, true);
        }
        return undefined;
    }
  }

  async #hello(connection: PatronConnection, { secret }: ClientMessageOf<'hello'>): Promise<void> {
    if (connection.isWelcomed) {
      connection.refuse(refuse<'bad-request'>('bad-request', 'You have said hello already; open another connection.'));
      return;
    }
    if (secret !== undefined && !(await this.#services!.bySecret.bind(connection, hashSecret(secret)))) return;
    connection.isWelcomed = true;
    connection.send({
      type: 'welcome',
      v: protocolVersion,
      at: this.#dependencies.clock(),
      terminal: connection.terminal ?? null,
      demo: this.#dependencies.demoCredit !== null,
    });
    this.#services!.cardReaders.add(connection);
    const { terminal } = connection;
    if (secret === undefined || connection.deviceKind !== 'terminal') return;
    this.#move(connection, undefined);
    if (terminal === undefined) return;
    if (!(await this.#services!.bySecret.waitForRead(connection, this.#floor!.terminals.refresh(terminal)))) return;
    if (!connection.isClosed) this.#floor!.terminalConnected(terminal);
    this.#services!.money.publishBalance(terminal, connection);
  }

  /** A display may subscribe before its table is opened. */
  #watch(connection: PatronConnection, { table }: ClientMessageOf<'watch'>): void {
    if (this.#floor!.tables.has(table)) this.#move(connection, table);
    else connection.refuse(unknownTable(table));
  }

  async #sit(connection: PatronConnection, { table }: ClientMessageOf<'sit'>): Promise<void> {
    if (!this.#publishers.has(table)) {
      connection.refuse(unknownTable(table));
      return;
    }
    if (this.#publishers.get(table)!.tile.bets === 'chips') {
      connection.refuse(noTerminals(table));
      return;
    }
    if (connection.secretHash === undefined) {
      connection.refuse(displayOnly);
      return;
    }
    const { terminals } = this.#floor!;
    if (
      connection.terminal === undefined &&
      (await this.#services!.bySecret.refresh(connection, connection.secretHash))
    )
      return;
    const terminal = connection.terminal ?? this.#reserveSeat(connection);
    if (terminal === undefined) return;
    const isRead =
      terminals.session(terminal) !== undefined ||
      (await this.#services!.bySecret.waitForRead(connection, terminals.open(terminal)));
    if (!isRead || connection.isClosed) return;
    this.#floor!.terminalConnected(terminal, table);
    this.#move(connection, table);
    this.#services!.money.publishBalance(terminal);
  }

  #reserveSeat(connection: PatronConnection): string | undefined {
    // With real money only enrolled terminals may sit down.
    const refusal = this.#isClosing ? serverClosing : this.#dependencies.demoCredit === null ? notEnrolled : undefined;
    if (refusal) {
      connection.refuse(refusal);
      return undefined;
    }
    const hash = connection.secretHash!;
    const reclaimed = this.#reclaim(connection, hash);
    if (reclaimed !== undefined) return reclaimed;
    const terminal = this.#services!.seats.reserve(hash, connection.address);
    if (terminal === undefined) connection.refuse(tooManySeats);
    else this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #slip(connection: PatronConnection, message: ClientMessageOf<'slip'>, arrivedAt: number): void {
    const table = this.#floor!.tables.get(message.table);
    if (connection.terminal === undefined) {
      connection.refuse(notSeated, message.id);
    } else if (table === undefined || !this.#publishers.has(message.table)) {
      connection.refuse(unknownTable(message.table), message.id);
    } else this.#services!.slips.enqueue(connection, message, table, arrivedAt);
  }

  #reclaim(connection: PatronConnection, secretHash: string): string | undefined {
    const terminal = this.#services!.seats.reclaim(secretHash);
    if (terminal !== undefined) this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #bindTerminal(connection: PatronConnection, terminal: string): void {
    connection.terminal = terminal;
    const others = this.#byTerminal.get(terminal);
    if (others) others.add(connection);
    else this.#byTerminal.set(terminal, new Set([connection]));
  }

  /** Moves a connection to a table or to the lobby and sends the full views. */
  #move(connection: PatronConnection, table: string | undefined): void {
    this.#leaveTable(connection);
    connection.table = table;
    connection.lastTerminalView = '';
    const { terminal } = connection;
    if (terminal !== undefined) this.#floor!.publishSeat(terminal, seatedTable(this.#byTerminal.get(terminal)));
    if (table === undefined) return this.#lobby.subscribe(connection);
    if (!connection.subscribesToLobby) this.#lobby.unsubscribe(connection);
    this.#watchers(table).add(connection);
    this.onSeatsChanged(table);
    this.#sendTableView(connection, table);
    this.#sendTerminalView(connection);
  }

  #sendTableView(connection: PatronConnection, table: string): void {
    const publisher = this.#publishers.get(table);
    if (publisher)
      this.#dependencies.metrics.viewBuilt('table', 'whole', sendAll([connection], publisher.fullMessage()));
  }

  /** Connections in the lobby are always subscribed. */
  #setLobbySubscription(connection: PatronConnection, { wanted }: ClientMessageOf<'watch-lobby'>): void {
    connection.subscribesToLobby = wanted;
    if (connection.table === undefined) return;
    if (wanted) this.#lobby.subscribe(connection);
    else this.#lobby.unsubscribe(connection);
  }

  #leaveTable(connection: PatronConnection): void {
    const { table } = connection;
    if (table === undefined) return;
    this.#watchers(table).delete(connection);
    this.onSeatsChanged(table);
  }

  /** The new count is published with the next delta of the table. */
  onSeatsChanged(table: string): void {
    const publisher = this.#publishers.get(table);
    if (publisher === undefined) return;
    publisher.setPatronCount(this.terminalCountAt(table));
    this.#throttle.schedule(publisher);
  }

  #watchers(table: string): Set<PatronConnection> {
    let watchers = this.#byTable.get(table);
    if (watchers === undefined) this.#byTable.set(table, (watchers = new Set()));
    return watchers;
  }

  #publishTable(publisher: TablePublisher): void {
    const deltaMessage = publisher.takeDelta();
    if (deltaMessage !== undefined)
      this.#dependencies.metrics.viewBuilt('table', 'change', sendAll(this.#watchers(publisher.id), deltaMessage));
    const tileDelta = publisher.takeTileDelta();
    if (tileDelta !== undefined) this.#lobby.publishTile(publisher.id, tileDelta);
  }

  #tiles(): readonly Tile[] {
    return [...this.#floor!.tables.keys()].flatMap((id) => this.#publishers.get(id)?.tile ?? []);
  }

  #sendTerminalView(connection: PatronConnection, force = false): void {
    const { terminal, table } = connection;
    if (terminal === undefined || table === undefined) return;
    const { terminals } = this.#floor!;
    const session = terminals.session(terminal);
    if (session === undefined) return;
    // Demo credit is not stored before the first bet.
    const credit = terminals.isNew(terminal) ? (this.#dependencies.demoCredit ?? 0) : terminals.creditOf(terminal);
    const bytes = connection.sendTerminalView(
      table,
      this.#publishers.get(table)!.terminalTableView(terminal, session, credit),
      force,
    );
    if (bytes !== undefined) this.#dependencies.metrics.viewBuilt('own', 'whole', bytes);
  }
}
