import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { refuse } from '../../base/refusal.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessage, type ClientMessageOf } from '../../wire/messages.ts';
import { protocolVersion } from '../../wire/protocolVersion.ts';
import { type DeviceConnection, seatedTableOf } from '../socket/deviceConnection.ts';
import { type TableChangeSummary, TableViewsPublisher } from './tableViewsPublisher.ts';
import { maySendByDeviceKind } from './messagePermissions.ts';
import { hashSecret } from './secretRotationHandler.ts';
import { type PatronServices, type PatronServicesDependencies, createPatronServices } from './patronServices.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type PublicViewOptions, type PublicViewBuilder } from '../tables/publicViewBuilder.ts';
import {
  displayCannotSitRefusal,
  chipsOnlyRefusal,
  notEnrolledRefusal,
  notSeatedRefusal,
  serverClosingRefusal,
  tooManyNewTerminalsRefusal,
  unknownTableRefusal,
} from '../refusals/serverRefusals.ts';

type PatronHubDependencies = PatronServicesDependencies & {
  readonly displayInfoOf: (table: string) => PublicViewOptions;
  /**
   * Called after the view of a table has changed. `entries` are the new entries; empty if the view has changed without
   * a new entry.
   */
  readonly onTableChange: (builder: PublicViewBuilder, entries: readonly StoredEntry[]) => void;
};

/** Requests that submit a command in the name of the sender's terminal. */
const terminalRequests: ReadonlySet<string> = new Set(['slip', 'load', 'redeem', 'collect', 'limit', 'pause']);

export class PatronHub {
  readonly #dependencies: PatronHubDependencies;
  #floor: FloorRuntime | undefined;
  readonly views: TableViewsPublisher;
  readonly #byTerminal = new Map<string, Set<DeviceConnection>>();
  /**
   * Gives the table at which a terminal is seated, also if the terminal is connected to another node; null if the
   * terminal is not seated.
   */
  readonly tableOf = (terminal: string): string | null =>
    seatedTableOf(this.#byTerminal.get(terminal)) ?? this.#floor!.remoteTerminals.tableOf(terminal);
  #services: PatronServices | undefined;
  #isClosing = false;

  constructor(dependencies: PatronHubDependencies) {
    this.#dependencies = dependencies;
    this.views = new TableViewsPublisher({
      ...dependencies,
      onChange: (builder, entries, change) => {
        dependencies.onTableChange(builder, entries);
        if (change) this.#onEntries(builder, change);
      },
    });
  }

  /** Call after all tables are loaded. */
  async open(floor: FloorRuntime): Promise<void> {
    this.#floor = floor;
    this.#services = createPatronServices(
      this.#dependencies,
      {
        isClosing: () => this.#isClosing,
        builders: () => this.views.builders(),
        connectionsByTerminal: this.#byTerminal,
        bindPatron: (connection, secretHash) => this.#reclaim(connection, secretHash),
      },
      floor,
    );
    await this.views.open(floor);
  }

  /** True if the terminal is connected, to this node or to another. */
  isConnected(terminal: string): boolean {
    return this.#byTerminal.has(terminal) || this.#floor!.remoteTerminals.isPresent(terminal);
  }

  /** Number of terminals that are seated at a table, on all nodes together. */
  terminalCountAt(table: string): number {
    const here = new Set([...this.views.subscribers(table)].flatMap(({ terminal }) => terminal ?? []));
    return here.size + this.#floor!.remoteTerminals.seatedAt(table);
  }

  /** From this call on, new bets and other commands are refused. Views are still published. */
  close(): void {
    this.#isClosing = true;
    this.#services?.money.close();
    this.#services?.bySecret.close();
    this.views.close();
  }

