import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type SqliteStore, sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/demo.ts';
import { start } from '../runtime/made.ts';
import { AuditorFile } from './auditorFile.ts';
import { Disk } from './faultyStore.ts';
import { Lifetime } from './lifetime.ts';
import { ReturningPatron, initialCredit } from './returningPatron.ts';
import { TestClock, flushPromises } from './time.ts';
import { fair } from './faultRates.ts';

/** What came of it. */
type Day = {
  readonly settled: number;
  readonly voids: number;
  readonly accepted: number;
  readonly collected: number;
  readonly kills: number;
  readonly parks: number;
  /** What is in use of the heap when the floor runs for good, and at the end. */
  readonly heap: readonly [number, number];
  readonly wrong: readonly string[];
};

const tables = demoSettings.slice(0, 4);
const patrons = 30;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A floor of four tables on a real record for so long, by a clock that waits for the disk; in the first half it restarts now and then. */
export async function day(seed: string, folder: string, span: number): Promise<Day> {
  const run = new Run(seed, folder);
  await run.open();
  run.welcome();
  while (run.passed < span / 2) {
    await run.goOn(span / 60 + run.chance.below(span / 8));
    await run.restart();
  }
  await run.goOn(span / 12);
  const early = run.heap();
  await run.goOn(Math.max(0, span - run.passed));
  const late = run.heap();
  await run.park();
  return run.told([early, late]);
}

class Run {
  readonly chance;
  readonly #seed: string;
  readonly #folder: string;
  readonly #time = new TestClock(start);
  readonly #key: Buffer;
  readonly #books: AuditorFile;
  readonly #wrong: string[] = [];
  readonly #counts = { settled: 0, voids: 0, kills: 0, parks: 0 };
  #regulars: readonly ReturningPatron[] = [];
  #store: SqliteStore | undefined;
  #life: Lifetime | undefined;
  #ids = 0;
  #away = 0;
  /** So many writes are under way. */
  #writing = 0;

  constructor(seed: string, folder: string) {
    this.#seed = seed;
    this.#folder = folder;
    this.chance = seededRandom(seed);
    this.#key = createHash('sha256').update(seed).digest();
    this.#books = new AuditorFile(join(folder, 'books'));
  }

  /** For so long it has been open. */
  get passed(): number {
    return this.#time.now - start - this.#away;
  }

  welcome(): void {
    const house = { time: this.#time, books: this.#books, floor: () => this.#life?.counter };
    this.#regulars = Array.from(
      { length: patrons },
      (_, n) => new ReturningPatron(house, `r${n}`, seededRandom(`${this.#seed}/${n}`)),
    );
  }

  async open(): Promise<void> {
    const store = await sqliteStore(join(this.#folder, 'data'));
    this.#store = store;
    const parts = { time: this.#time, chance: this.chance, faults: () => fair.faults };
    const nothing = (): void => {};
    const life = new Lifetime(
      this.#time,
      () => new Disk(this.#counted(store), { ...parts, pull: nothing, struck: nothing, told: nothing }),
    );
    this.#life = life;
    const wrong = (who: string, error: unknown): void => {
      if (life.isAlive) this.#wrong.push(`${who}: ${String(error)}`);
    };
    life.floor = await this.#until(
      FloorRuntime.open(demoOwner, tables, demoPace, {
        store: life.disk.store,
        clock: this.#time.clock,
        random: this.chance,
        key: this.#key,
        after: life.after,
        sleep: (time) => new Promise((resolve) => void life.after(time, resolve)),
        newId: () => (this.#ids++).toString(16).padStart(8, '0'),
        publish: (_, entries) => {
          for (const { event } of entries) {
            if (event.type === 'RoundSettled') this.#counts.settled += 1;
            if (event.type === 'RoundVoided') this.#counts.voids += 1;
          }
        },
        onWarning: wrong,
        onTableCrashed: wrong,
        onRetrying: wrong,
        onRecovered: nothing,
        onFatal: (error) => wrong('The record', error),
      }),
    );
    const beat = (): void => {
      life.floor!.recordHeartbeats().catch((error: unknown) => wrong('The heartbeat', error));
      life.after(2_000, beat);
    };
    beat();
  }

  /** The plug is pulled, or it ends in good order; a while later it is back. */
  async restart(): Promise<void> {
    if (this.chance.below(2) === 0) {
      this.#counts.kills += 1;
      await this.#end();
    } else await this.park();
    const away = 500 + this.chance.below(this.chance.below(2) === 0 ? 3_000 : 300_000);
    this.#away += away;
    this.#time.now += away;
    await this.open();
  }

  async park(): Promise<void> {
    const life = this.#life!;
    const { floor } = life;
    life.parking = true;
    this.#counts.parks += 1;
    await this.#until(floor!.drain());
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#life!.end();
    this.#life = undefined;
    this.#books.write('gone');
    await this.#rest();
    await this.#store!.close();
  }

  /** So much time passes. */
  async goOn(span: number): Promise<void> {
    const end = this.#time.now + span;
    while (this.#time.now < end) await this.#step();
  }

  async #step(): Promise<void> {
    await this.#rest();
    if (!(await this.#time.next())) throw new Error('Nothing is left to happen.');
  }

  /** Whatever is under way is done, on the disk as well. */
  async #rest(): Promise<void> {
    do await flushPromises();
    while (this.#writing > 0);
  }

  async #until<T>(coming: Promise<T>): Promise<T> {
    const state = { isThere: false };
    const seen = (): void => void (state.isThere = true);
    coming.then(seen, seen);
    while (!state.isThere) await this.#step();
    return coming;
  }

  #counted(store: Store): Store {
    const count = async <T>(writing: Promise<T>): Promise<T> => {
      this.#writing += 1;
      return writing.finally(() => (this.#writing -= 1));
    };
    return {
      ...store,
      append: (batch) => count(store.append(batch)),
      saveSnapshot: (...what) => count(store.saveSnapshot(...what)),
      putBlob: (...what) => count(store.putBlob(...what)),
      recordHeartbeats: (...what) => count(store.recordHeartbeats(...what)),
      putValue: (...what) => count(store.putValue(...what)),
      checkpoint: (checkpoint) => count(store.checkpoint(checkpoint)),
    };
  }

  heap(): number {
    this.#books.flush();
    collectGarbage();
    return getHeapStatistics().used_heap_size;
  }

  async told(heap: Day['heap']): Promise<Day> {
    const auditor = await this.#books.auditor(initialCredit);
    const store = await sqliteStore(join(this.#folder, 'data'));
    const { problem } = await verifyStore(store);
    const audit = await auditor.audit(store);
    await store.close();
    const wrong = [...this.#wrong, ...audit, ...(problem === undefined ? [] : [problem])];
    const collected = this.#regulars.reduce((sum, one) => sum + one.collected, 0);
    return { ...this.#counts, accepted: auditor.count().accepted, collected, heap, wrong };
  }
}
