import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type LeaseHolder, type OtherNode, type NodeStage } from '../store/postgres/membership.ts';
import { type Store, TakenOver } from '../store/store.ts';
import { TableLeadership, usualLate } from './tableLeadership.ts';
import { Unsure } from './fencedStore.ts';
import { Leases } from './leases.ts';
import { type Linking, type MemberParts as Parts, type Opened } from './nodeOptions.ts';
import { Peers } from './nodeConnections.ts';
import { Poll } from './headPoller.ts';
import { assignTables } from './assignTables.ts';
import { ClusterMessenger, usualSearch } from './clusterMessenger.ts';
import { sharedOn } from './clusterPort.ts';

/** Who holds this signs how far the record has got, and is the first where nobody else is there. */
const floor = 'floor';

/** So often the database is asked again before a start is given up. */
const mostTries = 5;

/** Where somebody wants to know soon who holds what, it is asked this long after the last time, in milliseconds. */
const shortest = 100;

/** So often it is looked whether all tables are driven, in milliseconds. */
const often = 20;

/** Whoever goes waits no longer for tables that do not come to rest than so many milliseconds after they were late. */
const afterLate = 15_000;

/** One of several programs on a database: it drives its share of the tables, and follows the others. */
export class ClusterNode {
  readonly id: string;
  readonly #parts: Parts;
  readonly #leases: Leases;
  readonly #talk: ClusterMessenger;
  #peers: Peers | undefined;
  #opened: Opened | undefined;
  #driving: TableLeadership | undefined;
  #address = '';
  #stage: NodeStage = 'coming';
  /** How many answers have come since it said that it joins. */
  #joined = 0;
  /** Whether it is decided how this program begins, and whether as the first. */
  #isBegun = false;
  #isFirst = false;
  #timer: NodeJS.Timeout | undefined;
  #poll: Poll | undefined;
  #isDeaf = false;
  #asking: Promise<void> | undefined;
  #asked = -Infinity;
  /** When it came, and when it was last answered. */
  readonly #came = performance.now();
  #answered = -Infinity;
  #isDue = false;
  #isOver = false;
  #left: Promise<void> | undefined;
  #heard = Promise.withResolvers<void>();

  private constructor(parts: Parts) {
    const { id = randomBytes(4).toString('hex'), ground, lasts, far, search = usualSearch, trouble } = parts;
    this.id = id;
    this.#parts = parts;
    this.#leases = new Leases({
      renew: (wanted, driven) =>
        ground.renew(
          { id, address: this.#address, link: this.#peers?.address ?? '', drives: this.#drives, stage: this.#stage },
          wanted,
          driven,
          lasts,
        ),
      lasts,
      running: parts.running ?? (() => [performance.now(), uptime() * 1_000]),
      wall: parts.wall ?? (() => Date.now()),
      far,
      taken: (name) => name === floor && this.#opened?.calls.keeps(true),
      lost: (name) => (name === floor ? this.#opened?.calls.keeps(false) : this.#driving?.lost(name)),
    });
    this.#talk = new ClusterMessenger({
      me: id,
      peers: () => this.#peers,
      calls: () => (this.#isDeaf ? undefined : this.#opened?.calls),
      holderOf: (stream) => (this.#leases.isHeld(stream) ? id : this.#leases.others.get(stream)?.node),
      isDriven: (stream) => this.isDriven(stream),
      look: () => this.#soon(),
      search,
      trouble,
    });
  }

  /** Comes to a database, and says so there from now on. */
  static async on(parts: Parts): Promise<ClusterNode> {
    const member = new ClusterNode(parts);
    await member.#begin();
    member.#wait();
    return member;
  }

