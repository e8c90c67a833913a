import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { Auditor } from '../chaos/auditor.ts';
import { type RunCheck, checkRun } from '../chaos/checkRun.ts';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { compileCache } from '../compiled.ts';
import { demoCredit, demoSettings } from '../runtime/demo.ts';
import { Bettor } from './bettor.ts';
import { Casher } from './casher.ts';
import type { Wishes } from './program.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

export const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** How long a floor under load may take for anything, on a machine that is slow. */
const patience = 300_000;

type Ways = {
  /** A folder for the record and its key; the record is in `data`. */
  readonly root: string;
  readonly data: string;
  readonly wishes?: Wishes;
  /** What Node is told besides. */
  readonly words?: readonly string[];
  readonly env?: { readonly [name: string]: string };
};

/** Terminals that bet. */
const bettors = 40;

/** A record, terminals that bet at its tables, ten that load and collect, and one server after another in a process of its own. */
export class Loaded {
  readonly auditor = new Auditor(() => demoCredit);
  readonly bettors: readonly Bettor[];
  readonly cashers: readonly Casher[];
  readonly #ways: Ways;
  #child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  #ended: Promise<unknown> | undefined;
  #told = '';
  #complaint = '';

  constructor(chance: RandomSource, ways: Ways) {
    this.#ways = ways;
    this.bettors = Array.from(
      { length: bettors },
      (_, n) => new Bettor(demoSettings[n % demoSettings.length]!.table, chance, this.auditor),
    );
    const tickets: string[] = [];
    this.cashers = demoSettings.map(({ table }) => new Casher(table, chance, this.auditor, tickets));
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  get accepted(): number {
    return this.auditor.count().accepted;
  }

  /** So many notes, tickets and payments were answered. */
  get moved(): number {
    return this.cashers.reduce((sum, { done }) => sum + done, 0);
  }

  /** So many slips were refused with this code. */
  refused(code: string): number {
    return this.bettors.reduce((sum, { refusals }) => sum + (refusals.get(code) ?? 0), 0);
  }

  start(): void {
    const { root, data, wishes = {}, words = [], env = {} } = this.#ways;
    const child = spawn(process.execPath, [...words, program, data, root, JSON.stringify(wishes)], {
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Also where the test fails.
    onTestFinished(() => void child.kill('SIGKILL'));
    this.#child = child;
    this.#told = '';
    this.#complaint = '';
    child.stdout.on('data', (chunk: Buffer) => (this.#told += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.#complaint += chunk.toString()));
    this.#ended = once(child, 'close');
  }

  /** Everybody comes in, once the server takes them. */
  async open(): Promise<void> {
    await this.#when(() => this.#told.includes('\n'), 10);
    for (const one of [...this.bettors, ...this.cashers]) one.connect(this.#told.trim());
  }

  /** Waits until something is so; whatever ends the server before is wrong, and so is a floor that stands still. */
  async until(isSo: () => boolean): Promise<void> {
    const begun = performance.now();
    await this.#when(() => {
      if (performance.now() - begun > patience) throw new Error(`Nothing goes on: ${this.#stand()}`);
      return isSo();
    }, 20);
    if (this.#child!.exitCode !== null) throw new Error(`The server has ended: ${this.#complaint}`);
  }

  async #when(isSo: () => boolean, every: number): Promise<void> {
    while (!isSo() && this.#child!.exitCode === null) await sleep(every);
  }

  /** What everybody was told, and what the tables show. */
  #stand(): string {
    const refusals = new Map<string, number>();
    const tables = new Map<string, number>();
    for (const bettor of this.bettors) {
      for (const [code, often] of bettor.refusals) refusals.set(code, (refusals.get(code) ?? 0) + often);
      tables.set(bettor.stand, (tables.get(bettor.stand) ?? 0) + 1);
    }
    return JSON.stringify({ accepted: this.accepted, refusals: [...refusals], tables: [...tables] });
  }

  /** Pulls the plug. */
  async kill(): Promise<void> {
    this.#child!.kill('SIGKILL');
    await this.#ended;
    await Promise.all([...this.bettors, ...this.cashers].map((one) => one.alone()));
    this.auditor.gone();
    if (this.#complaint !== '') throw new Error(this.#complaint);
  }

  /** What is wrong with the record after a kill, by its verification and the auditor, and how much there is of each event. */
  async theme(): Promise<RunCheck> {
    const store = await sqliteStore(this.#ways.data);
    try {
      return await checkRun(store, this.auditor);
    } finally {
      await store.close();
    }
  }

  leave(): void {
    for (const one of [...this.bettors, ...this.cashers]) one.leave();
  }
}
