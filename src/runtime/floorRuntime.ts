import { type StoredPayload } from '../store/store.ts';
import { type Table } from '../table/state.ts';
import { terminalOfSession } from '../terminal/state.ts';
import { type CommandRefusal } from './stream/refusals.ts';
import { TicketService } from './terminals/ticketService.ts';
import { floorHeartbeatName } from './floor/heartbeats.ts';
import { FloorStream } from './floor/floorStream.ts';
import { secretBindingValueKinds } from './terminals/secretBindings.ts';
import { StaffService } from './staff/staffService.ts';
import { type BalanceCache } from './stream/balanceCache.ts';
import { type FirstAdministratorCredentials } from './staff/initialStaff.ts';
import { RemoteTerminalSeats } from './terminals/remoteTerminalSeats.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type SessionConnectionReport,
  type RefusedScan,
  type RemoteTerminalsPort,
  type TerminalSeat,
  type TerminalSeats,
} from './ports/clusterPort.ts';
import { TableRuntime, type PrerequisiteStreamsPort, type TableConfig } from './tables/tableRuntime.ts';
import { Terminals } from './terminals/terminals.ts';
import { type PropertyAndCurrency, type FloorDependencies } from './ports/runtimeDependencies.ts';

/**
 * Grace time after a stall of the process, in milliseconds: a disconnect in this time counts as caused by the stall.
 */
const excusedMs = 30_000;

const noRemoteTerminals = new RemoteTerminalSeats();

/** Runtime of a floor: all tables, terminals and staff of one property, in one process. */
export class FloorRuntime {
  readonly tables = new Map<string, TableRuntime>();
  readonly terminals: Terminals;
  readonly tickets: TicketService;
  readonly floorStream: FloorStream;
  readonly staff: StaffService;
  readonly owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  readonly #balances: BalanceCache;
  /**
   * Password of the first administrator; undefined unless this start has created that administrator. The password is
   * shown once and never stored.
   */
  firstPassword: FirstAdministratorCredentials | undefined;
  /**
   * Committed states of unlisted tables, which are in the event log but not in the property file. Patrons may have open
   * stakes at such a table.
   */
  readonly #unlisted: Table[] = [];
  readonly #connectedAt = new Map<string, number>();
  /** End of the last stall of the process; -Infinity if there was none. */
  #resumedAt = -Infinity;

  constructor(owner: PropertyAndCurrency, dependencies: FloorDependencies, balances: BalanceCache) {
    this.owner = owner;
    this.#dependencies = dependencies;
    this.#balances = balances;
    this.floorStream = new FloorStream(owner, balances, dependencies);
    this.staff = new StaffService(owner, balances, dependencies);
    this.terminals = new Terminals(
      owner,
      dependencies,
      balances,
      () => this.tableStates(),
      () => this.#readTablesToEnd(),
    );
    this.tickets = new TicketService(owner, dependencies, balances, this.terminals, this.floorStream);
  }

  addTable(config: TableConfig): TableRuntime {
    const { owner, floorStream, terminals } = this;
    const table = new TableRuntime(
      config,
      owner,
      this.#balances,
      this.#dependencies,
      floorStream,
      terminals,
      this.#prerequisiteStreams,
    );
    this.tables.set(table.id, table);
    return table;
  }

  addUnlisted(table: Table): void {
    this.#unlisted.push(table);
  }

  /** States of all opened tables, including unlisted tables. */
  *tableStates(): Iterable<Table> {
    yield* this.#unlisted;
    for (const { processor } of this.tables.values()) if (processor.state !== undefined) yield processor.state;
  }

  /**
   * Becomes leader of a table whose last heartbeat was at `since`. A table that was in a round reports an
   * interruption. Returns a refusal if the table cannot be opened.
   */
  async lead(table: string, since: number | undefined): Promise<CommandRefusal | undefined> {
    // The floor stream names the retired shoes, from which no card may be dealt.
    await this.floorStream.readToEnd();
    return this.tables.get(table)!.lead(since);
  }

  /** Stops leading a table. Queued commands of terminals and staff are forwarded to the next leader. */
  follow(table: string): Promise<void> {
    return this.tables.get(table)!.follow();
  }

  isLeading(table: string): boolean {
    return this.tables.get(table)!.isLeader;
  }

