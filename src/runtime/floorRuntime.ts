import { type StoredRequest } from '../store/store.ts';
import { type Table } from '../table/state.ts';
import { terminalOfSession } from '../terminal/state.ts';
import { type CommandRefusal } from './stream/refusals.ts';
import { TicketService } from './terminals/tickets.ts';
import { floorHeartbeatName } from './ports/heartbeats.ts';
import { FloorStream } from './floor/floorStream.ts';
import { bindingValueKinds } from './terminals/secretBindings.ts';
import { StaffService } from './staff/staffService.ts';
import { type BalanceCache } from './stream/balanceCache.ts';
import { type FirstPassword } from './staff/initialStaff.ts';
import { type TerminalLocation, type TerminalLocations, RemoteTerminals } from './ports/remoteTerminals.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
} from './ports/clusterPort.ts';
import { TableRuntime, type FollowedStreams, type TableConfig } from './tables/tableRuntime.ts';
import { Terminals } from './terminals/terminals.ts';
import { type PropertyAndCurrency, type FloorDependencies } from './ports/runtimeDependencies.ts';

/** A disconnect within this time after the process stalled counts as caused by the stall, in milliseconds. */
const excusedMs = 30_000;

const noRemoteTerminals = new RemoteTerminals();

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
  /** Password of the first administrator if this start has created one. It is shown once and never stored. */
  firstPassword: FirstPassword | undefined;
  /** States of tables that the event log has and the property file lacks. Their open stakes still count. */
  readonly #unlisted: Table[] = [];
  /** Time at which each terminal connected. */
  readonly #connectedAt = new Map<string, number>();
  /** Time at which the process last resumed after a stall. */
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

  /** Adds a table of the property file. */
  addTable(config: TableConfig): TableRuntime {
    const { owner, floorStream, terminals } = this;
    const table = new TableRuntime(
      config,
      owner,
      this.#balances,
      this.#dependencies,
      floorStream,
      terminals,
      this.#followedStreams,
    );
    this.tables.set(table.id, table);
    return table;
  }

  /** Adds a table of the event log that is not in the property file. */
  addUnlisted(table: Table): void {
    this.#unlisted.push(table);
  }

  /** States of all opened tables, those that are not in the property file included. */
  *tableStates(): Iterable<Table> {
    yield* this.#unlisted;
    for (const { processor } of this.tables.values()) if (processor.state !== undefined) yield processor.state;
  }

  /**
   * Becomes leader of a table whose last heartbeat was at `since`: reads its stream, reports an interruption and
   * resumes play. Returns a refusal if the table cannot be opened.
   */
  async lead(table: string, since: number | undefined): Promise<CommandRefusal | undefined> {
    // The floor stream tells which shoes are retired; no card may be dealt from them.
    await this.floorStream.readToEnd();
    return this.tables.get(table)!.lead(since);
  }

  /** Stops leading a table; queued commands are forwarded to the next leader. */
  follow(table: string): Promise<void> {
    return this.tables.get(table)!.follow();
  }

  isLeading(table: string): boolean {
    return this.tables.get(table)!.isLeader;
  }

  /**
   * True if a table may be handed over: between rounds or, if that takes too long (`isLate`), when its queue is empty.
   */
  mayHandOver(table: string, isLate: boolean): boolean {
    return this.tables.get(table)!.mayHandOver(isLate);
  }

  /** Executes a command that another node forwarded; gives 'moved' if this node does not lead the table. */
  async execute(stream: string, command: ForwardedCommand): Promise<ForwardResult | 'moved'> {
    return (await this.#tableOf(stream)?.execute(command)) ?? 'moved';
  }

  /** Call when another node reports that a session has disconnected or reconnected. */
  connectionReported(stream: string, node: string, report: ConnectionReport): void {
    this.#tableOf(stream)?.connections.connectionReported(node, report);
  }

  /** Reads the streams that this process has in memory up to these heads. */
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

  /** Names of the streams whose state this process has in memory, as leader or follower. */
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
   * Streams on which commands depend: a slip on the session limits of its terminal, a staff command on the actor's
   * role.
   */
  get #followedStreams(): FollowedStreams {
    const { staff, terminals } = this;
    return {
      readPositions: async ({ actor }: StoredRequest) => ({
        ...(typeof actor['terminal'] === 'string' &&
          (await terminals.processors.readPositions(terminalOfSession(actor['terminal'])))),
        ...('person' in actor && { [staff.stream]: staff.sequence }),
      }),
      readUpTo: async (positions) => {
        await this.readUpTo(new Map(Object.entries(positions)));
      },
    };
  }

  /** Reads the streams of all tables to their end, except those of tables led here, which have no other writer. */
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
   * Stops play: no new round is opened, and rounds whose bets are closed are finished. Open bets stay in the event log.
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

  /** Call when a terminal has lost its last connection; `table` is where it was seated, undefined if it was not. */
  terminalDisconnected(terminal: string, table: string | undefined): void {
    const { terminals } = this;
    const session = terminals.session(terminal);
    // A terminal that never had credit has no stakes, so its disconnect is not reported.
    if (session === undefined || terminals.isNew(terminal) || this.#isExcused(terminal)) return;
    for (const one of this.tables.values()) one.connections.sessionDisconnected(session, one.id === table);
  }

  /** Call when a terminal has connected; `table` is where it is seated, undefined if it is not. */
  terminalConnected(terminal: string, table?: string): void {
    this.#connectedAt.set(terminal, this.#dependencies.clock());
    const session = this.terminals.session(terminal);
    if (session !== undefined)
      for (const one of this.tables.values()) one.connections.sessionConnected(session, one.id === table);
  }

  /** Terminals that are connected to other nodes. */
  get remoteTerminals(): RemoteTerminals {
    return this.#dependencies.cluster?.remoteTerminals ?? noRemoteTerminals;
  }

  /** Notifies other nodes that a terminal has taken, changed or left its seat. */
  publishSeat(terminal: string, seat: TerminalLocation): void {
    this.#dependencies.cluster?.publishSeat(terminal, seat);
  }

  /** Notifies other nodes of a refused scan, because the dealer's console may be connected there. */
  publishRefusedScan(table: string, scan: RefusedScan): void {
    this.#dependencies.cluster?.publishRefusedScan(table, scan);
  }

  /** Call when another node has published a refused scan. */
  refusedScanReceived(table: string, scan: RefusedScan): void {
    this.#dependencies.onRefusedScan?.(table, scan);
  }

  /** Call when another node has published seats: these terminals no longer count as disconnected. [ETG 5.10] */
  seatsReceived(node: string, seats: TerminalLocations, tables: Iterable<string>): void {
    this.#reportConnections(node, seats, false);
    for (const table of tables) this.#dependencies.onSeatsChanged?.(table);
  }

  /** Call when a node has left the cluster: its terminals count as disconnected at the tables led here. [ETG 5.10] */
  nodeLost(node: string, seats: TerminalLocations): void {
    this.#reportConnections(node, seats, true);
    for (const table of new Set(Object.values(seats)))
      if (typeof table === 'string') this.#dependencies.onSeatsChanged?.(table);
  }

  #reportConnections(node: string, seats: TerminalLocations, lost: boolean): void {
    const led = [...this.tables.values()].filter(({ isLeader }) => isLeader);
    for (const [terminal, seat] of Object.entries(seats)) {
      const session = seat === false ? undefined : this.terminals.session(terminal);
      if (session === undefined) continue;
      for (const table of led)
        table.connections.connectionReported(node, { session, seated: table.id === seat, disconnected: lost });
    }
  }

  /** True if this process is a node of a cluster. */
  get isClustered(): boolean {
    return this.#dependencies.cluster !== undefined;
  }

  /** Call when another node has changed a value of the key-value table, which is then read again. */
  async valueChanged(kind: string, id: string): Promise<void> {
    if (bindingValueKinds.includes(kind)) await this.terminals.refreshSecrets([id]);
    else await this.staff.valueChanged(kind, id);
  }

  /**
   * Call when the process has stalled from `since` until now. Tables report an interruption, and disconnects that the
   * stall caused are ignored. [ETG 5.9]
   */
  async processStalled(since: number): Promise<void> {
    this.#resumedAt = this.#dependencies.clock();
    for (const table of this.tables.values()) await table.processStalled(since);
  }

  /** True if a stall has caused the disconnect: the terminal connected before the stall, which has just ended. */
  #isExcused(terminal: string): boolean {
    const since = this.#connectedAt.get(terminal) ?? -Infinity;
    this.#connectedAt.delete(terminal);
    return since <= this.#resumedAt && this.#dependencies.clock() - this.#resumedAt < excusedMs;
  }

  /** Records heartbeats of the floor and of each table that can append. */
  async recordHeartbeats(): Promise<void> {
    // In a cluster heartbeats are recorded when leases are renewed.
    if (this.#dependencies.cluster) return;
    // A table that staff have not opened yet has no entries, and so no heartbeat.
    const alive = [...this.tables.values()].filter(({ processor }) => processor.canAppend && processor.sequence > 0);
    await this.#dependencies.store.recordHeartbeats(
      [floorHeartbeatName, ...alive.map(({ stream }) => stream)],
      this.#dependencies.clock(),
    );
  }
}
