import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { refuse } from '../../base/refusal.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessage, type ClientMessageOf } from '../../wire/messages.ts';
import { protocolVersion } from '../../wire/protocolVersion.ts';
import { type Tile } from '../../wire/tableView.ts';
import { type ClientConnection, seatedTable, sendToAll } from '../socket/clientConnection.ts';
import { KeyedThrottle } from '../limits/throttle.ts';
import { LobbyPublisher } from './lobbyPublisher.ts';
import { messagePermissions } from './messagePermissions.ts';
import { hashSecret } from './secretRotation.ts';
import { type PatronServices, type PatronServicesDependencies, createPatronServices } from './patronServices.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type TableDisplayInfo, TablePublisher, type PauseReason } from '../tables/tablePublisher.ts';
import {
  displayOnlyRefusal,
  chipsOnlyRefusal,
  notEnrolledRefusal,
  notSeatedRefusal,
  serverClosingRefusal,
  tooManySeatsRefusal,
  unknownTableRefusal,
} from '../shared/refusals.ts';

/** Minimum interval between deltas of a table that contain only stakes, in milliseconds. */
const totalsEveryMs = 500;

/** Number of last entries of a table that are read at the start, to restore repeatable slips. */
const recallLength = 2_000;

type PatronHubDependencies = PatronServicesDependencies & {
  readonly displayInfoOf: (table: string) => TableDisplayInfo;
  /** Called after the view of a table has changed; `entries` is empty if no stored event is the cause. */
  readonly onTableChange: (publisher: TablePublisher, entries: readonly StoredEntry[]) => void;
};

/**
 * Hub of patrons, displays and devices: it manages seats, dispatches messages, and publishes views of committed state.
 */
