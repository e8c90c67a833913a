import { type StoredRequest } from '../store/store.ts';
import { type Table } from '../table/state.ts';
import { terminalOfSession } from '../terminal/state.ts';
import { type CommandRefusal } from './stream/refusals.ts';
import { TicketService } from './terminals/tickets.ts';
import { floorHeartbeat } from './ports/heartbeats.ts';
import { FloorStream } from './floor/floorStream.ts';
import { bindingKinds } from './terminals/secretBindings.ts';
import { StaffService } from './staff/staffService.ts';
import { type BalanceCache } from './stream/balanceCache.ts';
import { type FirstPassword } from './staff/initialStaff.ts';
import { type SeatLocation, type SeatLocations, Presence } from './ports/presence.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
} from './ports/clusterPort.ts';
import { TableRuntime, type FollowedStreams, type TableConfig } from './tables/tableRuntime.ts';
import { Terminals } from './terminals/terminals.ts';
import { type Owner, type RuntimeDependencies } from './ports/runtimeDependencies.ts';

/** A disconnect this soon after the process stalled is blamed on the stall, in milliseconds. */
const excusedMs = 30_000;

const emptyPresence = new Presence();

/** Floor runtime: all tables, terminals and staff of one property in one process. */
export class FloorRuntime {
  readonly tables = new Map<string, TableRuntime>();
  readonly terminals: Terminals;
  readonly tickets: TicketService;
  readonly floorStream: FloorStream;
  readonly staff: StaffService;
  readonly owner: Owner;
  readonly #dependencies: RuntimeDependencies;
  readonly #balances: BalanceCache;
  /** Password of the first administrator if this start has enrolled one. It is shown once and stored nowhere. */
  firstPassword: FirstPassword | undefined;
  /** Tables of the event log that are not in the property file. Their open stakes still count. */
  readonly #unlisted: Table[] = [];
  /** When each connected terminal connected. */
  readonly #connectedAt = new Map<string, number>();
  /** When the process last resumed after a stall. */
  #resumedAt = -Infinity;

