import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Wishes } from './program.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

/** How long anything may take on a machine that is slow, in milliseconds: what takes longer never comes. */
export const patience = 300_000;

/** One process on the database, and the next one at the same port after it. */
export class NodeProcess {
  readonly #wishes: Wishes;
  readonly #cache: string;
  readonly #begun: (kill: () => void) => void;
  #child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  /** What it has said, and what it has complained of. */
  told = '';
  complaint = '';

  /** `begun` is given what ends a process, whatever becomes of the rest. */
  constructor(wishes: Wishes, cache: string, begun: (kill: () => void) => void) {
    this.#wishes = wishes;
    this.#cache = cache;
    this.#begun = begun;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#wishes.port}/`;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether its floor is open. */
  get isOpen(): boolean {
    return this.isRunning && this.told.includes('is open at');
  }

  /** The tables that it drives, by the last that it has said. */
  get driven(): readonly string[] {
    const said = this.isRunning ? [...this.told.matchAll(/^drives(.*)$/gm)].at(-1) : undefined;
    return said === undefined ? [] : said[1]!.trim().split(' ').filter(Boolean);
  }

  start(): void {
    const child = spawn(process.execPath, [program, JSON.stringify(this.#wishes)], {
      env: { ...process.env, NODE_COMPILE_CACHE: this.#cache },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#begun(() => void child.kill('SIGKILL'));
    this.#child = child;
    this.told = '';
    this.complaint = '';
    child.stdout.on('data', (chunk: Buffer) => (this.told += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.complaint += chunk.toString()));
  }

  /** Sends it a signal; one that ends it is waited for. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const child = this.#child!;
    const isEnd = signal === 'SIGKILL' || signal === 'SIGTERM';
    const ended = isEnd ? once(child, 'close') : undefined;
    child.kill(signal);
    await ended;
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    const begun = performance.now();
    while (!isSo()) {
      if (!this.isRunning) throw new Error(`The node has ended before it ${what}: ${this.complaint}`);
      if (performance.now() - begun > patience)
        throw new Error(`For long it has not ${what}: ${this.told} ${this.complaint}`);
      await setTimeout(10);
    }
  }
}
