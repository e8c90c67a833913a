import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { databasePath } from '../../../src/store/sqlite/dataFolder.ts';
import { root as project } from '../../architecture/sources.ts';
import { seed } from '../../seed.ts';
import { temporaryFolder } from '../../temporary.ts';
import { reportToSoak, times } from '../../times.ts';
import { LoadedServer, sleep } from '../support/loadedServer.ts';

const root = temporaryFolder('faults');
const random = createSeededRandom(`${seed}`);

/** Whether `prlimit` can limit the file size of a running process, so that the system cuts its writes short. */
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** Disk faults: a write fails, a sync fails, a write is short, the disk is full, the disk is slow. */
const faults = ['failing', 'unsynced', ...(canLimit ? (['short'] as const) : []), 'full', 'slow'] as const;
type Fault = (typeof faults)[number];

/** A server under load with disk faults that the test controls. */
class FaultyServer extends LoadedServer {
  readonly #data: string;
  readonly #file: string;

  constructor(name: string) {
    const [data, file] = [join(root, `${name}-data`), join(root, `${name}-room`)];
    const nodeOptions = ['--import', join(project, 'tests/cli/support/diskFaults.ts')];
    super(random, {
      root,
      data,
      programOptions: { isDiskBad: true },
      nodeOptions: nodeOptions,
      env: { DISK_FILE: file },
    });
    this.#data = data;
    this.#file = file;
    writeFileSync(`${file}.struck`, '');
    this.#setDiskState('well');
  }

  #setDiskState(state: string): void {
    writeFileSync(this.#file, state);
  }

  /** Number of injected faults that took effect. */
  get #faultCount(): number {
    return readFileSync(`${this.#file}.struck`).length;
  }

  /** Limits the size of a file, in bytes. */
  #limitFileSize(bytes: number | 'unlimited'): void {
    const { status, stderr } = spawnSync('prlimit', [`--pid=${this.pid}`, `--fsize=${bytes}:unlimited`]);
    if (status !== 0) throw new Error(stderr.toString());
  }

  /** An offset in the log: beyond its end, reached as it grows, or before it, reached when it restarts. */
  #logOffset(): number {
    const { size } = statSync(`${databasePath(this.#data)}-wal`);
    return random.below(2) === 0 ? size + 200_000 + random.below(4_000) : 50_000 + random.below(Math.max(1, size));
  }

  beginFault(fault: Fault): void {
    if (fault === 'full') this.#setDiskState('1');
    else if (fault === 'short') this.#limitFileSize(this.#logOffset());
    else this.#setDiskState(fault);
  }

  endFault(): void {
    this.#setDiskState('well');
    if (canLimit) this.#limitFileSize('unlimited');
  }

  /**
   * Limits the log until a frame does not fit whole; repeats where the log has passed the offset or never reaches it.
   */
  async #cutWriteShort(): Promise<void> {
    const faultCount = this.#faultCount;
    for (;;) {
      const [startedAt, refused] = [performance.now(), this.refusalCount('cannot-record')];
      const isLong = (): boolean => performance.now() - startedAt > 5_000;
      await this.waitUntil(
        () => this.#faultCount > faultCount || this.refusalCount('cannot-record') > refused || isLong(),
      );
      if (this.#faultCount > faultCount) break;
      this.endFault();
      const accepted = this.accepted;
      await this.waitUntil(() => this.accepted > accepted);
      this.beginFault('short');
    }
    this.#limitFileSize(1_000);
  }

  /** Waits until bets are closed at all tables and no slip is pending. Later in play the rounds may never coincide. */
  async waitForClosedBets(): Promise<void> {
    const startedAt = performance.now();
    await this.waitUntil(
      () => !this.bettors.some(({ isBetting }) => isBetting) || performance.now() - startedAt > 10_000,
    );
  }

  /** A brief fault ends before any table pauses; a long one lasts until some tables have paused. Then all resume. */
  async runFault(fault: Fault, isBrief: boolean): Promise<void> {
    const [faultCount, refused] = [this.#faultCount, this.refusalCount('cannot-record')];
    // Without open bets, or when every slip was in flight as the disk failed, no slip is refused with `cannot-record`.
    const isVisible = (): boolean =>
      this.refusalCount('cannot-record') >= refused + 20 || this.bettors.every(({ isBlocked }) => isBlocked);
    this.beginFault(fault);
    if (fault === 'slow') await this.waitUntil(() => this.#faultCount >= faultCount + 5);
    if (fault === 'short') await this.#cutWriteShort();
    if (fault === 'failing' || fault === 'unsynced') await this.waitUntil(() => this.#faultCount > faultCount);
    if (fault !== 'slow' && !isBrief) await this.waitUntil(isVisible);
    this.endFault();
    const after = this.accepted;
    await this.waitUntil(() => this.accepted >= after + 50);
  }
}

const repeats = times(1);
/** New event store after this number of faults, because the whole store is verified at its end. */
const repeatsPerStore = 5;
/** Each store has one more fault, which begins while bets are closed at all tables. */
const faultCount = repeats * faults.length + Math.ceil(repeats / repeatsPerStore);

test(`${faultCount} disk faults under load (${faults.join(', ')}): nothing acknowledged is lost or duplicated, every round ends once, the event log verifies`, async () => {
  let [accepted, refused, unknown, rounds] = [0, 0, 0, 0];
  for (let repeat = 0; repeat < repeats; repeat += repeatsPerStore) {
    const floor = new FaultyServer(`${repeat}`);
    floor.start();
    await floor.connectPatrons();
    // Tables that cannot open their first round get no slip, and so refuse none.
    await floor.waitUntil(() => floor.accepted >= 50);
    await floor.waitForClosedBets();
    await floor.runFault('failing', false);
    for (let n = repeat; n < Math.min(repeats, repeat + repeatsPerStore); n++) {
      for (const fault of faults) await floor.runFault(fault, fault !== 'full' && random.below(2) === 0);
    }
    // The process is killed during a disk fault.
    floor.beginFault(faults[random.below(faults.length)]!);
    await sleep(random.below(500));
    await floor.kill();
    const { problems, events } = await floor.checkStore();
    expect(problems).toEqual([]);
    expect(events.get('BetsOpened')).toBeGreaterThan(0);
    floor.disconnectPatrons();
    accepted += floor.accepted;
    refused += floor.refusalCount('cannot-record');
    unknown += floor.refusalCount('result-unknown');
    rounds += events.get('BetsOpened') ?? 0;
  }
  reportToSoak(
    `${faultCount} faults (${faults.join(', ')}): ${accepted} slips accepted, ${refused} refused and ${unknown} in doubt for a while, ${rounds} rounds`,
  );
});
