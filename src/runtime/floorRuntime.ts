import { tableDecider } from '../deciders/deciders.ts';
import { isRefused } from '../base/refusal.ts';
import { isDemo, parseSettings } from '../table/schema/settings.ts';
import { type StoredRequest } from '../store/store.ts';
import { type Table } from '../table/state.ts';
import { terminalOfSession } from '../terminal/state.ts';
import { type Denied } from './stream/pendingCommand.ts';
import { TicketService } from './terminals/tickets.ts';
import { trustedHeartbeats, floorPulse } from './ports/heartbeats.ts';
import { FloorStream } from './floor/floorStream.ts';
import { Finding, linkKinds } from './terminals/secretBindings.ts';
import { type Pace } from './tables/pacing.ts';
import { StaffService } from './staff/staffService.ts';
import { BalanceCache } from './stream/balanceCache.ts';
import { loadState } from './stream/loadState.ts';
import { checkKey, tryKey } from './encryption/encryptedBlobs.ts';
import { type FirstSecret } from './staff/initialStaff.ts';
import { type SeatLocation, type SeatLocations, Presence } from './ports/presence.ts';
import { type AnsweredThere, type ForwardedCommand, type LinkTold, type RefusedScan } from './ports/clusterPort.ts';
import { TableRuntime, type FollowedStreams, type TableSetting } from './tables/tableRuntime.ts';
import { Terminals } from './terminals/terminals.ts';
import { type Owner, type RuntimeDependencies } from './ports/runtimeDependencies.ts';

/** The record is that of another property than the one that is wanted. */
export class OtherProperty extends Error {}

/** So long after the program stood still a link that is as old may break of it, in milliseconds. */
const excusedFor = 30_000;

const nobody = new Presence();

/** Many tables in one program, and the credit of its terminals. */
export class FloorRuntime {
  readonly tables = new Map<string, TableRuntime>();
  readonly terminals: Terminals;
  readonly cashier: TicketService;
  readonly journal: FloorStream;
  readonly people: StaffService;
  readonly owner: Owner;
  readonly #world: RuntimeDependencies;
  /** The password of the first administrator, where this start has enrolled one; it is told once, and kept nowhere. */
  firstSecret: FirstSecret | undefined;
  /** Tables of the record that nobody wants any more; what is staked there counts. */
  readonly #unlisted: Table[] = [];
  /** When each terminal that is there came. */
  readonly #linked = new Map<string, number>();
  /** When the program last went on after it had stood still. */
  #stoodUntil = -Infinity;

  private constructor(owner: Owner, world: RuntimeDependencies, purse: BalanceCache) {
    this.owner = owner;
    this.#world = world;
    this.journal = new FloorStream(owner, purse, world);
    this.people = new StaffService(owner, purse, world);
    this.terminals = new Terminals(
      owner,
      world,
      purse,
      () => this.#states(),
      () => this.#readTables(),
    );
    this.cashier = new TicketService(owner, world, purse, this.terminals, this.journal);
  }