export class PatronHub {
  readonly #dependencies: PatronHubDependencies;
  #floor: FloorRuntime | undefined;
  readonly #publishers = new Map<string, TablePublisher>();
  /** Entries that arrived while the publisher of their table is being created. */
  readonly #unpublished = new Map<string, (readonly StoredEntry[])[]>();
  #isOpen = false;
  readonly #lobby: LobbyPublisher;
  readonly #byTable = new Map<string, Set<ClientConnection>>();
  readonly #byTerminal = new Map<string, Set<ClientConnection>>();
  /** The table at which a terminal is seated, at any node; null if it is not seated. */
  readonly tableOf = (terminal: string): string | null =>
    seatedTable(this.#byTerminal.get(terminal)) ?? this.#floor!.remoteTerminals.tableOf(terminal);
  #services: PatronServices | undefined;
  readonly #throttle = new KeyedThrottle<TablePublisher>(totalsEveryMs, (publisher) => this.#publishTable(publisher));
  #isClosing = false;

  constructor(dependencies: PatronHubDependencies) {
    this.#dependencies = dependencies;
    this.#lobby = new LobbyPublisher(() => this.#tiles(), dependencies.metrics);
  }

  /** Call after all tables are loaded. */
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

  /** Creates the publisher of a table that is open. */
  async #startPublishing({ id, processor }: TableRuntime): Promise<void> {
    const { state, sequence } = processor.committed();
    if (state === undefined || this.#publishers.has(id)) return;
    const recent = (await processor.lastEntries(recallLength)).filter((entry) => entry.sequence <= sequence);
    if (this.#publishers.has(id)) return; // Another call has created the publisher during the read.
    const publisher = new TablePublisher({ table: state, sequence }, recent, this.#dependencies.displayInfoOf(id));
    publisher.setPaused(!processor.canAppend);
    this.#publishers.set(id, publisher);
    for (const connection of this.#watchers(id)) this.#sendTableView(connection, id);
    this.#dependencies.onTableChange(publisher, []);
    for (const entries of this.#unpublished.get(id) ?? []) this.#publishEntries(publisher, entries);
    this.#unpublished.delete(id);
  }

  /** The publisher of a table; undefined until the table is opened. */
  publisher(table: string): TablePublisher | undefined {
    return this.#publishers.get(table);
  }

  /** True if the terminal is connected, to this node or to another. */
  isConnected(terminal: string): boolean {
    return this.#byTerminal.has(terminal) || this.#floor!.remoteTerminals.isPresent(terminal);
  }

  /** Number of terminals that are seated at a table, at all nodes. */
  terminalCountAt(table: string): number {
    const here = new Set([...(this.#byTable.get(table) ?? [])].flatMap(({ terminal }) => terminal ?? []));
    return here.size + this.#floor!.remoteTerminals.seatedAt(table);
  }

  /** Refuses new bets and other commands from now on; views are still published. */
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
    // The table was just opened, so it gets a publisher and appears in the lobby.
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

  /** Call when another node has bound or revoked a secret. */
  onSecretRebound(secretHash: string): void {
    this.#services?.bySecret.onRebound(secretHash);
  }

  onClose(connection: ClientConnection): void {
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
    // The patron who closes the page leaves the table, and stakes stay. Otherwise the connection was lost.
    if (!this.#isClosing)
      this.#floor!.terminalDisconnected(
        connection.terminal,
        connection.isClosedNormally ? undefined : connection.table,
      );
    this.#services!.seats.vacate(connection.terminal);
  }

  async onMessage(connection: ClientConnection, message: ClientMessage, arrivedAt: number): Promise<void> {
    if (!messagePermissions[connection.deviceKind](message.type)) {
      connection.refuse(notEnrolledRefusal, 'id' in message ? message.id : null);
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

  async #hello(connection: ClientConnection, { secret }: ClientMessageOf<'hello'>): Promise<void> {
    if (connection.isWelcomed) {
      connection.refuse(refuse<'bad-request'>('bad-request', 'Hello was sent already. Open another connection.'));
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

  /** Subscribes a display to a table, which need not be open yet. */
  #watch(connection: ClientConnection, { table }: ClientMessageOf<'watch'>): void {
    if (this.#floor!.tables.has(table)) this.#move(connection, table);
    else connection.refuse(unknownTableRefusal(table));
  }

  async #sit(connection: ClientConnection, { table }: ClientMessageOf<'sit'>): Promise<void> {
    if (!this.#publishers.has(table)) {
      connection.refuse(unknownTableRefusal(table));
      return;
    }
    if (this.#publishers.get(table)!.tile.bets === 'chips') {
      connection.refuse(chipsOnlyRefusal(table));
      return;
    }
    if (connection.secretHash === undefined) {
      connection.refuse(displayOnlyRefusal);
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

  #reserveSeat(connection: ClientConnection): string | undefined {
    // Where money is real, only enrolled terminals may take a seat.
    const refusal = this.#isClosing
      ? serverClosingRefusal
      : this.#dependencies.demoCredit === null
        ? notEnrolledRefusal
        : undefined;
    if (refusal) {
      connection.refuse(refusal);
      return undefined;
    }
    const hash = connection.secretHash!;
    const reclaimed = this.#reclaim(connection, hash);
    if (reclaimed !== undefined) return reclaimed;
    const terminal = this.#services!.seats.reserve(hash, connection.address);
    if (terminal === undefined) connection.refuse(tooManySeatsRefusal);
    else this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #slip(connection: ClientConnection, message: ClientMessageOf<'slip'>, arrivedAt: number): void {
    const table = this.#floor!.tables.get(message.table);
    if (connection.terminal === undefined) {
      connection.refuse(notSeatedRefusal, message.id);
    } else if (table === undefined || !this.#publishers.has(message.table)) {
      connection.refuse(unknownTableRefusal(message.table), message.id);
    } else this.#services!.slips.enqueue(connection, message, table, arrivedAt);
  }

  #reclaim(connection: ClientConnection, secretHash: string): string | undefined {
    const terminal = this.#services!.seats.reclaim(secretHash);
    if (terminal !== undefined) this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #bindTerminal(connection: ClientConnection, terminal: string): void {
    connection.terminal = terminal;
    const others = this.#byTerminal.get(terminal);
    if (others) others.add(connection);
    else this.#byTerminal.set(terminal, new Set([connection]));
  }

  /** Moves a connection to a table or, if `table` is undefined, to the lobby, and sends the full views. */
  #move(connection: ClientConnection, table: string | undefined): void {
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

  #sendTableView(connection: ClientConnection, table: string): void {
    const publisher = this.#publishers.get(table);
    if (publisher)
      this.#dependencies.metrics.viewed('table', 'whole', sendToAll([connection], publisher.fullMessage()));
  }

  /** Starts or stops lobby updates of a connection at a table; a connection in the lobby always gets them. */
  #setLobbySubscription(connection: ClientConnection, { wanted }: ClientMessageOf<'watch-lobby'>): void {
    connection.subscribesToLobby = wanted;
    if (connection.table === undefined) return;
    if (wanted) this.#lobby.subscribe(connection);
    else this.#lobby.unsubscribe(connection);
  }

  #leaveTable(connection: ClientConnection): void {
    const { table } = connection;
    if (table === undefined) return;
    this.#watchers(table).delete(connection);
    this.onSeatsChanged(table);
  }

  /** Call when the number of patrons at a table has changed; it is published with the next delta of the tile. */
  onSeatsChanged(table: string): void {
    const publisher = this.#publishers.get(table);
    if (publisher === undefined) return;
    publisher.setPatronCount(this.terminalCountAt(table));
    this.#throttle.schedule(publisher);
  }

  #watchers(table: string): Set<ClientConnection> {
    let watchers = this.#byTable.get(table);
    if (watchers === undefined) this.#byTable.set(table, (watchers = new Set()));
    return watchers;
  }

  #publishTable(publisher: TablePublisher): void {
    const deltaMessage = publisher.takeDelta();
    if (deltaMessage !== undefined)
      this.#dependencies.metrics.viewed('table', 'change', sendToAll(this.#watchers(publisher.id), deltaMessage));
    const tileDelta = publisher.takeTileDelta();
    if (tileDelta !== undefined) this.#lobby.publishTile(publisher.id, tileDelta);
  }

  #tiles(): readonly Tile[] {
    return [...this.#floor!.tables.keys()].flatMap((id) => this.#publishers.get(id)?.tile ?? []);
  }

  #sendTerminalView(connection: ClientConnection, force = false): void {
    const { terminal, table } = connection;
    if (terminal === undefined || table === undefined) return;
    const { terminals } = this.#floor!;
    const session = terminals.session(terminal);
    if (session === undefined) return;
    // A new demo terminal shows its credit although that is not stored before the first bet.
    const credit = terminals.isNew(terminal) ? (this.#dependencies.demoCredit ?? 0) : terminals.creditOf(terminal);
    const bytes = connection.sendTerminalView(
      table,
      this.#publishers.get(table)!.terminalTableView(terminal, session, credit),
      force,
    );
    if (bytes !== undefined) this.#dependencies.metrics.viewed('own', 'whole', bytes);
  }
}