  constructor(owner: Owner, dependencies: RuntimeDependencies, balances: BalanceCache) {
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
   * Leads a table from now on; its last heartbeat was at `since`. Reads the stream, decides an interruption and
   * resumes. Returns the refusal, if any.
   */
  async lead(table: string, since: number | undefined): Promise<CommandRefusal | undefined> {
    // Shoes that the starting node has retired must not be dealt from.
    await this.floorStream.readToEnd();
    return this.tables.get(table)!.lead(since);
  }

  /** Stops leading a table; waiting commands go to the next leader. */
  follow(table: string): Promise<void> {
    return this.tables.get(table)!.follow();
  }

  isLeading(table: string): boolean {
    return this.tables.get(table)!.isLeader;
  }

  /** A table is handed over between rounds or, if that takes too long, when no command is waiting. */
  mayHandOver(table: string, isLate: boolean): boolean {
    return this.tables.get(table)!.mayHandOver(isLate);
  }

  /** Executes a command that another node forwarded; 'moved' if this node does not lead the table. */
  async execute(stream: string, command: ForwardedCommand): Promise<ForwardResult | 'moved'> {
    return (await this.#tableOf(stream)?.execute(command)) ?? 'moved';
  }

  /** A session at another node was disconnected or is connected again. */
  connectionReported(stream: string, node: string, report: ConnectionReport): void {
    this.#tableOf(stream)?.connections.connectionReported(node, report);
  }

  /** Resolves when the streams that are in memory here have been read up to these heads. */
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

  /** Streams that this process follows or leads. */
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

  /** A slip depends on the session limits of its terminal, a staff command on the role of its actor. */
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

  /** Reads every table to its end, except those led here: they have no other writer. */
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

  /** Opens no new rounds and deals begun rounds to their end. Open bets stay in the event log. */
  async drain(isLast = true): Promise<void> {
    await Promise.all([...this.tables.values()].map((table) => table.drain()));
    await this.recordHeartbeats();
    this.staff.close();
    if (isLast) await this.floorStream.close();
  }

  /** Stops reading and writing, so that the store can be closed; resolves when current work is done. */
  async stop(): Promise<void> {
    const ends = [...this.tables.values(), this.staff, this.floorStream, this.terminals.processors];
    await Promise.all(ends.map((one) => one.stop()));
  }

  /** A terminal has lost its last connection, which was at this table; undefined if it had left its seat. */
  terminalDisconnected(terminal: string, table: string | undefined): void {
    const { terminals } = this;
    const session = terminals.session(terminal);
    // A terminal without any entries cannot have lost anything.
    if (session === undefined || terminals.isNew(terminal) || this.#isExcused(terminal)) return;
    for (const one of this.tables.values()) one.connections.sessionDisconnected(session, one.id === table);
  }

  /** A terminal is connected again, at this table. */
  terminalConnected(terminal: string, table?: string): void {
    this.#connectedAt.set(terminal, this.#dependencies.clock());
    const session = this.terminals.session(terminal);
    if (session !== undefined)
      for (const one of this.tables.values()) one.connections.sessionConnected(session, one.id === table);
  }

  /** Terminals at other nodes. */
  get presence(): Presence {
    return this.#dependencies.cluster?.presence ?? emptyPresence;
  }

  /** Notifies other nodes that a terminal has taken a seat, changed it or gone. */
  publishSeat(terminal: string, seat: SeatLocation): void {
    this.#dependencies.cluster?.publishSeat(terminal, seat);
  }

  /** Notifies other nodes of a refused card: the dealer's console may be there. */
  publishRefusedScan(table: string, scan: RefusedScan): void {
    this.#dependencies.cluster?.publishRefusedScan(table, scan);
  }

  /** A card was refused at another node. */
  refusedScanReceived(table: string, scan: RefusedScan): void {
    this.#dependencies.onRefusedScan?.(table, scan);
  }

  /** Terminals are connected at another node: they no longer count as disconnected. [ETG 5.10] */
  seatsReceived(node: string, seats: SeatLocations, tables: Iterable<string>): void {
    this.#reportConnections(node, seats, false);
    for (const table of tables) this.#dependencies.onSeatsChanged?.(table);
  }

  /** A node is gone: its terminals are disconnected from the tables led here. [ETG 5.10] */
  nodeLost(node: string, seats: SeatLocations): void {
    this.#reportConnections(node, seats, true);
    for (const table of new Set(Object.values(seats)))
      if (typeof table === 'string') this.#dependencies.onSeatsChanged?.(table);
  }

  #reportConnections(node: string, seats: SeatLocations, lost: boolean): void {
    const led = [...this.tables.values()].filter(({ isLeader }) => isLeader);
    for (const [terminal, seat] of Object.entries(seats)) {
      const session = seat === false ? undefined : this.terminals.session(terminal);
      if (session === undefined) continue;
      for (const table of led)
        table.connections.connectionReported(node, { session, seated: table.id === seat, disconnected: lost });
    }
  }

  /** True in a cluster. */
  get isClustered(): boolean {
    return this.#dependencies.cluster !== undefined;
  }

  /** Another node has changed a value of the key-value table; it is read again. */
  async valueChanged(kind: string, id: string): Promise<void> {
    if (bindingKinds.includes(kind)) await this.terminals.refreshSecrets([id]);
    else await this.staff.valueChanged(kind, id);
  }

  /**
   * The process stalled since then: tables are judged by the stall alone, not by the disconnects it caused. [ETG 5.9]
   */
  async processStalled(since: number): Promise<void> {
    this.#resumedAt = this.#dependencies.clock();
    for (const table of this.tables.values()) await table.processStalled(since);
  }

  /** True if a disconnect was caused by a stall: the connection is older than the stall, which was just now. */
  #isExcused(terminal: string): boolean {
    const since = this.#connectedAt.get(terminal) ?? -Infinity;
    this.#connectedAt.delete(terminal);
    return since <= this.#resumedAt && this.#dependencies.clock() - this.#resumedAt < excusedMs;
  }

  /** Records heartbeats of the floor and of each table that can append. */
  async recordHeartbeats(): Promise<void> {
    // In a cluster the renewal of leases records them.
    if (this.#dependencies.cluster) return;
    // An attended table that staff have not opened yet has no entries.
    const alive = [...this.tables.values()].filter(({ processor }) => processor.canAppend && processor.sequence > 0);
    await this.#dependencies.store.recordHeartbeats(
      [floorHeartbeat, ...alive.map(({ stream }) => stream)],
      this.#dependencies.clock(),
    );
  }
}