  /** Every table from its record, or opened for the first time. */
  static async open(
    owner: Owner,
    settings: readonly TableSetting[],
    pace: Pace | ((table: string) => Pace),
    world: RuntimeDependencies,
  ): Promise<FloorRuntime> {
    await checkKey(world.store, world.key);
    const balances = await world.store.balances();
    const purse = new BalanceCache(balances);
    const floor = new FloorRuntime(owner, world, purse);
    await floor.terminals.load();
    await floor.journal.load();
    await floor.people.load();
    await floor.cashier.load(balances);
    for (const setting of settings) {
      const own = typeof pace === 'function' ? pace(setting.table) : pace;
      const wanted = { setting, pace: own };
      const { journal, terminals } = floor;
      const table = new TableRuntime(wanted, owner, purse, world, journal, terminals, floor.#others);
      floor.tables.set(table.id, table);
      await table.load();
    }
    await floor.#loadUnlisted();
    floor.#checkOwn(settings, balances);
    if (world.joins === true) {
      floor.journal.join();
      floor.people.join();
      return floor;
    }
    const beats = await trustedHeartbeats(world.store, world.latest, (name, message) =>
      world.trouble(name === floorPulse ? 'the floor' : name, new Finding(message)),
    );
    // Nothing is written before everything has been read.
    await world.begins?.();
    await tryKey(world.store, world.key);
    await floor.journal.start(beats.get(floorPulse), floor.#hiddenShoes(), await floor.cashier.begin());
    floor.cashier.tellHeld(balances);
    floor.firstSecret = await floor.people.start(floor.#attended(settings));
    // Where there are several programs, each drives those that it has a lease of.
    if (world.shared) return floor;
    for (const table of floor.tables.values()) {
      const refusal = await table.start(beats.get(table.stream));
      if (refusal) throw new Error(`The table ${table.id} cannot open: ${refusal.message}`);
    }
    return floor;
  }

  /** The tables that people deal at, as the record has it, or as is wanted where it has none yet. */
  #attended(settings: readonly TableSetting[]): readonly string[] {
    const isAttended = ({ table, attended = true }: TableSetting): boolean =>
      this.tables.get(table)!.runner.state?.setting.attended ?? attended === true;
    return settings.filter(isAttended).map(({ table }) => table);
  }

  async #loadUnlisted(): Promise<void> {
    const { store, key, trouble, unlisted } = this.#world;
    const prefix = `${this.owner.property}/table/`;
    for (const stream of await store.streams()) {
      const id = stream.slice(prefix.length);
      if (!stream.startsWith(prefix) || this.tables.has(id)) continue;
      const parts = {
        store,
        stream,
        decider: tableDecider,
        key,
        trouble: (error: unknown) => trouble(`table ${id}`, error),
      };
      const { state } = await loadState(parts);
      if (state !== undefined) this.#unlisted.push(state);
      unlisted?.(id);
    }
  }

  /** One currency, and a demo or none: a record never becomes another property's by itself. */
  #checkOwn(settings: readonly TableSetting[], balances: ReadonlyMap<string, unknown>): void {
    const { property, currency } = this.owner;
    const mend = 'name another data folder, or mend the property file';
    const states = [...this.#states()];
    const booked = [...balances.keys()].map((account) => account.split('/')[1]!);
    const other = [...states.map(({ setting }) => setting.currency), ...booked].find((one) => one !== currency);
    if (other !== undefined) {
      throw new OtherProperty(
        `The record of ${property} is in ${other} and its property file in ${currency}; ${mend}.`,
      );
    }
    const wanted = settings.map((one) => parseSettings(one, this.#world.clock())).find((one) => !isRefused(one));
    if (wanted !== undefined && !isRefused(wanted)) {
      const unlike = states.find(({ setting }) => isDemo(setting) !== isDemo(wanted));
      const [is, says] = isDemo(wanted) ? ['no demo', 'a demo'] : ['a demo', 'none'];
      if (unlike)
        throw new OtherProperty(`The record of ${property} is ${is} and its property file says ${says}; ${mend}.`);
    }
    const { staff } = this.#world;
    if (staff && this.people.state && this.people.isDemo !== staff.demo) {
      const [are, says] = staff.demo ? ['not those of a demo', 'a demo'] : ['those of a demo', 'none'];
      throw new OtherProperty(`The people of ${property} are ${are} and its property file says ${says}; ${mend}.`);
    }
  }

  /** The shoes whose order lies sealed in the record. */
  #hiddenShoes(): readonly string[] {
    return [...this.#states()].flatMap(({ shoe }) => (shoe?.root === undefined || shoe.root === null ? [] : [shoe.id]));
  }

  *#states() {
    yield* this.#unlisted;
    for (const { runner } of this.tables.values()) if (runner.state !== undefined) yield runner.state;
  }

  /**
   * Drives a table that nobody else can drive from now on, and that was last driven then: reads what was written, decides what
   * was interrupted, and goes on. Gives why not, if so.
   */
  async drive(table: string, since: number | undefined): Promise<Denied | undefined> {
    // What was given up by whoever started the floor is not dealt from.
    await this.journal.read();
    return this.tables.get(table)!.drive(since);
  }

  /** Drives a table no more; what waits is asked of whoever drives it next. */
  follow(table: string): Promise<void> {
    return this.tables.get(table)!.follow();
  }

  isDriven(table: string): boolean {
    return this.tables.get(table)!.isDriven;
  }

  /** Whether a table may be given to another node: between rounds, or where that takes too long once nobody waits. */
  canRest(table: string, isLate: boolean): boolean {
    return this.tables.get(table)!.canRest(isLate);
  }

  /** What another node asks of whoever drives a table; moved, where this one does not. */
  async answer(stream: string, asking: ForwardedCommand): Promise<AnsweredThere | 'moved'> {
    return (await this.#tableOf(stream)?.answer(asking)) ?? 'moved';
  }

  /** A session at another node has lost its link, or is there again. */
  linkTold(stream: string, node: string, told: LinkTold): void {
    this.#tableOf(stream)?.linkTold(node, told);
  }

  /** Those streams have moved, as was told or asked for: resolves once those at hand here have been read up to there. */
  async heard(heads: ReadonlyMap<string, number>): Promise<void> {
    await Promise.all([...heads].map(([stream, sequence]) => this.#reached(stream, sequence)));
  }

  async #reached(stream: string, sequence: number): Promise<void> {
    const { people, journal, terminals } = this;
    if (stream === people.stream) await people.heard(sequence);
    else if (stream === journal.stream) await journal.heard(sequence);
    else if (stream.startsWith(this.#terminal)) await terminals.heard(stream.slice(this.#terminal.length), sequence);
    else await this.#tableOf(stream)?.runner.reached(sequence);
  }

  /** The streams that are at hand here. */
  followed(): readonly string[] {
    const tables = [...this.tables.values()].map(({ stream }) => stream);
    return [...tables, this.people.stream, this.journal.stream, ...this.terminals.runners.streams];
  }

  #tableOf(stream: string): TableRuntime | undefined {
    const prefix = `${this.owner.property}/table/`;
    return stream.startsWith(prefix) ? this.tables.get(stream.slice(prefix.length)) : undefined;
  }

  /** What the stream of a terminal begins with. */
  get #terminal(): string {
    return `${this.owner.property}/terminal/`;
  }

  /** A slip is decided by what its patron has set, and whatever a person asks by the post that is held. */
  get #others(): FollowedStreams {
    const { people, terminals } = this;
    return {
      seen: async ({ who }: StoredRequest) => ({
        ...(typeof who['terminal'] === 'string' && (await terminals.runners.seen(terminalOfSession(who['terminal'])))),
        ...('person' in who && { [people.stream]: people.sequence }),
      }),
      read: async (seen) => {
        await this.heard(new Map(Object.entries(seen)));
      },
    };
  }

  /** Reads all tables up to their last entries, but for those that are driven here: nobody else writes to them. */
  async #readTables(): Promise<void> {
    const { store } = this.#world;
    const followed = [...this.tables.values()].filter(({ isDriven }) => !isDriven);
    const heads = new Map<string, number>();
    if (store.readMany) {
      const places = followed.map(({ stream, runner }) => ({ stream, sequence: runner.sequence + 1 }));
      for await (const entries of store.readMany(places, 1)) {
        for (const { stream, sequence } of entries) heads.set(stream, sequence);
      }
    } else {
      const all = await store.heads();
      for (const { stream } of followed) heads.set(stream, all.get(stream)?.sequence ?? 0);
    }
    await this.heard(heads);
  }

  /** Opens no further round, deals to their end those that have begun, and leaves open bets in the record. */
  async park(isLast = true): Promise<void> {
    await Promise.all([...this.tables.values()].map((table) => table.park()));
    await this.beat();
    this.people.close();
    if (isLast) await this.journal.close();
  }

  /** Reads and writes nothing more, so that the record can be closed; resolves once what is being done is done. */
  async end(): Promise<void> {
    const ends = [...this.tables.values(), this.people, this.journal, this.terminals.runners];
    await Promise.all(ends.map((one) => one.end()));
  }

  /** A terminal has lost its last link, which led to that table; whoever has left by himself sits nowhere. */
  linkLost(terminal: string, table: string | undefined): void {
    const { terminals } = this;
    const session = terminals.session(terminal);
    // What was never written of is nobody's loss.
    if (session === undefined || terminals.isNew(terminal) || this.#isExcused(terminal)) return;
    for (const one of this.tables.values()) one.linkLost(session, one.id === table);
  }

  /** A terminal has a link again, and sits at that table. */
  linkBack(terminal: string, table?: string): void {
    this.#linked.set(terminal, this.#world.clock());
    const session = this.terminals.session(terminal);
    if (session !== undefined) for (const one of this.tables.values()) one.linkBack(session, one.id === table);
  }

  /** The terminals that are at other nodes; none where there is none. */
  get presence(): Presence {
    return this.#world.shared?.presence ?? nobody;
  }

  /** A terminal is here, has another place here, or is gone: other nodes are told. */
  there(terminal: string, place: SeatLocation): void {
    this.#world.shared?.there(terminal, place);
  }

  /** A card that a table did not take: whoever deals there may be at another node. */
  scanned(table: string, scan: RefusedScan): void {
    this.#world.shared?.scanned(table, scan);
  }

  /** The same, from another node. */
  scanTold(table: string, scan: RefusedScan): void {
    this.#world.scanned?.(table, scan);
  }

  /** Terminals at another node are there, at a table or in its lobby: a link that was lost is there again. [ETG 5.10] */
  placed(node: string, places: SeatLocations, tables: Iterable<string>): void {
    this.#linksTold(node, places, false);
    for (const table of tables) this.#world.seated?.(table);
  }

  /** Nothing is heard of a node any more: its terminals have no link that leads to a table here. [ETG 5.10] */
  parted(node: string, places: SeatLocations): void {
    this.#linksTold(node, places, true);
    for (const table of new Set(Object.values(places))) if (typeof table === 'string') this.#world.seated?.(table);
  }

  #linksTold(node: string, places: SeatLocations, lost: boolean): void {
    const driven = [...this.tables.values()].filter(({ isDriven }) => isDriven);
    for (const [terminal, place] of Object.entries(places)) {
      const session = place === false ? undefined : this.terminals.session(terminal);
      if (session === undefined) continue;
      for (const table of driven) table.linkTold(node, { session, seated: table.id === place, lost });
    }
  }

  /** Whether other programs are on the record. */
  get isShared(): boolean {
    return this.#world.shared !== undefined;
  }

  /** Another node has written something beside the chain: it is read again, and whoever it concerns is told. */
  async asideHeard(kind: string, id: string): Promise<void> {
    if (linkKinds.includes(kind)) await this.terminals.look([id]);
    else await this.people.asideHeard(kind, id);
  }

  /** The program stood still since then: every table is judged by that alone, never by the links that broke of it. [ETG 5.9] */
  async stoodStill(since: number): Promise<void> {
    this.#stoodUntil = this.#world.clock();
    for (const table of this.tables.values()) await table.stoodStill(since);
  }

  /** Whether a link that breaks now does so because the program stood still: it is as old, and that was just now. */
  #isExcused(terminal: string): boolean {
    const since = this.#linked.get(terminal) ?? -Infinity;
    this.#linked.delete(terminal);
    return since <= this.#stoodUntil && this.#world.clock() - this.#stoodUntil < excusedFor;
  }

  /** The floor is alive, and so is each table that can act. */
  async beat(): Promise<void> {
    // Whoever renews a lease says so by that, where there are several programs.
    if (this.#world.shared) return;
    // A table that two persons have not opened yet is not in the record.
    const alive = [...this.tables.values()].filter(({ runner }) => runner.canRecord && runner.sequence > 0);
    await this.#world.store.recordHeartbeats([floorPulse, ...alive.map(({ stream }) => stream)], this.#world.clock());
  }
}
