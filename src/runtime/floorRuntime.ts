import { tableDecider } from '../deciders/deciders.ts';
import { isRefused } from '../base/refusal.ts';
import { isDemo, parseSettings } from '../table/schema/settings.ts';
import { type StoredPayload } from '../store/store.ts';
import { type Table } from '../table/state.ts';
import { terminalOfSession } from '../terminal/state.ts';
import { type CommandRefusal } from './stream/refusals.ts';
import { TicketService } from './terminals/tickets.ts';
import { trustedHeartbeats, floorHeartbeat } from './ports/heartbeats.ts';
import { FloorStream } from './floor/floorStream.ts';
import { Finding, bindingKinds } from './terminals/secretBindings.ts';
import { type Pace } from './tables/pacing.ts';
import { StaffService } from './staff/staffService.ts';
import { BalanceCache } from './stream/balanceCache.ts';
import { loadState } from './stream/loadState.ts';
import { checkKey, adoptKey } from './encryption/encryptedBlobs.ts';
import { type FirstPassword } from './staff/initialStaff.ts';
import { type SeatLocation, type SeatLocations, Presence } from './ports/presence.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
} from './ports/clusterPort.ts';
import { TableRuntime, type FollowedStreams, type UncheckedTableSettings } from './tables/tableRuntime.ts';
import { Terminals } from './terminals/terminals.ts';
import { type Owner, type RuntimeDependencies } from './ports/runtimeDependencies.ts';

