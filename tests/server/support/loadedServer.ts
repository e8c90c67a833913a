import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { Auditor } from '../../chaos/audit/auditor.ts';
import { type RunCheck, checkRun } from '../../chaos/audit/checkRun.ts';
import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { compileCache } from '../../compiled.ts';
import { demoCredit, demoSettings } from '../../runtime/support/demo.ts';
import { BettingPatron } from './bettingPatron.ts';
import { CashingPatron } from './cashingPatron.ts';
import type { ProgramOptions } from './serverProcess.ts';

const program = fileURLToPath(new URL('serverProcess.ts', import.meta.url));

export const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Maximum wait for anything under load on a slow machine. */
const timeoutMs = 300_000;

type LoadedServerOptions = {
  /** Folder of the event store and its key; the store itself is in `data`. */
  readonly root: string;
  readonly data: string;
  readonly programOptions?: ProgramOptions;
  /** Further options of Node. */
  readonly nodeOptions?: readonly string[];
  readonly env?: { readonly [name: string]: string };
};

/** Number of terminals that bet. */
const bettors = 40;

/**
 * Server under load: an event store, terminals that bet, ten that load and collect, and one server process after
 * another.
 */
export class LoadedServer {
  readonly auditor = new Auditor(() => demoCredit);
  readonly bettors: readonly BettingPatron[];
  readonly cashers: readonly CashingPatron[];
  readonly #options: LoadedServerOptions;
  #child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  #ended: Promise<unknown> | undefined;
  #stdout = '';
  #stderr = '';

  constructor(random: RandomSource, options: LoadedServerOptions) {
    this.#options = options;
    this.bettors = Array.from(
      { length: bettors },
      (_, n) => new BettingPatron(demoSettings[n % demoSettings.length]!.table, random, this.auditor),
    );
    const tickets: string[] = [];
    this.cashers = demoSettings.map(({ table }) => new CashingPatron(table, random, this.auditor, tickets));
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  get accepted(): number {
    return this.auditor.count().accepted;
  }

  /** Replies to loads, tickets and collects. */
  get moneyReplies(): number {
    return this.cashers.reduce((sum, { replyCount }) => sum + replyCount, 0);
  }

  /** Slips refused with this code. */
  refusalCount(code: string): number {
    return this.bettors.reduce((sum, { refusals }) => sum + (refusals.get(code) ?? 0), 0);
  }

  start(): void {
    const { root, data, programOptions = {}, nodeOptions = [], env = {} } = this.#options;
    const child = spawn(process.execPath, [...nodeOptions, program, data, root, JSON.stringify(programOptions)], {
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Also when the test fails.
    onTestFinished(() => void child.kill('SIGKILL'));
    this.#child = child;
    this.#stdout = '';
    this.#stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#ended = once(child, 'close');
  }

  /** Connects all patrons once the server is ready. */
  async connectPatrons(): Promise<void> {
    await this.#poll(() => this.#stdout.includes('\n'), 10);
    for (const patron of [...this.bettors, ...this.cashers]) patron.connect(this.#stdout.trim());
  }

  /** Waits until the condition is true. Throws when the server exits before, or after five minutes. */
  async waitUntil(isDone: () => boolean): Promise<void> {
    const startedAt = performance.now();
    await this.#poll(() => {
      if (performance.now() - startedAt > timeoutMs) throw new Error(`No progress: ${this.#status()}`);
      return isDone();
    }, 20);
    if (this.#child!.exitCode !== null) throw new Error(`The server has ended: ${this.#stderr}`);
  }

  async #poll(isDone: () => boolean, intervalMs: number): Promise<void> {
    while (!isDone() && this.#child!.exitCode === null) await sleep(intervalMs);
  }

  /** Counts of replies and the state of the tables, for error messages. */
  #status(): string {
    const refusals = new Map<string, number>();
    const tables = new Map<string, number>();
    for (const bettor of this.bettors) {
      for (const [code, count] of bettor.refusals) refusals.set(code, (refusals.get(code) ?? 0) + count);
      tables.set(bettor.status, (tables.get(bettor.status) ?? 0) + 1);
    }
    return JSON.stringify({ accepted: this.accepted, refusals: [...refusals], tables: [...tables] });
  }

  /** Kills the process and checks that it reported no error. */
  async kill(): Promise<void> {
    this.#child!.kill('SIGKILL');
    await this.#ended;
    await Promise.all([...this.bettors, ...this.cashers].map((patron) => patron.waitForDisconnect()));
    this.auditor.recordFloorStop();
    if (this.#stderr !== '') throw new Error(this.#stderr);
  }

  /** Verifies the event store after a kill, also against the auditor, and counts its events by type. */
  async checkStore(): Promise<RunCheck> {
    const store = await openSqliteStore(this.#options.data);
    try {
      return await checkRun(store, this.auditor);
    } finally {
      await store.close();
    }
  }

  disconnectPatrons(): void {
    for (const patron of [...this.bettors, ...this.cashers]) patron.disconnect();
  }
}