  /** The first answer may take several tries on a machine that is busy; without one there is no start. */
  async #begin(): Promise<void> {
    for (let left = mostTries; ; left--) {
      try {
        await this.#leases.ask([], []);
        return this.#move();
      } catch (error) {
        if (left > 0) continue;
        await this.#parts.ground.close();
        throw error;
      }
    }
  }

  /** Whether it takes tables. */
  get #drives(): boolean {
    return this.#parts.mayDrive && this.#stage === 'open' && this.#leases.isNear;
  }

  isDriven(stream: string): boolean {
    return this.#driving?.isDriven(stream) ?? false;
  }

  /** For so long some table is nobody's, in milliseconds. */
  get idle(): number {
    return this.#driving?.idle ?? 0;
  }

  /** For so long a table is nobody's, or is this node's and could not be taken or read, in milliseconds. */
  stuck(stream: string): number {
    return this.#driving?.stuck(stream) ?? 0;
  }

  /** Whether it surely holds the lease of a table at this moment. */
  isSure(stream: string): boolean {
    return this.#leases.isSure(stream);
  }

  /** Whether this node surely is the one that signs. */
  get isKeeper(): boolean {
    return this.#leases.isSure(floor);
  }

  /** The same for whoever signs: where it was that one and may not be any more, nobody knows, and that is thrown. */
  signs(): boolean {
    if (this.#leases.isHeld(floor) && !this.isKeeper) throw new Unsure();
    return this.isKeeper;
  }

  /** The others who are there, as of the last answer. */
  get others(): readonly OtherNode[] {
    return this.#leases.nodes;
  }

  /** Who else holds what, as of the last answer. */
  get holders(): ReadonlyMap<string, LeaseHolder> {
    return this.#leases.others;
  }

  /** By how many milliseconds the clock of whoever drives a table is ahead of this node's. */
  offsetOf(stream: string): number {
    const driver = this.#talk.driverOf(stream);
    return driver === undefined || driver === this.id ? 0 : (this.#peers?.offset(driver) ?? 0);
  }

  #alive(longest: number): readonly OtherNode[] {
    return this.#leases.nodes.filter(({ silent }) => silent < longest);
  }

  /** Others whose floor is open, or was a lease ago. */
  get #open(): readonly OtherNode[] {
    return this.#alive(this.#parts.lasts).filter(({ stage }) => stage === 'open');
  }

  /** Whether one of them has been heard of since this program came: whoever was killed before that never is. */
  get #isOpenElsewhere(): boolean {
    return this.#open.some(({ silent }) => silent < this.#answered - this.#came);
  }

  #share() {
    const { lasts } = this.#parts;
    const tables = this.#opened?.tables ?? [];
    const held = tables.filter((table) => this.#leases.isHeld(table));
    return assignTables({
      me: this.id,
      drives: this.#drives,
      drivers: this.#alive(lasts)
        .filter(({ drives, stage }) => drives && stage === 'open')
        .map(({ id }) => id),
      tables,
      holders: new Map([
        ...[...this.#leases.others.values()].map(({ name, node }) => [name, node] as const),
        ...held.map((table) => [table, this.id] as const),
      ]),
    });
  }

  /** What is asked for: whoever comes to an empty floor wants to be the first, and whoever is there its share. */
  #wanted(): readonly string[] {
    const isFloorWanted =
      this.#leases.isHeld(floor) ||
      this.#isAlone ||
      (this.#parts.mayDrive &&
        !this.#leases.others.has(floor) &&
        (this.#stage === 'open' || (this.#stage === 'coming' && this.#open.length === 0)));
    const tables = this.#share().wants.filter((table) => this.#driving?.isKept(table) ?? true);
    return [...(isFloorWanted ? [floor] : []), ...tables];
  }

  #wait(time = this.#leases.next(this.#wanted())): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), time);
  }

  /** Asks the database as soon as that is not too often; what it is being asked may have been too early. */
  #soon(): void {
    this.#isDue = this.#asking !== undefined;
    if (!this.#isDue) this.#wait(Math.max(0, this.#asked + shortest - performance.now()));
  }

  /** Asks the database, one question after the other; gives whether it has answered. */
  #ask(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#asking ??= this.#renew().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #renew(): Promise<void> {
    const { lasts, away, answered } = this.#parts;
    const asked = performance.now();
    this.#asked = asked;
    try {
      await this.#leases.ask(this.#wanted(), this.#driving?.driven ?? []);
    } catch (error) {
      away(error);
      this.#wait(lasts / 4);
      return;
    }
    answered();
    this.#answered = performance.now();
    this.#move();
    this.#peers?.meet(this.#alive(2 * lasts));
    const held = this.#opened?.tables.filter((table) => this.#leases.isHeld(table)) ?? [];
    this.#driving?.drives(held);
    this.#driving?.shares();
    const tables = this.#stage === 'open' ? this.#opened!.tables : [];
    this.#driving?.free(tables.filter((table) => !this.#leases.others.has(table) && !this.isSure(table)));
    this.#talk.changed(asked);
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
    const next = this.#leases.next(this.#wanted());
    this.#wait(this.#isDue ? Math.min(next, shortest) : next);
    this.#isDue = false;
  }

  /**
   * Whoever finds an open floor says that it joins, and has joined if one is still open in an answer to a later question:
   * the last one who goes says so before it looks who is there, so that one of the two sees the other.
   */
  #move(): void {
    if (this.#stage === 'joining') {
      this.#joined += 1;
      if (this.#joined >= 2 && this.#open.length === 0 && !this.#isBegun) this.#stage = 'coming';
    } else if (this.#stage === 'coming' && !this.#isFirst && this.#isOpenElsewhere) {
      this.#stage = 'joining';
      this.#joined = 0;
    }
  }

  /**
   * Waits until this program can begin: as the first, where no other is there, or beside others whose floor is open.
   * Undefined where the signal ends that.
   */
  async begins(signal: AbortSignal): Promise<'first' | 'joins' | undefined> {
    const isFirst = (): boolean =>
      this.#stage === 'coming' &&
      this.#leases.isSure(floor) &&
      this.#open.length === 0 &&
      !this.#alive(this.#parts.lasts).some(({ stage }) => stage === 'joining');
    const isJoined = (): boolean => this.#stage === 'joining' && this.#joined >= 2;
    const aborted = once(signal, 'abort');
    while (!signal.aborted) {
      this.#isFirst = isFirst();
      if (this.#isFirst || isJoined()) {
        this.#isBegun = true;
        return this.#isFirst ? 'first' : 'joins';
      }
      if (this.#stage === 'joining') this.#soon();
      await Promise.race([this.#heard.promise, aborted]);
    }
    return undefined;
  }

  /** Listens for the other nodes, and dials them. */
  async link(linking: Linking): Promise<void> {
    this.#peers = await Peers.open({
      ...linking,
      id: this.id,
      asked: (_, body) => this.#talk.asked(body),
      told: (from, body) => this.#talk.told(from, body),
      up: (node) => this.#talk.up(node),
      down: (node) => this.#talk.down(node),
      trouble: this.#parts.trouble,
    });
    this.#soon();
  }

  shared(store: Store): ClusterPort {
    return sharedOn(store, {
      talk: this.#talk,
      isSure: (stream) => this.#leases.isSure(stream),
      epochOf: (stream) => this.#driving?.epochOf(stream),
    });
  }

  /** Its floor is open: from now on it takes tables. */
  opened(opened: Opened): void {
    const { ground, away, trouble, late = usualLate, changed = () => {} } = this.#parts;
    if (this.#isFirst && !this.#leases.isHeld(floor)) throw new TakenOver('Another program opens the floor by now.');
    this.#opened = opened;
    this.#address = opened.address;
    this.#stage = 'open';
    this.#driving = new TableLeadership({
      calls: opened.calls,
      isHeld: (stream) => this.#leases.isHeld(stream),
      spare: () => (this.#isClosing ? 0 : this.#share().spare),
      late,
      take: (streams) => ground.beginEpochs(this, streams),
      letGo: (stream) => this.#letGo(stream),
      driven: (stream) => this.#talk.driven(stream),
      changed,
      trouble,
    });
    if (this.#leases.isHeld(floor)) opened.calls.keeps(true);
    const headsOf = ground.readHeads.bind(ground);
    this.#poll = new Poll({ calls: opened.calls, headsOf, away, trouble });
    void this.#ask();
  }

  /** Waits until every table is somebody's, and those of this node are driven; no longer than two leases. */
  async settled(signal: AbortSignal): Promise<void> {
    const until = performance.now() + 2 * this.#parts.lasts;
    const isSo = (stream: string): boolean => this.isDriven(stream) || this.#leases.others.has(stream);
    while (!signal.aborted && performance.now() < until && !this.#opened!.tables.every(isSo)) await pause(often);
  }

  /** What is being asked may still ask to keep it. */
  async #letGo(stream: string): Promise<void> {
    await this.#asking;
    try {
      await this.#parts.ground.releaseLeases(this, [stream]);
    } finally {
      this.#leases.drop(stream);
    }
    this.#talk.free([stream]);
  }

  /**
   * Takes no more tables, and hands its own to the others as they come to rest. True where nobody else goes on: then nothing
   * is handed over, and the floor is to be closed. Of several that go at the same moment that is the keeper, who waits
   * until the others have gone.
   */
  async handOver(): Promise<boolean> {
    const isLast = await this.#handOver();
    // Its floor is about to close, and reads nothing more.
    this.#isDeaf = true;
    await this.#poll?.end();
    return isLast;
  }

  async #handOver(): Promise<boolean> {
    const { late = usualLate } = this.#parts;
    const wasOpen = this.#stage === 'open';
    this.#stage = 'leaving';
    // One answer says it to the others, the next one tells who had said before that he joins.
    await this.#answers(2);
    const until = performance.now() + late + afterLate;
    while (performance.now() < until) {
      if (this.#company.length === 0) {
        // Whoever closes the floor signs it, also where it only held sockets; unless somebody begins it by now.
        if (this.#isAlone) await this.#answers(1);
        return wasOpen && !this.#leases.others.has(floor);
      }
      if (!this.#isClosing && !this.#holdsTables) return false;
      this.#driving?.shares();
      this.#soon();
      await pause(shortest);
    }
    return wasOpen && this.#isClosing;
  }

  /** The others whose floor is open, or was, or is about to be. */
  get #company(): readonly OtherNode[] {
    return this.#alive(this.#parts.lasts).filter(({ stage }) => stage !== 'coming');
  }

  /** Whether this one goes, and is the one to close the floor. */
  get #isClosing(): boolean {
    const company = this.#company;
    if (this.#stage !== 'leaving' || company.some(({ stage }) => stage !== 'leaving')) return false;
    return company.length === 0 || this.#leases.isHeld(floor);
  }

  /** Whether this one goes, was open, and nobody else is there who could sign. */
  get #isAlone(): boolean {
    const isFree = !this.#leases.isHeld(floor) && !this.#leases.others.has(floor);
    return isFree && this.#stage === 'leaving' && this.#opened !== undefined && this.#company.length === 0;
  }

  get #holdsTables(): boolean {
    const tables = this.#opened?.tables ?? [];
    return tables.some((table) => this.#leases.isHeld(table) && this.#driving!.epochOf(table) !== undefined);
  }

  /** Waits for so many answers of the database, each to a question that is asked after this. */
  async #answers(count: number): Promise<void> {
    await this.#asking;
    for (let n = 0; n < count; n++) await this.#ask();
  }

  /** Goes, and lets whoever is there take what this one held. */
  leave(): Promise<void> {
    return (this.#left ??= this.#leave());
  }

  async #leave(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#asking;
    await this.#poll?.end();
    await this.#driving?.end();
    this.#talk.flush();
    try {
      await this.#parts.ground.leave(this);
      this.#talk.free([floor]);
    } catch (error) {
      // What cannot be let go of ends by itself.
      this.#parts.away(error);
    }
    await this.#peers?.close();
    await this.#parts.ground.close();
  }
}