  /**
   * True when the table can be handed over: when it is between rounds and all its settlements are posted. If the
   * hand-over is overdue (`isLate`), it is enough that the command queue of the table is empty.
   */
  mayHandOver(table: string, isLate: boolean): boolean {
    return this.tables.get(table)!.mayHandOver(isLate);
  }

  /** Executes a command that another node forwarded. Resolves to 'moved' if this node does not lead the table. */
  async execute(stream: string, command: ForwardedCommand): Promise<ForwardResult | 'moved'> {
    return (await this.#tableOf(stream)?.execute(command)) ?? 'moved';
  }

  connectionReported(stream: string, node: string, report: SessionConnectionReport): void {
    this.#tableOf(stream)?.connections.connectionReported(node, report);
  }

  /** Reads the streams in `heads` up to their sequences. Streams of unlisted tables are ignored. */
  async readUpTo(heads: ReadonlyMap<string, number>): Promise<void> {
    await Promise.all([...heads].map(([stream, sequence]) => this.#readStreamUpTo(stream, sequence)));
  }

  async #readStreamUpTo(stream: string, sequence: number): Promise<void> {
    const { staff, floorStream, terminals } = this;
    if (stream === staff.stream) await staff.readUpTo(sequence);
    else if (stream === floorStream.stream) await floorStream.readUpTo(sequence);
    else if (stream.startsWith(this.#terminalPrefix))
      await terminals.readUpTo(stream.slice(this.#terminalPrefix.length), sequence);
    else await this.#tableOf(stream)?.processor.untilPublished(sequence);
  }

  streamsInMemory(): readonly string[] {
    const tables = [...this.tables.values()].map(({ stream }) => stream);
    return [...tables, this.staff.stream, this.floorStream.stream, ...this.terminals.processors.streams];
  }

  #tableOf(stream: string): TableRuntime | undefined {
    const prefix = `${this.owner.property}/table/`;
    return stream.startsWith(prefix) ? this.tables.get(stream.slice(prefix.length)) : undefined;
  }

  get #terminalPrefix(): string {
    return `${this.owner.property}/terminal/`;
  }

  /**
   * Other streams that table commands depend on. A slip depends on the session limits of its terminal, a staff command
   * on the role of its actor.
   */
  get #prerequisiteStreams(): PrerequisiteStreamsPort {
    const { staff, terminals } = this;
    return {
      readPositions: async ({ actor }: StoredPayload) => ({
        ...(typeof actor['terminal'] === 'string' &&
          (await terminals.processors.readPositions(terminalOfSession(actor['terminal'])))),
        ...('person' in actor && { [staff.stream]: staff.sequence }),
      }),
      readUpTo: async (positions) => {
        await this.readUpTo(new Map(Object.entries(positions)));
      },
    };
  }

  /**
   * Reads the streams of followed tables to their end. Tables that this node leads are not read, because they have no
   * other writer.
   */
  async #readTablesToEnd(): Promise<void> {
    const { store } = this.#dependencies;
    const followed = [...this.tables.values()].filter(({ isLeader }) => !isLeader);
    const heads = new Map<string, number>();
    if (store.readMany) {
      const positions = followed.map(({ stream, processor }) => ({ stream, sequence: processor.sequence + 1 }));
      for await (const entries of store.readMany(positions, 1)) {
        for (const { stream, sequence } of entries) heads.set(stream, sequence);
      }
    } else {
      const all = await store.heads();
      for (const { stream } of followed) heads.set(stream, all.get(stream)?.sequence ?? 0);
    }
    await this.readUpTo(heads);
  }

  /**
   * Stops play: opens no new round. Rounds whose bets are closed go on until they end or need staff. A round with open
   * bets stays in the event log as it is. `isLast` means that no other node stays, so the close of the floor is
   * recorded.
   */
  async drain(isLast = true): Promise<void> {
    await Promise.all([...this.tables.values()].map((table) => table.drain()));
    await this.recordHeartbeats();
    this.staff.close();
    if (isLast) await this.floorStream.close();
  }

  /** Stops all reading and writing, so that the store can be closed. Resolves when the current batches are done. */
  async stop(): Promise<void> {
    const ends = [...this.tables.values(), this.staff, this.floorStream, this.terminals.processors];
    await Promise.all(ends.map((one) => one.stop()));
  }

  /**
   * Call when a terminal has lost its last connection. `table` is the table of its seat; undefined if it had no seat
   * or the patron closed the page.
   */
  terminalDisconnected(terminal: string, table: string | undefined): void {
    const { terminals } = this;
    const session = terminals.session(terminal);
    // A terminal that never had credit has no stakes, so its disconnect is not reported.
    if (session === undefined || terminals.isNew(terminal) || this.#isExcused(terminal)) return;
    for (const one of this.tables.values()) one.connections.sessionDisconnected(session, one.id === table);
  }

  /** Call when a terminal has connected. `table` is the table of its seat; undefined if it has no seat. */
  terminalConnected(terminal: string, table?: string): void {
    this.#connectedAt.set(terminal, this.#dependencies.clock());
    const session = this.terminals.session(terminal);
    if (session !== undefined)
      for (const one of this.tables.values()) one.connections.sessionConnected(session, one.id === table);
  }

  get remoteTerminals(): RemoteTerminalsPort {
    return this.#dependencies.cluster?.remoteTerminals ?? noRemoteTerminals;
  }

  publishSeat(terminal: string, seat: TerminalSeat): void {
    this.#dependencies.cluster?.publishSeat(terminal, seat);
  }

  /** Notifies other nodes of a refused scan, because the dealer's console may be connected to another node. */
  publishRefusedScan(table: string, scan: RefusedScan): void {
    this.#dependencies.cluster?.publishRefusedScan(table, scan);
  }

  refusedScanReceived(table: string, scan: RefusedScan): void {
    this.#dependencies.onRefusedScan?.(table, scan);
  }

  /**
   * Call when another node has published the seats of its terminals. Terminals that are connected to that node no
   * longer count as disconnected at the tables that this node leads. [ETG 5.10]
   */
  seatsReceived(node: string, seats: TerminalSeats, tables: Iterable<string>): void {
    this.#reportConnections(node, seats, false);
    for (const table of tables) this.#dependencies.onSeatsChanged?.(table);
  }

  /**
   * Call when another node has disconnected. Its terminals count as disconnected at the tables that this node leads.
   * [ETG 5.10]
   */
  nodeLost(node: string, seats: TerminalSeats): void {
    this.#reportConnections(node, seats, true);
    for (const table of new Set(Object.values(seats)))
      if (typeof table === 'string') this.#dependencies.onSeatsChanged?.(table);
  }

  #reportConnections(node: string, seats: TerminalSeats, lost: boolean): void {
    const led = [...this.tables.values()].filter(({ isLeader }) => isLeader);
    for (const [terminal, seat] of Object.entries(seats)) {
      const session = seat === false ? undefined : this.terminals.session(terminal);
      if (session === undefined) continue;
      for (const table of led)
        table.connections.connectionReported(node, { session, seated: table.id === seat, disconnected: lost });
    }
  }

  get isClustered(): boolean {
    return this.#dependencies.cluster !== undefined;
  }

  /**
   * Call when another node has changed a value of the key-value table. If this node caches the value, the value is read
   * again.
   */
  async valueChanged(kind: string, id: string): Promise<void> {
    if (secretBindingValueKinds.includes(kind)) await this.terminals.refreshSecrets([id]);
    else await this.staff.valueChanged(kind, id);
  }

  /**
   * Call when the process has stalled from `since` until now. Attended tables in a round report an interruption if the
   * stall was too long. Disconnects that the stall caused are ignored. [ETG 5.9]
   */
  async processStalled(since: number): Promise<void> {
    this.#resumedAt = this.#dependencies.clock();
    for (const table of this.tables.values()) await table.processStalled(since);
  }

  /**
   * True if the disconnect counts as caused by a stall: the stall ended less than `excusedMs` ago, and the terminal
   * connected before the end of the stall.
   */
  #isExcused(terminal: string): boolean {
    const since = this.#connectedAt.get(terminal) ?? -Infinity;
    this.#connectedAt.delete(terminal);
    return since <= this.#resumedAt && this.#dependencies.clock() - this.#resumedAt < excusedMs;
  }

  /** Records heartbeats of the floor and of each table that has entries and can append. */
  async recordHeartbeats(): Promise<void> {
    // In a cluster heartbeats are recorded when leases are renewed.
    if (this.#dependencies.cluster) return;
    const alive = [...this.tables.values()].filter(({ processor }) => processor.canAppend && processor.sequence > 0);
    await this.#dependencies.store.recordHeartbeats(
      [floorHeartbeatName, ...alive.map(({ stream }) => stream)],
      this.#dependencies.clock(),
    );
  }
}
