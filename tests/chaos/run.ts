import { createHash } from 'node:crypto';
import { type RandomSource, createSeededRandom } from '../../src/runtime/ports/random.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { type TableRuntime, type UncheckedTableSettings } from '../../src/runtime/tables/tableRuntime.ts';
import { StreamAbortedError } from '../../src/runtime/stream/pendingCommand.ts';
import { insecureScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';
import { Auditor } from './audit/auditor.ts';
import { type RunResult, hashOf, emptyCounts } from './counts.ts';
import { FaultyStore, type Operation, isInjectedFault } from './faults/faultyStore.ts';
import { Lifetime } from './lifetime.ts';
import { Network } from './faults/network.ts';
import { MoneyService } from './moneyService.ts';
import { type PatronPort, Patron, type PublicTable, updatePublicTable } from './patrons/patron.ts';
import { StaffAuditor } from './pit/staffAuditor.ts';
import { Pit } from './pit/pit.ts';
import { SeatService } from './seatService.ts';
import { withListener } from './faults/storeListener.ts';
import { problemsOf } from './audit/recallCheck.ts';
import { TestClock, flushPromises } from './time.ts';
import { type FaultRates, noFaults, outage, faultBurst } from './faults/faultRates.ts';
import { SlipWitness } from './audit/slipWitness.ts';

const start = 1_700_006_400_000;
const minute = 60_000;
/** Maximum time without an event at an unattended table. */
const maxIdleMs = 3 * minute;
/** A table may pause only after this number of failures in a row. */
const minFaults = 2;
/** Hand-pay limit, where there is staff. */
const handPayLimit = 1_000_000;
/** A run stops at this number of problems. */
const maxProblems = 100;

type Setting = UncheckedTableSettings & { readonly limits: object };

/** Simulates a whole floor from one seed: clock, store, network, patrons and kills. Equal seeds give equal runs. */
export async function runChaos(
  seed: string,
  rounds: number,
  rates: FaultRates,
  settings: readonly Setting[] = demoSettings,
): Promise<RunResult> {
  const run = new ChaosRun(seed, rates, settings);
  return run.run(rounds);
}

class ChaosRun {
  readonly #seed: string;
  readonly #settings: readonly Setting[];
  #rates: FaultRates;
  readonly #time = new TestClock(start);
  readonly #random: RandomSource;
  readonly #network: Network;
  readonly #store = createMemoryStore();
  readonly #observedStore: Store;
  readonly #witness = new SlipWitness();
  readonly #credits = new Map<string, number>();
  readonly #staff: StaffAuditor | undefined;
  readonly #auditor: Auditor;
  readonly #pit: Pit | undefined;
  readonly #tables: Map<string, PublicTable>;
  readonly #port: PatronPort;
  #patrons: Patron[] = [];
  readonly #problems: string[] = [];
  readonly #key: Buffer;
  #lifetime: Lifetime | undefined;
  #lifetimeCount = 0;
  #ids = 0;
  #burstUntil = 0;
  #burst = faultBurst;
  #isOver = false;
  readonly #counts = emptyCounts();

  constructor(seed: string, rates: FaultRates, settings: readonly Setting[]) {
    this.#seed = seed;
    this.#rates = rates;
    // Settlements in small chunks, so that many kills fall between two of them.
    this.#settings = settings.map((setting) => ({ ...setting, chunk: 3 }));
    this.#random = this.#randomFor('storm');
    this.#network = new Network(this.#time, this.#randomFor('network'), rates.network);
    this.#key = createHash('sha256').update(seed).digest();
    this.#observedStore = withListener(this.#store, {
      onAppend: (entries) => this.#handleAppend(entries),
      onRefusedAppend: (stream, why) => this.#handleRefusedAppend(stream, why),
      onSnapshot: () => this.#handleSnapshot(),
      onSnapshotRead: () => (this.#counts.snapshotStarts += 1),
    });
    this.#tables = new Map(
      settings.map(({ table, attended }) => {
        const isLive = attended === true;
        return [table, { table, isLive, round: undefined, before: undefined, phase: 'over' }];
      }),
    );
    const live = settings.filter(({ attended }) => attended === true).map(({ table }) => table);
    this.#staff = live.length > 0 ? new StaffAuditor(live) : undefined;
    this.#auditor = new Auditor((secret) => this.#credits.get(secret), this.#staff);
    const options = {
      network: this.#network,
      random: this.#random,
      auditor: this.#auditor,
      witness: this.#witness,
      currentLifetime: () => this.#lifetime,
      onError: this.#expectFault,
      report: (problem: string) => void this.#problems.push(problem),
    };
    const seats = new SeatService(options);
    const money = new MoneyService(this.#network, this.#auditor, this.#random, () => this.#lifetime, this.#expectFault);
    this.#port = {
      seat: (secret, credit, onReply) => this.#network.transmit(() => seats.seat(secret, credit, onReply)),
      sendSlip: (sent, onReply) => this.#network.transmit(() => seats.sendSlip(sent, onReply)),
      money,
      tables: settings.filter(({ bets }) => bets !== 'chips').map(({ table }) => this.#tables.get(table)!),
      wagersAt: (table) => Object.keys(settings.find((one) => one.table === table)!.limits),
      report: options.report,
    };
    if (this.#staff === undefined) return;
    const randomFor = (name: string): RandomSource => this.#randomFor(name);
    const own = { time: this.#time, key: this.#key, staffAuditor: this.#staff, settings: this.#settings };
    const { tickets } = money;
    this.#pit = new Pit({ ...options, ...own, randomFor, random: randomFor('upgrade'), tables: live, tickets });
  }

  async run(rounds: number): Promise<RunResult> {
    for (let n = 0; n < 10; n++) this.#addPatron();
    this.#openFloor();
    this.#scheduleBurst();
    this.#watchProgress();
    await this.#stepUntil(() => this.#counts.settled + this.#counts.voids >= rounds, rounds * 3_000);
    if (!this.#isHopeless) await this.#finish();
    this.#isOver = true;
    if (this.#lifetime) this.#endLifetime(this.#lifetime);
    await flushPromises();
    const problems = [
      ...this.#problems,
      ...this.#witness.problems,
      ...(await this.#auditor.audit(this.#store)),
      ...(await problemsOf(this.#store)),
    ];
    const totals = { ...this.#counts, ...this.#auditor.counts(), ...this.#staff?.counts() };
    return { ...totals, hash: await hashOf(this.#store, totals), problems };
  }

  get #isHopeless(): boolean {
    return this.#problems.length + this.#witness.problems.length > maxProblems;
  }

  /** Faults end: the last floor continues from the event log, answers all pending requests, and parks. */
  async #finish(): Promise<void> {
    const { lifetimeSeconds: span } = this.#rates;
    this.#rates = noFaults;
    this.#network.faults = noFaults.network;
    this.#burstUntil = 0;
    if (this.#lifetime && span !== undefined) this.#kill(this.#lifetime, 'any');
    for (const patron of this.#patrons) patron.isPlaying = false;
    this.#pit?.finish();
    const last = new Map([...this.#tables].map(([table, { round }]) => [table, round]));
    // Staff finish the rounds of attended tables; the other tables reach a new round.
    const isFinished = (): boolean =>
      [...this.#tables].every(([table, { isLive, round }]) => isLive || round !== last.get(table)) &&
      this.#pit?.isIdle !== false;
    await this.#stepUntil(() => isFinished() && this.#patrons.every(({ pendingCount }) => pendingCount === 0), 100_000);
    const lifetime = this.#lifetime;
    if (lifetime?.floor === undefined) {
      this.#problems.push('The floor is closed at the end');
      return;
    }
    this.#isOver = true;
    this.#park(lifetime);
    await this.#stepUntil(() => !lifetime.isAlive, 100_000);
  }

  async #stepUntil(isDone: () => boolean, maxSteps: number): Promise<void> {
    for (let steps = 0; !isDone() && !this.#isHopeless; steps++) {
      try {
        if (!(await this.#time.next())) this.#problems.push('No timer is left');
      } catch (error) {
        this.#problems.push(`A timer threw: ${String(error)}`);
      }
      if (steps > maxSteps) {
        this.#problems.push(`The run does not end, at ${this.#time.now}`);
        return;
      }
    }
  }

  #randomFor(of: string): RandomSource {
    return createSeededRandom(`${this.#seed}/${of}`);
  }

  /** A random time around the mean, in milliseconds. */
  #randomDelay(seconds: number): number {
    return this.#random.below(2 * seconds * 1000);
  }

  /** A single floor checks before it appends, so the store refuses nothing, except credit that is in doubt. */
  #handleRefusedAppend(
    stream: string,
    why: Parameters<Parameters<typeof withListener>[1]['onRefusedAppend']>[1],
  ): void {
    if (why.refused === 'balance-guard' && why.account.includes('/terminal/')) return;
    this.#problems.push(`The store refused ${JSON.stringify(why)} at ${stream}`);
  }

  /** Soon after a snapshot a floor has to start from it. */
  #handleSnapshot(): void {
    this.#counts.snapshots += 1;
    const lifetime = this.#lifetime;
    if (lifetime && this.#rates.lifetimeSeconds !== undefined && this.#random.below(3) > 0) {
      this.#time.after(this.#randomDelay(5), () => this.#kill(lifetime, 'any'));
    }
  }

  #handleAppend(entries: readonly StoredEntry[]): void {
    this.#witness.recordAppend(entries);
    this.#staff?.recordAppend(entries);
    for (const { stream, event } of entries) {
      const publicTable = this.#tables.get(stream.split('/')[2]!);
      if (publicTable) updatePublicTable(publicTable, event);
      if (event.type === 'RoundSettled') this.#counts.settled += 1;
      if (event.type === 'RoundVoided') this.#counts.voids += 1;
      if (event.type === 'TerminalSeated') this.#counts.seats += 1;
    }
  }

  #openFloor(): void {
    const number = ++this.#lifetimeCount;
    const createStore = (of: Lifetime): FaultyStore =>
      new FaultyStore(this.#observedStore, {
        time: this.#time,
        random: this.#randomFor(`disk ${number}`),
        faults: () => (this.#time.now < this.#burstUntil ? this.#burst : this.#rates.faults),
        onKill: (operation) => this.#kill(of, operation),
        onFault: (operation, how, stream) => this.#recordFault(of, operation, how, stream),
        onEntries: (entries, how) => {
          if (how === 'append' && entries[0]) of.clearFaults(entries[0].stream);
          if (of.isAlive) this.#witness.recordReceived(entries);
          if (of.isAlive) this.#staff?.recordReceived(entries);
        },
      });
    const lifetime = new Lifetime(this.#time, createStore);
    this.#lifetime = lifetime;
    this.#witness.restart();
    const { lifetimeSeconds: span } = this.#rates;
    if (span !== undefined) this.#time.after(this.#randomDelay(span), () => this.#stopOrKill(lifetime));
    this.#time.after(5 * minute, () => lifetime.floor ?? this.#reportStall(lifetime, 'Opening'));
    const onWarning = (of: string, error: unknown): void => void (lifetime.isAlive && this.#expectFault(error, of));
    // A transient failure of the store stops nothing.
    const onStopped = (what: string, error: unknown): void =>
      void (lifetime.isAlive && this.#problems.push(`${what} has stopped: ${String(error)}`));
    const environment = {
      store: lifetime.faultyStore.store,
      clock: this.#time.clock,
      random: this.#randomFor(`floor ${number}`),
      key: this.#key,
      after: lifetime.after,
      newId: () => (this.#ids++).toString(16).padStart(8, '0'),
      publish: ({ id }: TableRuntime, entries: readonly StoredEntry[]) => this.#handlePublish(lifetime, id, entries),
      sleep: (time: number) => new Promise<void>((resolve) => void lifetime.after(time, resolve)),
      onWarning,
      onRetrying: onWarning,
      onRecovered: () => {},
      onTablePaused: (table: string, isPaused: boolean) => this.#handlePause(lifetime, table, isPaused),
      onTableCrashed: (table: string, error: unknown) => onStopped(table, error),
      onFatal: (error: unknown) => onStopped('The event store', error),
      ...(this.#staff && { staff: { demo: true, scryptCost: insecureScryptCost }, handPayLimit }),
    };
    openFloor(demoOwner, this.#settings, demoPace, environment).then(
      (floor) => this.#handleOpen(lifetime, floor),
      (error: unknown) => this.#openFailed(lifetime, error),
    );
  }

  #handleOpen(lifetime: Lifetime, floor: FloorRuntime): void {
    if (!lifetime.isAlive) return;
    lifetime.floor = floor;
    const heartbeat = (): void => {
      if (!lifetime.isAlive) return;
      floor.recordHeartbeats().catch((error: unknown) => this.#expectFault(error, 'The heartbeat'));
      this.#time.after(2_000, heartbeat);
    };
    heartbeat();
  }

  #openFailed(lifetime: Lifetime, error: unknown): void {
    if (!lifetime.isAlive) return;
    this.#expectFault(error instanceof StreamAbortedError ? error.cause : error, 'Opening');
    this.#counts.failedStarts += 1;
    this.#endLifetime(lifetime);
  }

  /** Kills the floor at once. */
  #kill(lifetime: Lifetime, where: Operation | 'any'): void {
    if (!lifetime.isAlive) return;
    const name = lifetime.floor === undefined ? 'opening' : lifetime.parking ? 'parking' : where;
    this.#counts.crashes[name] = (this.#counts.crashes[name] ?? 0) + 1;
    this.#endLifetime(lifetime);
  }

  #endLifetime(lifetime: Lifetime): void {
    lifetime.end();
    this.#auditor.recordFloorStop();
    this.#lifetime = undefined;
    if (!this.#isOver)
      this.#time.after(500 + this.#randomDelay(this.#random.below(3) === 0 ? 20 : 3), () => this.#openFloor());
  }

  /** Kills the floor, parks it, or both. */
  #stopOrKill(lifetime: Lifetime): void {
    const how = this.#random.below(5);
    if (how < 2) this.#kill(lifetime, 'any');
    else this.#park(lifetime);
    if (how > 2) this.#time.after(this.#randomDelay(3), () => this.#kill(lifetime, 'any'));
  }

  #park(lifetime: Lifetime): void {
    if (!lifetime.isAlive || lifetime.floor === undefined || lifetime.parking) return;
    const { floor } = lifetime;
    lifetime.parking = true;
    this.#time.after(5 * minute, () => this.#reportStall(lifetime, 'Parking'));
    floor.drain().then(
      () => this.#handleParked(lifetime),
      (error: unknown) => {
        if (!lifetime.isAlive) return;
        this.#expectFault(error, 'Parking');
        this.#endLifetime(lifetime);
      },
    );
  }

  #reportStall(lifetime: Lifetime, what: string): void {
    if (!lifetime.isAlive) return;
    this.#problems.push(`${what} does not end`);
    this.#endLifetime(lifetime);
  }

  #handleParked(lifetime: Lifetime): void {
    if (!lifetime.isAlive) return;
    this.#counts.parks += 1;
    for (const { table, isLive, phase } of this.#tables.values()) {
      if (this.#isStopped(lifetime, table)) continue;
      this.#witness.checkAllPublished(streamOf(table));
      // Cards of an attended table may stay until the staff return.
      if (phase === 'dealing' && !isLive) this.#problems.push(`${table} was parked while cards were dealt`);
    }
    this.#endLifetime(lifetime);
  }

  #handlePublish(lifetime: Lifetime, table: string, entries: readonly StoredEntry[]): void {
    if (!lifetime.isAlive) return;
    this.#witness.checkPublished(streamOf(table), entries);
    if (entries.some(({ event }) => event?.type !== 'SlipSet')) lifetime.lastProgress.set(table, this.#time.now);
    // A kill at this point: some entries were published, and no reply was sent.
    if (this.#random.below(10_000) < this.#rates.faults.kill) this.#kill(lifetime, 'any');
  }

  /** A table pauses when the store fails, but not at the first failure, and resumes without help. */
  #handlePause(lifetime: Lifetime, table: string, isPaused: boolean): void {
    if (!lifetime.isAlive) return;
    this.#counts[isPaused ? 'pauses' : 'resumes'] += 1;
    if (isPaused) this.#expectFaults(lifetime, table);
  }

  /** A floor that stops may leave a table unfinished, but not at the first failure. */
  #isStopped(lifetime: Lifetime, table: string): boolean {
    const isStopped = lifetime.floor?.tables.get(table)?.processor.isStopped === true;
    if (isStopped) this.#expectFaults(lifetime, table);
    return isStopped;
  }

  #expectFaults(lifetime: Lifetime, table: string): void {
    const faults = lifetime.faultsAt(streamOf(table));
    if (faults < minFaults) this.#problems.push(`${table} paused after ${faults} failures of the store`);
  }

  readonly #expectFault = (error: unknown, what: string): void => {
    if (!isInjectedFault(error))
      this.#problems.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
  };

  #recordFault(lifetime: Lifetime, operation: Operation, how: string, stream: string | undefined): void {
    const name = `${operation} ${how}`;
    this.#counts.faults[name] = (this.#counts.faults[name] ?? 0) + 1;
    if (how === 'late') return;
    for (const { table } of this.#settings) {
      const own = streamOf(table);
      if (stream === undefined || stream === own) lifetime.recordFault(own);
    }
  }

  /** The store is faulty for some seconds now and then. */
  #scheduleBurst(): void {
    const { burstSeconds } = this.#rates;
    if (burstSeconds === undefined) return;
    this.#time.after(this.#randomDelay(burstSeconds), () => {
      if (this.#rates.burstSeconds === undefined) return;
      const isLong = this.#random.below(3) === 0;
      this.#burst = isLong ? outage : faultBurst;
      this.#burstUntil = this.#time.now + 500 + this.#randomDelay(isLong ? 30 : 2);
      // During the burst some patrons are replaced.
      for (const patron of this.#patrons.filter(({ isPlaying }) => isPlaying).slice(0, 3)) this.#replacePatron(patron);
      this.#scheduleBurst();
    });
  }

  /** Watches for tables without progress, and replaces patrons without credit. */
  #watchProgress(): void {
    this.#time.after(minute, () => {
      const lifetime = this.#lifetime;
      if (lifetime?.floor !== undefined && !lifetime.parking) {
        for (const { table, attended } of this.#settings) {
          if (attended === true) continue;
          const last = lifetime.lastProgress.get(table) ?? this.#time.now;
          lifetime.lastProgress.set(table, last);
          if (this.#time.now - last < maxIdleMs) continue;
          this.#problems.push(`${table} shows no progress since ${last - start} ms after the start`);
          this.#kill(lifetime, 'any');
          break;
        }
      }
      for (const patron of this.#patrons.filter(({ isBroke, isPlaying }) => isBroke && isPlaying))
        this.#replacePatron(patron);
      this.#patrons = this.#patrons.filter(({ isPlaying, pendingCount }) => isPlaying || pendingCount > 0);
      this.#watchProgress();
    });
  }

  // Patrons and their requests.

  /** Half of the patrons have little credit, so that several tables compete for it. */
  #addPatron(): void {
    const number = this.#credits.size;
    const secret = `p${number}`;
    const credit = number % 2 === 0 ? 2_000_000 : 60_000;
    this.#credits.set(secret, credit);
    this.#patrons.push(new Patron(secret, credit, this.#port, this.#time, this.#randomFor(secret)));
  }

  #replacePatron(patron: Patron): void {
    patron.isPlaying = false;
    this.#addPatron();
  }
}

const streamOf = (table: string): string => `${demoOwner.property}/table/${table}`;
