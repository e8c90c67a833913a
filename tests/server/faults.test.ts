import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { databasePath } from '../../src/store/sqlite/dataFolder.ts';
import { root as project } from '../architecture/sources.ts';
import { seed } from '../seed.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { Loaded, sleep } from './loaded.ts';

const root = temporaryFolder('faults');
const chance = seededRandom(`${seed}`);

/** Whether the size of files can be limited for a program that runs, so that its writes are cut short by the system itself. */
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** What a disk does: it fails at once, fails at the end of a commit, writes less than it is told, is full, is slow. */
const faults = ['failing', 'unsynced', ...(canLimit ? (['short'] as const) : []), 'full', 'slow'] as const;
type Fault = (typeof faults)[number];

/** A server under load, and its disk in the hands of a test. */
class Floor extends Loaded {
  readonly #data: string;
  readonly #file: string;

  constructor(name: string) {
    const [data, file] = [join(root, `${name}-data`), join(root, `${name}-room`)];
    const words = ['--import', join(project, 'tests/cli/room.ts')];
    super(chance, { root, data, wishes: { isDiskBad: true }, words, env: { ROOM_FILE: file } });
    this.#data = data;
    this.#file = file;
    writeFileSync(`${file}.struck`, '');
    this.#says('well');
  }

  #says(word: string): void {
    writeFileSync(this.#file, word);
  }

  /** How often the disk was slow, failed, or wrote less than it was told, as the test wanted. */
  get #struck(): number {
    return readFileSync(`${this.#file}.struck`).length;
  }

  /** So many bytes are the most that a file may have. */
  #limit(bytes: number | 'unlimited'): void {
    const { status, stderr } = spawnSync('prlimit', [`--pid=${this.pid}`, `--fsize=${bytes}:unlimited`]);
    if (status !== 0) throw new Error(stderr.toString());
  }

  /** Somewhere in the log: beyond its end, which is reached where it grows, or before it, where it is begun anew. */
  #edge(): number {
    const { size } = statSync(`${databasePath(this.#data)}-wal`);
    return chance.below(2) === 0 ? size + 200_000 + chance.below(4_000) : 50_000 + chance.below(Math.max(1, size));
  }

  begin(fault: Fault): void {
    if (fault === 'full') this.#says('1');
    else if (fault === 'short') this.#limit(this.#edge());
    else this.#says(fault);
  }

  end(): void {
    this.#says('well');
    if (canLimit) this.#limit('unlimited');
  }

  /** The log is written until a frame does not fit whole; where it has gone past that place, or never comes there, once more. */
  async #cutShort(): Promise<void> {
    const struck = this.#struck;
    for (;;) {
      const [begun, refused] = [performance.now(), this.refused('cannot-record')];
      const isLong = (): boolean => performance.now() - begun > 5_000;
      await this.until(() => this.#struck > struck || this.refused('cannot-record') > refused || isLong());
      if (this.#struck > struck) break;
      this.end();
      const accepted = this.accepted;
      await this.until(() => this.accepted > accepted);
      this.begin('short');
    }
    this.#limit(1_000);
  }

  /** A fault is over before any table gives up, or lasts until some have for the time being; then all goes on. */
  async suffer(fault: Fault, isBrief: boolean): Promise<void> {
    const [struck, refused, unknown] = [this.#struck, this.refused('cannot-record'), this.refused('result-unknown')];
    // Where every slip was on its way when the disk failed, all that anybody hears is that nobody knows.
    const isFelt = (): boolean =>
      this.refused('cannot-record') >= refused + 20 || this.refused('result-unknown') >= unknown + 1_000;
    this.begin(fault);
    if (fault === 'slow') await this.until(() => this.#struck >= struck + 5);
    if (fault === 'short') await this.#cutShort();
    if (fault === 'failing' || fault === 'unsynced') await this.until(() => this.#struck > struck);
    if (fault !== 'slow' && !isBrief) await this.until(isFelt);
    this.end();
    const after = this.accepted;
    await this.until(() => this.accepted >= after + 50);
  }
}

const turns = times(1);
/** A new record now and then, since all of it is checked at its end. */
const atMost = 5;

test(`a disk that is bad ${turns * faults.length} times under load (${faults.join(', ')}): nothing acknowledged is lost or doubled, every round ends once, the record verifies`, async () => {
  let [accepted, refused, unknown, rounds] = [0, 0, 0, 0];
  for (let turn = 0; turn < turns; turn += atMost) {
    const floor = new Floor(`${turn}`);
    floor.start();
    await floor.open();
    for (let n = turn; n < Math.min(turns, turn + atMost); n++) {
      for (const fault of faults) await floor.suffer(fault, fault !== 'full' && chance.below(2) === 0);
    }
    // The plug is pulled while the disk is bad.
    floor.begin(faults[chance.below(faults.length)]!);
    await sleep(chance.below(500));
    await floor.kill();
    const { wrong, events } = await floor.theme();
    expect(wrong).toEqual([]);
    expect(events.get('BetsOpened')).toBeGreaterThan(0);
    floor.leave();
    accepted += floor.accepted;
    refused += floor.refused('cannot-record');
    unknown += floor.refused('result-unknown');
    rounds += events.get('BetsOpened') ?? 0;
  }
  reportToSoak(
    `${turns * faults.length} faults (${faults.join(', ')}): ${accepted} slips accepted, ${refused} refused and ${unknown} in doubt for a while, ${rounds} rounds`,
  );
});