  #onEntries(
    builder: PublicViewBuilder,
    { sessions, isRoundChanged, isStakesOnly, isPaid, isReviewChanged }: TableChangeSummary,
  ): void {
    for (const terminal of new Set([...sessions].map(terminalOfSession))) this.onCreditChange(terminal);
    if (!isStakesOnly) this.#services!.cardReaders.publishNextCard(builder.id, () => builder.nextCard);
    if (isPaid) this.#services!.money.onRoundPaid(builder.id);
    if (isReviewChanged) this.#services!.money.publishAllBalances();
    if (isRoundChanged) for (const connection of this.views.subscribers(builder.id)) this.#sendTerminalView(connection);
  }

  onCreditChange(terminal: string): void {
    for (const connection of this.#byTerminal.get(terminal) ?? []) this.#sendTerminalView(connection);
    this.#services?.money.onCreditChange(terminal);
  }

  onSecretRebound(secretHash: string): void {
    this.#services?.bySecret.onRebound(secretHash);
  }

  onClose(connection: DeviceConnection): void {
    this.views.lobby.unsubscribe(connection);
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
    // A normal close means that the patron has left the page: the stakes stay, and it is no disconnect. Every other
    // close is a disconnect.
    if (!this.#isClosing)
      this.#floor!.terminalDisconnected(
        connection.terminal,
        connection.isClosedNormally ? undefined : connection.table,
      );
    this.#services!.seats.vacate(connection.terminal);
  }

  async onMessage(connection: DeviceConnection, message: ClientMessage, arrivedAt: number): Promise<void> {
    if (!maySendByDeviceKind[connection.deviceKind](message.type)) {
      connection.refuse(notEnrolledRefusal, 'id' in message ? message.id : null);
      return undefined;
    }
    const isUnseated = connection.terminal === undefined && terminalRequests.has(message.type);
    if (isUnseated && !(await this.#findTerminal(connection))) return undefined;
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
        if (message.of === 'lobby') this.views.lobby.sendTiles(connection);
        else if (message.of === 'balance') this.#services!.money.publishBalance(connection.terminal ?? '', connection);
        else if (connection.table !== undefined) {
          if (message.of === 'table') this.views.send(connection, connection.table);
          else this.#sendTerminalView(connection, true);
        }
        return undefined;
    }
  }

  async #hello(connection: DeviceConnection, { secret }: ClientMessageOf<'hello'>): Promise<void> {
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
    if (terminal !== undefined) await this.#loadTerminal(connection, terminal);
  }

  /**
   * Reads the stream of a terminal for a new connection, and sends the balance to the connection. Returns false if the
   * store did not answer.
   */
  async #loadTerminal(connection: DeviceConnection, terminal: string): Promise<boolean> {
    const { bySecret, money } = this.#services!;
    if (!(await bySecret.waitForRead(connection, this.#floor!.terminals.refresh(terminal)))) return false;
    if (!connection.isClosed) this.#floor!.terminalConnected(terminal);
    money.publishBalance(terminal, connection);
    return true;
  }

  /**
   * Finds the terminal of a connection that had no terminal when it opened. Since then another connection with the same
   * secret may have taken a seat, which created the terminal. Returns false if the store did not answer.
   */
  async #findTerminal(connection: DeviceConnection): Promise<boolean> {
    const { secretHash } = connection;
    if (secretHash === undefined) return true;
    if (await this.#services!.bySecret.refresh(connection, secretHash)) return false;
    const terminal = this.#reclaim(connection, secretHash);
    return terminal === undefined || this.#loadTerminal(connection, terminal);
  }

  /** Subscribes a connection to the view of a table. The table need not be open yet. */
  #watch(connection: DeviceConnection, { table }: ClientMessageOf<'watch'>): void {
    if (this.#floor!.tables.has(table)) this.#move(connection, table);
    else connection.refuse(unknownTableRefusal(table));
  }

  async #sit(connection: DeviceConnection, { table }: ClientMessageOf<'sit'>): Promise<void> {
    if (this.views.builder(table) === undefined) {
      connection.refuse(unknownTableRefusal(table));
      return;
    }
    if (this.views.builder(table)!.tile.bets === 'chips') {
      connection.refuse(chipsOnlyRefusal(table));
      return;
    }
    if (connection.secretHash === undefined) {
      connection.refuse(displayCannotSitRefusal);
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

  #reserveSeat(connection: DeviceConnection): string | undefined {
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
    if (terminal === undefined) connection.refuse(tooManyNewTerminalsRefusal);
    else this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #slip(connection: DeviceConnection, message: ClientMessageOf<'slip'>, arrivedAt: number): void {
    const table = this.#floor!.tables.get(message.table);
    if (connection.terminal === undefined) {
      connection.refuse(notSeatedRefusal, message.id);
    } else if (table === undefined) {
      connection.refuse(unknownTableRefusal(message.table), message.id);
    } else if (this.views.builder(message.table) === undefined) {
      // Another node may have opened the table and accepted this slip.
      this.#services!.slips.refuse(connection, message, table, arrivedAt, unknownTableRefusal(message.table));
    } else this.#services!.slips.enqueue(connection, message, table, arrivedAt);
  }

  #reclaim(connection: DeviceConnection, secretHash: string): string | undefined {
    const terminal = this.#services!.seats.reclaim(secretHash);
    if (terminal !== undefined) this.#bindTerminal(connection, terminal);
    return terminal;
  }

  #bindTerminal(connection: DeviceConnection, terminal: string): void {
    connection.terminal = terminal;
    const others = this.#byTerminal.get(terminal);
    if (others) others.add(connection);
    else this.#byTerminal.set(terminal, new Set([connection]));
  }

  /** Moves a connection to a table or, if `table` is undefined, to the lobby, and sends the full views. */
  #move(connection: DeviceConnection, table: string | undefined): void {
    this.#leaveTable(connection);
    connection.table = table;
    connection.lastTerminalView = '';
    const { terminal } = connection;
    if (terminal !== undefined) this.#floor!.publishSeat(terminal, seatedTableOf(this.#byTerminal.get(terminal)));
    if (table === undefined) return this.views.lobby.subscribe(connection);
    if (!connection.subscribesToLobby) this.views.lobby.unsubscribe(connection);
    this.views.subscribers(table).add(connection);
    this.onSeatsChanged(table);
    this.views.send(connection, table);
    this.#sendTerminalView(connection);
  }

  /**
   * Starts or stops lobby updates for a connection that is at a table. A connection in the lobby always gets these
   * updates.
   */
  #setLobbySubscription(connection: DeviceConnection, { wanted }: ClientMessageOf<'watch-lobby'>): void {
    connection.subscribesToLobby = wanted;
    if (connection.table === undefined) return;
    if (wanted) this.views.lobby.subscribe(connection);
    else this.views.lobby.unsubscribe(connection);
  }

  #leaveTable(connection: DeviceConnection): void {
    const { table } = connection;
    if (table === undefined) return;
    this.views.subscribers(table).delete(connection);
    this.onSeatsChanged(table);
  }

  onSeatsChanged(table: string): void {
    this.views.setPatronCount(table, this.terminalCountAt(table));
  }

  #sendTerminalView(connection: DeviceConnection, force = false): void {
    const { terminal, table } = connection;
    if (terminal === undefined || table === undefined) return;
    const { terminals } = this.#floor!;
    const session = terminals.session(terminal);
    if (session === undefined) return;
    // A new demo terminal shows demo credit, which is stored only with its first command.
    const credit = terminals.isNew(terminal) ? (this.#dependencies.demoCredit ?? 0) : terminals.creditOf(terminal);
    const bytes = connection.sendTerminalView(
      table,
      this.views.builder(table)!.terminalTableView(terminal, session, credit),
      force,
    );
    if (bytes !== undefined) this.#dependencies.metrics.viewBuilt('own', 'whole', bytes);
  }
}
