import { createHash } from 'node:crypto';
import { type RandomSource, seededRandom } from '../../src/runtime/ports/random.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/demo.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type TableRuntime, type UncheckedTableSettings } from '../../src/runtime/tables/tableRuntime.ts';
import { CannotRecord } from '../../src/runtime/stream/pendingCommand.ts';
import { minScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';
import { Auditor } from './auditor.ts';
import { type Ran, hashOf, noCounts } from './counts.ts';
import { Disk, type Operation, isMade } from './faultyStore.ts';
import { Lifetime } from './lifetime.ts';
import { Network } from './network.ts';
import { MoneyService } from './moneyService.ts';
import { type Counter, Patron, type Seen, see } from './patron.ts';
import { StaffBooks } from './pit/books.ts';
import { Pit } from './pit/pit.ts';
import { SeatService } from './seatService.ts';
import { withListener } from './storeListener.ts';
import { problemsOf } from './recallCheck.ts';
import { TestClock, flushPromises } from './time.ts';
import { type FaultRates, fair, outage, spell } from './faultRates.ts';
import { SlipWitness } from './slipWitness.ts';

const start = 1_700_006_400_000;
const minute = 60_000;
/** How long a table may show nothing of its own doing. */
const patience = 3 * minute;
/** A table gives up only after so many failures in a row. */
const leastFaults = 2;

type Setting = UncheckedTableSettings & { readonly limits: object };

/** What is more than that is paid by hand, where there is somebody to do so. */
const handPay = 1_000_000;

/** A run that has gone so wrong goes no further. */
const enough = 100;

/**
 * A whole floor under one seed: its clock, its disk, its network, its patrons, and whoever pulls its plug. The same seed
 * gives the same run.
 */
export async function chaos(
  seed: string,
  rounds: number,
  weather: FaultRates,
  settings: readonly Setting[] = demoSettings,
): Promise<Ran> {
  const run = new Run(seed, weather, settings);
  return run.run(rounds);
}

class Run {
  readonly #seed: string;
  readonly #settings: readonly Setting[];
  #weather: FaultRates;
  readonly #time = new TestClock(start);
  readonly #chance: RandomSource;
  readonly #network: Network;
  readonly #record = memoryStore();
  readonly #behind: Store;
  readonly #witness = new SlipWitness();
  readonly #credits = new Map<string, number>();
  readonly #staff: StaffBooks | undefined;
  readonly #auditor: Auditor;
  readonly #pit: Pit | undefined;
  readonly #seen: Map<string, Seen>;
  readonly #counter: Counter;
  #patrons: Patron[] = [];
  readonly #wrong: string[] = [];
  readonly #key: Buffer;
  #life: Lifetime | undefined;
  #lives = 0;
  #ids = 0;
  #badUntil = 0;
  #bad = spell;
  #isOver = false;
  readonly #counts = noCounts();

  constructor(seed: string, weather: FaultRates, settings: readonly Setting[]) {
    this.#seed = seed;
    this.#weather = weather;
    // Settlements in small chunks, so that many a crash falls between two of them.
    this.#settings = settings.map((setting) => ({ ...setting, chunk: 3 }));
    this.#chance = this.#luck('storm');
    this.#network = new Network(this.#time, this.#luck('network'), weather.lines);
    this.#key = createHash('sha256').update(seed).digest();
    this.#behind = withListener(this.#record, {
      wrote: (entries) => this.#wrote(entries),
      refused: (stream, why) => this.#refused(stream, why),
      saved: () => this.#saved(),
      cameBack: () => (this.#counts.backFromSnapshot += 1),
    });
    this.#seen = new Map(
      settings.map(({ table, attended }) => {
        const isLive = attended === true;
        return [table, { table, isLive, round: undefined, before: undefined, phase: 'over' }];
      }),
    );
    const live = settings.filter(({ attended }) => attended === true).map(({ table }) => table);
    this.#staff = live.length > 0 ? new StaffBooks(live) : undefined;
    this.#auditor = new Auditor((secret) => this.#credits.get(secret), this.#staff);
    const parts = {
      network: this.#network,
      chance: this.#chance,
      auditor: this.#auditor,
      witness: this.#witness,
      life: () => this.#life,
      failed: this.#claimMade,
      protest: (what: string) => void this.#wrong.push(what),
    };
    const reception = new SeatService(parts);
    const till = new MoneyService(this.#network, this.#auditor, this.#chance, () => this.#life, this.#claimMade);
    this.#counter = {
      sit: (secret, credit, hear) => this.#network.carry(() => reception.seat(secret, credit, hear)),
      ask: (sent, hear) => this.#network.carry(() => reception.ask(sent, hear)),
      till,
      seen: settings.filter(({ bets }) => bets !== 'chips').map(({ table }) => this.#seen.get(table)!),
      wagersAt: (table) => Object.keys(settings.find((one) => one.table === table)!.limits),
      protest: parts.protest,
    };
    if (this.#staff === undefined) return;
    const luck = (name: string): RandomSource => this.#luck(name);
    const own = { time: this.#time, key: this.#key, books: this.#staff, settings: this.#settings };
    this.#pit = new Pit({ ...parts, ...own, luck, chance: luck('door'), tables: live, tickets: till.tickets });
  }

  async run(rounds: number): Promise<Ran> {
    for (let n = 0; n < 10; n++) this.#welcome();
    this.#begin();
    this.#spell();
    this.#watch();
    await this.#until(() => this.#counts.settled + this.#counts.voids >= rounds, rounds * 3_000);
    if (!this.#isHopeless) await this.#calm();
    this.#isOver = true;
    if (this.#life) this.#leave(this.#life);
    await flushPromises();
    const wrong = [
      ...this.#wrong,
      ...this.#witness.wrong,
      ...(await this.#auditor.audit(this.#record)),
      ...(await problemsOf(this.#record)),
    ];
    const ran = { ...this.#counts, ...this.#auditor.counts(), ...this.#staff?.counts() };
    return { ...ran, hash: await hashOf(this.#record, ran), wrong };
  }

  get #isHopeless(): boolean {
    return this.#wrong.length + this.#witness.wrong.length > enough;
  }

  /** The storm is over: one last floor goes on where the record ends, answers whoever still asks, and parks. */
  async #calm(): Promise<void> {
    const { life: span } = this.#weather;
    this.#weather = fair;
    this.#network.lines = fair.lines;
    this.#badUntil = 0;
    if (this.#life && span !== undefined) this.#kill(this.#life, 'any');
    for (const patron of this.#patrons) patron.playing = false;
    this.#pit?.calm();
    const last = new Map([...this.#seen].map(([table, { round }]) => [table, round]));
    // Where people deal they bring everything to its end; elsewhere tables go on.
    const goOn = (): boolean =>
      [...this.#seen].every(([table, { isLive, round }]) => isLive || round !== last.get(table)) &&
      this.#pit?.isAtRest !== false;
    await this.#until(() => goOn() && this.#patrons.every(({ waiting }) => waiting === 0), 100_000);
    const life = this.#life;
    if (life?.floor === undefined) {
      this.#wrong.push('The floor is closed after the storm');
      return;
    }
    this.#isOver = true;
    this.#park(life);
    await this.#until(() => !life.isAlive, 100_000);
  }

  async #until(isDone: () => boolean, most: number): Promise<void> {
    for (let steps = 0; !isDone() && !this.#isHopeless; steps++) {
      try {
        if (!(await this.#time.next())) this.#wrong.push('Nothing is left to happen');
      } catch (error) {
        this.#wrong.push(`A call broke: ${String(error)}`);
      }
      if (steps > most) {
        this.#wrong.push(`It goes on for ever, at ${this.#time.now}`);
        return;
      }
    }
  }

  #luck(of: string): RandomSource {
    return seededRandom(`${this.#seed}/${of}`);
  }

  /** A time around the mean, in milliseconds. */
  #around(seconds: number): number {
    return this.#chance.below(2 * seconds * 1000);
  }

  /** One floor that looks before it writes meets no guard of the store, but for credit of which it is in doubt. */
  #refused(stream: string, why: Parameters<Parameters<typeof withListener>[1]['refused']>[1]): void {
    if (why.refused === 'balance-guard' && why.account.includes('/terminal/')) return;
    this.#wrong.push(`The store had to refuse ${JSON.stringify(why)} at ${stream}`);
  }

  /** Soon after a snapshot somebody has to come back from it. */
  #saved(): void {
    this.#counts.snapshots += 1;
    const life = this.#life;
    if (life && this.#weather.life !== undefined && this.#chance.below(3) > 0) {
      this.#time.after(this.#around(5), () => this.#kill(life, 'any'));
    }
  }

  #wrote(entries: readonly StoredEntry[]): void {
    this.#witness.wrote(entries);
    this.#staff?.wrote(entries);
    for (const { stream, event } of entries) {
      const seen = this.#seen.get(stream.split('/')[2]!);
      if (seen) see(seen, event);
      if (event.type === 'RoundSettled') this.#counts.settled += 1;
      if (event.type === 'RoundVoided') this.#counts.voids += 1;
      if (event.type === 'TerminalSeated') this.#counts.seats += 1;
    }
  }

  // The floor and its lives.

  #begin(): void {
    const number = ++this.#lives;
    const diskFor = (of: Lifetime): Disk =>
      new Disk(this.#behind, {
        time: this.#time,
        chance: this.#luck(`disk ${number}`),
        faults: () => (this.#time.now < this.#badUntil ? this.#bad : this.#weather.faults),
        pull: (operation) => this.#kill(of, operation),
        struck: (operation, how, stream) => this.#struck(of, operation, how, stream),
        told: (entries, how) => {
          if (how === 'append' && entries[0]) of.wrote(entries[0].stream);
          if (of.isAlive) this.#witness.told(entries);
          if (of.isAlive) this.#staff?.told(entries);
        },
      });
    const life = new Lifetime(this.#time, diskFor);
    this.#life = life;
    this.#witness.began();
    const { life: span } = this.#weather;
    if (span !== undefined) this.#time.after(this.#around(span), () => this.#endOf(life));
    this.#time.after(5 * minute, () => life.floor ?? this.#loseHeart(life, 'Opening'));
    const trouble = (who: string, error: unknown): void => void (life.isAlive && this.#claimMade(error, who));
    // No failure of a disk that may heal ends anything.
    const ended = (what: string, error: unknown): void =>
      void (life.isAlive && this.#wrong.push(`${what} has stopped: ${String(error)}`));
    const world = {
      store: life.disk.store,
      clock: this.#time.clock,
      random: this.#luck(`floor ${number}`),
      key: this.#key,
      after: life.after,
      newId: () => (this.#ids++).toString(16).padStart(8, '0'),
      publish: ({ id }: TableRuntime, entries: readonly StoredEntry[]) => this.#published(life, id, entries),
      sleep: (time: number) => new Promise<void>((resolve) => void life.after(time, resolve)),
      onWarning: trouble,
      onRetrying: trouble,
      onRecovered: () => {},
      onTablePaused: (table: string, isHalted: boolean) => this.#halted(life, table, isHalted),
      onTableCrashed: (table: string, error: unknown) => ended(table, error),
      onFatal: (error: unknown) => ended('The record', error),
      ...(this.#staff && { staff: { demo: true, cost: minScryptCost }, handPayLimit: handPay }),
    };
    FloorRuntime.open(demoOwner, this.#settings, demoPace, world).then(
      (floor) => this.#opened(life, floor),
      (error: unknown) => this.#failed(life, error),
    );
  }

  #opened(life: Lifetime, floor: FloorRuntime): void {
    if (!life.isAlive) return;
    life.floor = floor;
    const beat = (): void => {
      if (!life.isAlive) return;
      floor.recordHeartbeats().catch((error: unknown) => this.#claimMade(error, 'The heartbeat'));
      this.#time.after(2_000, beat);
    };
    beat();
  }

  #failed(life: Lifetime, error: unknown): void {
    if (!life.isAlive) return;
    this.#claimMade(error instanceof CannotRecord ? error.cause : error, 'Opening');
    this.#counts.failedStarts += 1;
    this.#leave(life);
  }

  /** Whatever it is doing: nothing of it is left. */
  #kill(life: Lifetime, where: Operation | 'any'): void {
    if (!life.isAlive) return;
    const name = life.floor === undefined ? 'opening' : life.parking ? 'parking' : where;
    this.#counts.crashes[name] = (this.#counts.crashes[name] ?? 0) + 1;
    this.#leave(life);
  }

  #leave(life: Lifetime): void {
    life.end();
    this.#auditor.gone();
    this.#life = undefined;
    if (!this.#isOver) this.#time.after(500 + this.#around(this.#chance.below(3) === 0 ? 20 : 3), () => this.#begin());
  }

  /** Its time is up: by a pulled plug, in good order, or both. */
  #endOf(life: Lifetime): void {
    const how = this.#chance.below(5);
    if (how < 2) this.#kill(life, 'any');
    else this.#park(life);
    if (how > 2) this.#time.after(this.#around(3), () => this.#kill(life, 'any'));
  }

  #park(life: Lifetime): void {
    if (!life.isAlive || life.floor === undefined || life.parking) return;
    const { floor } = life;
    life.parking = true;
    this.#time.after(5 * minute, () => this.#loseHeart(life, 'Parking'));
    floor.drain().then(
      () => this.#parked(life),
      (error: unknown) => {
        if (!life.isAlive) return;
        this.#claimMade(error, 'Parking');
        this.#leave(life);
      },
    );
  }

  #loseHeart(life: Lifetime, what: string): void {
    if (!life.isAlive) return;
    this.#wrong.push(`${what} never ends`);
    this.#leave(life);
  }

  #parked(life: Lifetime): void {
    if (!life.isAlive) return;
    this.#counts.parks += 1;
    for (const { table, isLive, phase } of this.#seen.values()) {
      if (this.#gaveUp(life, table)) continue;
      this.#witness.rested(streamOf(table));
      // Where people deal, cards may lie there until they come back.
      if (phase === 'dealing' && !isLive) this.#wrong.push(`${table} was parked while cards were dealt`);
    }
    this.#leave(life);
  }

  #published(life: Lifetime, table: string, entries: readonly StoredEntry[]): void {
    if (!life.isAlive) return;
    this.#witness.published(streamOf(table), entries);
    if (entries.some(({ event }) => event?.type !== 'SlipSet')) life.moved.set(table, this.#time.now);
    // Some have seen it, and nobody is answered.
    if (this.#chance.below(10_000) < this.#weather.faults.plug) this.#kill(life, 'any');
  }

  /** A table that waits for the disk; it does not at the first failure, and it goes on by itself. */
  #halted(life: Lifetime, table: string, isHalted: boolean): void {
    if (!life.isAlive) return;
    this.#counts[isHalted ? 'halts' : 'healed'] += 1;
    if (isHalted) this.#expectFaults(life, table);
  }

  /** Whoever is to go may give a table up, but not at the first failure. */
  #gaveUp(life: Lifetime, table: string): boolean {
    const isStopped = life.floor?.tables.get(table)?.processor.isStopped === true;
    if (isStopped) this.#expectFaults(life, table);
    return isStopped;
  }

  #expectFaults(life: Lifetime, table: string): void {
    const faults = life.faultsAt(streamOf(table));
    if (faults < leastFaults) this.#wrong.push(`${table} gave in after ${faults} failures of the store`);
  }

  readonly #claimMade = (error: unknown, what: string): void => {
    if (!isMade(error)) this.#wrong.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
  };

  #struck(life: Lifetime, operation: Operation, how: string, stream: string | undefined): void {
    const name = `${operation} ${how}`;
    this.#counts.faults[name] = (this.#counts.faults[name] ?? 0) + 1;
    if (how === 'late') return;
    for (const { table } of this.#settings) {
      const own = streamOf(table);
      if (stream === undefined || stream === own) life.struck(own);
    }
  }

  /** Now and then the disk is bad for some seconds. */
  #spell(): void {
    const { spells } = this.#weather;
    if (spells === undefined) return;
    this.#time.after(this.#around(spells), () => {
      if (this.#weather.spells === undefined) return;
      const isLong = this.#chance.below(3) === 0;
      this.#bad = isLong ? outage : spell;
      this.#badUntil = this.#time.now + 500 + this.#around(isLong ? 30 : 2);
      // Just then others come, and some go for them.
      for (const patron of this.#patrons.filter(({ playing }) => playing).slice(0, 3)) this.#replace(patron);
      this.#spell();
    });
  }

  /** Looks after tables that stand still, and after patrons without credit. */
  #watch(): void {
    this.#time.after(minute, () => {
      const life = this.#life;
      if (life?.floor !== undefined && !life.parking) {
        for (const { table, attended } of this.#settings) {
          if (attended === true) continue;
          const last = life.moved.get(table) ?? this.#time.now;
          life.moved.set(table, last);
          if (this.#time.now - last < patience) continue;
          this.#wrong.push(`${table} stands still since ${last - start} ms after the start`);
          this.#kill(life, 'any');
          break;
        }
      }
      for (const patron of this.#patrons.filter(({ isBroke, playing }) => isBroke && playing)) this.#replace(patron);
      this.#patrons = this.#patrons.filter(({ playing, waiting }) => playing || waiting > 0);
      this.#watch();
    });
  }

  // The patrons and their way to the floor.

  /** Half of them have little, so that they ask several tables for the same money. */
  #welcome(): void {
    const number = this.#credits.size;
    const secret = `p${number}`;
    const credit = number % 2 === 0 ? 2_000_000 : 60_000;
    this.#credits.set(secret, credit);
    this.#patrons.push(new Patron(secret, credit, this.#counter, this.#time, this.#luck(secret)));
  }

  #replace(patron: Patron): void {
    patron.playing = false;
    this.#welcome();
  }
}

const streamOf = (table: string): string => `${demoOwner.property}/table/${table}`;