/** The event log belongs to another property than the property file. */
export class OtherProperty extends Error {}

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
  /** Password of the first administrator if this start has enrolled one. It is shown once and stored nowhere. */
  firstPassword: FirstPassword | undefined;
  /** Tables of the event log that are not in the property file. Their open stakes still count. */
  readonly #unlisted: Table[] = [];
  /** When each connected terminal connected. */
  readonly #connectedAt = new Map<string, number>();
  /** When the process last resumed after a stall. */
  #resumedAt = -Infinity;

  private constructor(owner: Owner, dependencies: RuntimeDependencies, balances: BalanceCache) {
    this.owner = owner;
    this.#dependencies = dependencies;
    this.floorStream = new FloorStream(owner, balances, dependencies);
    this.staff = new StaffService(owner, balances, dependencies);
    this.terminals = new Terminals(
      owner,
      dependencies,
      balances,
      () => this.#tableStates(),
      () => this.#readTablesToEnd(),
    );
    this.tickets = new TicketService(owner, dependencies, balances, this.terminals, this.floorStream);
  }

  /** Opens a floor: loads every table from the event store, or opens it for the first time. */
  static async open(
    owner: Owner,
    settings: readonly UncheckedTableSettings[],
    pace: Pace | ((table: string) => Pace),
    dependencies: RuntimeDependencies,
  ): Promise<FloorRuntime> {
    await checkKey(dependencies.store, dependencies.key);
    const balances = await dependencies.store.balances();
    const balanceCache = new BalanceCache(balances);
    const floor = new FloorRuntime(owner, dependencies, balanceCache);
    await floor.terminals.load();
    await floor.floorStream.load();
    await floor.staff.load();
    await floor.tickets.load(balances);
    for (const setting of settings) {
      const tablePace = typeof pace === 'function' ? pace(setting.table) : pace;
      const wanted = { settings: setting, pace: tablePace };
      const { floorStream, terminals } = floor;
      const table = new TableRuntime(
        wanted,
        owner,
        balanceCache,
        dependencies,
        floorStream,
        terminals,
        floor.#followedStreams,
      );
      floor.tables.set(table.id, table);
      await table.load();
    }
    await floor.#loadUnlisted();
    floor.#checkProperty(settings, balances);
    if (dependencies.isJoining === true) {
      floor.floorStream.join();
      floor.staff.join();
      return floor;
    }
    const heartbeats = await trustedHeartbeats(dependencies.store, dependencies.latestHeartbeatAt, (name, message) =>
      dependencies.onWarning(name === floorHeartbeat ? 'the floor' : name, new Finding(message)),
    );
    // Nothing is written before everything has been read.
    await dependencies.beforeFirstWrite?.();
    await adoptKey(dependencies.store, dependencies.key);
    await floor.floorStream.start(heartbeats.get(floorHeartbeat), floor.#virtualShoes(), await floor.tickets.begin());
    floor.tickets.warnOfRetiredTickets(balances);
    floor.firstPassword = await floor.staff.start(floor.#attended(settings));
    // In a cluster each node leads the tables of which it holds the lease.
    if (dependencies.cluster) return floor;
    for (const table of floor.tables.values()) {
      const refusal = await table.start(heartbeats.get(table.stream));
      if (refusal) throw new Error(`The table ${table.id} cannot open: ${refusal.message}`);
    }
    return floor;
  }

  /** Attended tables by the event log, or by the property file for tables that were never opened. */
  #attended(settings: readonly UncheckedTableSettings[]): readonly string[] {
    const isAttended = ({ table, attended = true }: UncheckedTableSettings): boolean =>
      this.tables.get(table)!.processor.state?.settings.attended ?? attended === true;
    return settings.filter(isAttended).map(({ table }) => table);
  }

  async #loadUnlisted(): Promise<void> {
    const { store, key, onWarning, onUnlistedTable } = this.#dependencies;
    const prefix = `${this.owner.property}/table/`;
    for (const stream of await store.streams()) {
      const id = stream.slice(prefix.length);
      if (!stream.startsWith(prefix) || this.tables.has(id)) continue;
      const options = {
        store,
        stream,
        decider: tableDecider,
        key,
        onWarning: (error: unknown) => onWarning(`table ${id}`, error),
      };
      const { state } = await loadState(options);
      if (state !== undefined) this.#unlisted.push(state);
      onUnlistedTable?.(id);
    }
  }

  /** Currency, demo flag and staff of the event log must be those of the property file. */
  #checkProperty(settings: readonly UncheckedTableSettings[], balances: ReadonlyMap<string, unknown>): void {
    const { property, currency } = this.owner;
    const mend = 'name another data folder, or fix the property file';
    const states = [...this.#tableStates()];
    const booked = [...balances.keys()].map((account) => account.split('/')[1]!);
    const other = [...states.map((table) => table.settings.currency), ...booked].find((one) => one !== currency);
    if (other !== undefined) {
      throw new OtherProperty(
        `The record of ${property} is in ${other} and its property file in ${currency}; ${mend}.`,
      );
    }
    const wanted = settings.map((one) => parseSettings(one, this.#dependencies.clock())).find((one) => !isRefused(one));
    if (wanted !== undefined && !isRefused(wanted)) {
      const unlike = states.find((table) => isDemo(table.settings) !== isDemo(wanted));
      const [is, expected] = isDemo(wanted) ? ['no demo', 'a demo'] : ['a demo', 'none'];
      if (unlike)
        throw new OtherProperty(`The record of ${property} is ${is} and its property file says ${expected}; ${mend}.`);
    }
    const { staff } = this.#dependencies;
    if (staff && this.staff.state && this.staff.isDemo !== staff.demo) {
      const [are, expected] = staff.demo ? ['not those of a demo', 'a demo'] : ['those of a demo', 'none'];
      throw new OtherProperty(`The people of ${property} are ${are} and its property file says ${expected}; ${mend}.`);
    }
  }

  /** Shoes whose order is stored as an encrypted blob. */
  #virtualShoes(): readonly string[] {
    return [...this.#tableStates()].flatMap(({ shoe }) =>
      shoe?.root === undefined || shoe.root === null ? [] : [shoe.id],
    );
  }

  *#tableStates() {
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
    this.#tableOf(stream)?.connectionReported(node, report);
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
    for (const one of this.tables.values()) one.sessionDisconnected(session, one.id === table);
  }

  /** A terminal is connected again, at this table. */
  terminalConnected(terminal: string, table?: string): void {
    this.#connectedAt.set(terminal, this.#dependencies.clock());
    const session = this.terminals.session(terminal);
    if (session !== undefined) for (const one of this.tables.values()) one.sessionConnected(session, one.id === table);
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
        table.connectionReported(node, { session, seated: table.id === seat, disconnected: lost });
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
