import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { type SqliteStore, openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { start } from '../runtime/support/testDependencies.ts';
import { AuditorFile } from './audit/auditorFile.ts';
import { FaultyStore } from './faults/faultyStore.ts';
import { Lifetime } from './lifetime.ts';
import { ReturningPatron, initialCredit } from './patrons/returningPatron.ts';
import { TestClock, flushPromises } from './time.ts';
import { noFaults } from './faults/faultRates.ts';

/** Result of a run. */
type DayResult = {
  readonly settled: number;
  readonly voids: number;
  readonly accepted: number;
  readonly collected: number;
  readonly kills: number;
  readonly parks: number;
  /** Used heap in bytes: after the start, and at the end. */
  readonly heap: readonly [number, number];
  readonly problems: readonly string[];
};

const tables = demoSettings.slice(0, 4);
const patronCount = 30;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs a floor of four tables on a SQLite store, on a clock that waits for the disk; restarts it in the first half. */
export async function runDay(seed: string, folder: string, span: number): Promise<DayResult> {
  const run = new DayRun(seed, folder);
  await run.open();
  run.addPatrons();
  while (run.openMs < span / 2) {
    await run.advance(span / 60 + run.random.below(span / 8));
    await run.restart();
  }
  await run.advance(span / 12);
  const early = run.heap();
  await run.advance(Math.max(0, span - run.openMs));
  const late = run.heap();
  await run.park();
  return run.result([early, late]);
}

class DayRun {
  readonly random;
  readonly #seed: string;
  readonly #folder: string;
  readonly #time = new TestClock(start);
  readonly #key: Buffer;
  readonly #auditorFile: AuditorFile;
  readonly #problems: string[] = [];
  readonly #counts = { settled: 0, voids: 0, kills: 0, parks: 0 };
  #patrons: readonly ReturningPatron[] = [];
  #store: SqliteStore | undefined;
  #lifetime: Lifetime | undefined;
  #ids = 0;
  #downtimeMs = 0;
  /** Number of writes in progress. */
  #pendingWrites = 0;

  constructor(seed: string, folder: string) {
    this.#seed = seed;
    this.#folder = folder;
    this.random = createSeededRandom(seed);
    this.#key = createHash('sha256').update(seed).digest();
    this.#auditorFile = new AuditorFile(join(folder, 'books'));
  }

  /** Time during which the floor was open. */
  get openMs(): number {
    return this.#time.now - start - this.#downtimeMs;
  }

  addPatrons(): void {
    const environment = { time: this.#time, auditorFile: this.#auditorFile, floor: () => this.#lifetime?.openFloor };
    this.#patrons = Array.from(
      { length: patronCount },
      (_, n) => new ReturningPatron(environment, `r${n}`, createSeededRandom(`${this.#seed}/${n}`)),
    );
  }

  async open(): Promise<void> {
    const store = await openSqliteStore(join(this.#folder, 'data'));
    this.#store = store;
    const options = { time: this.#time, random: this.random, faults: () => noFaults.faults };
    const nothing = (): void => {};
    const lifetime = new Lifetime(
      this.#time,
      () =>
        new FaultyStore(this.#countWrites(store), {
          ...options,
          onKill: nothing,
          onFault: nothing,
          onEntries: nothing,
        }),
    );
    this.#lifetime = lifetime;
    const report = (who: string, error: unknown): void => {
      if (lifetime.isAlive) this.#problems.push(`${who}: ${String(error)}`);
    };
    lifetime.floor = await this.#stepUntil(
      openFloor(demoOwner, tables, demoPace, {
        store: lifetime.faultyStore.store,
        clock: this.#time.clock,
        random: this.random,
        key: this.#key,
        after: lifetime.after,
        sleep: (time) => new Promise((resolve) => void lifetime.after(time, resolve)),
        newId: () => (this.#ids++).toString(16).padStart(8, '0'),
        publish: (_, entries) => {
          for (const { event } of entries) {
            if (event.type === 'RoundSettled') this.#counts.settled += 1;
            if (event.type === 'RoundVoided') this.#counts.voids += 1;
          }
        },
        onWarning: report,
        onTableCrashed: report,
        onRetrying: report,
        onRecovered: nothing,
        onFatal: (error) => report('The event store', error),
      }),
    );
    const heartbeat = (): void => {
      lifetime.floor!.recordHeartbeats().catch((error: unknown) => report('The heartbeat', error));
      lifetime.after(2_000, heartbeat);
    };
    heartbeat();
  }

  /** Kills or parks the floor, and opens it again later. */
  async restart(): Promise<void> {
    if (this.random.below(2) === 0) {
      this.#counts.kills += 1;
      await this.#end();
    } else await this.park();
    const downtimeMs = 500 + this.random.below(this.random.below(2) === 0 ? 3_000 : 300_000);
    this.#downtimeMs += downtimeMs;
    this.#time.now += downtimeMs;
    await this.open();
  }

  async park(): Promise<void> {
    const lifetime = this.#lifetime!;
    const { floor } = lifetime;
    lifetime.parking = true;
    this.#counts.parks += 1;
    await this.#stepUntil(floor!.drain());
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#lifetime!.end();
    this.#lifetime = undefined;
    this.#auditorFile.write('gone');
    await this.#flush();
    await this.#store!.close();
  }

  /** Advances time. */
  async advance(span: number): Promise<void> {
    const end = this.#time.now + span;
    while (this.#time.now < end) await this.#step();
  }

  async #step(): Promise<void> {
    await this.#flush();
    if (!(await this.#time.next())) throw new Error('No timer is left.');
  }

  /** Waits until nothing is in progress, also on the disk. */
  async #flush(): Promise<void> {
    do await flushPromises();
    while (this.#pendingWrites > 0);
  }

  async #stepUntil<T>(promise: Promise<T>): Promise<T> {
    const state = { isThere: false };
    const settled = (): void => void (state.isThere = true);
    promise.then(settled, settled);
    while (!state.isThere) await this.#step();
    return promise;
  }

  #countWrites(store: Store): Store {
    const count = async <T>(write: Promise<T>): Promise<T> => {
      this.#pendingWrites += 1;
      return write.finally(() => (this.#pendingWrites -= 1));
    };
    return {
      ...store,
      append: (batch) => count(store.append(batch)),
      saveSnapshot: (...what) => count(store.saveSnapshot(...what)),
      putBlob: (...what) => count(store.putBlob(...what)),
      recordHeartbeats: (...what) => count(store.recordHeartbeats(...what)),
      putValue: (...what) => count(store.putValue(...what)),
      saveCheckpoint: (checkpoint) => count(store.saveCheckpoint(checkpoint)),
    };
  }

  heap(): number {
    this.#auditorFile.flush();
    collectGarbage();
    return getHeapStatistics().used_heap_size;
  }

  async result(heap: DayResult['heap']): Promise<DayResult> {
    const auditor = await this.#auditorFile.auditor(initialCredit);
    const store = await openSqliteStore(join(this.#folder, 'data'));
    const { problem } = await verifyStore(store);
    const audit = await auditor.audit(store);
    await store.close();
    const report = [...this.#problems, ...audit, ...(problem === undefined ? [] : [problem])];
    const collected = this.#patrons.reduce((sum, patron) => sum + patron.collectCount, 0);
    return { ...this.#counts, accepted: auditor.count().accepted, collected, heap, problems: report };
  }
}
