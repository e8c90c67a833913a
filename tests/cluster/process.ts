import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { NodeOptions } from './program.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

/** How long anything may take on a machine that is slow, in milliseconds: what takes longer never comes. */
export const maxWaitMs = 300_000;

/** One process on the database, and the next one at the same port after it. */
export class NodeProcess {
  readonly #options: NodeOptions;
  readonly #compileCache: string;
  readonly #onStart: (kill: () => void) => void;
  #child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  /** What it has said, and what it has complained of. */
  output = '';
  errorOutput = '';

  /** `begun` is given what ends a process, whatever becomes of the rest. */
  constructor(options: NodeOptions, cache: string, begun: (kill: () => void) => void) {
    this.#options = options;
    this.#compileCache = cache;
    this.#onStart = begun;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#options.port}/`;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether its floor is open. */
  get isOpen(): boolean {
    return this.isRunning && this.output.includes('is open at');
  }

  /** The tables that it drives, by the last that it has said. */
  get ledTables(): readonly string[] {
    const said = this.isRunning ? [...this.output.matchAll(/^drives(.*)$/gm)].at(-1) : undefined;
    return said === undefined ? [] : said[1]!.trim().split(' ').filter(Boolean);
  }

  start(): void {
    const child = spawn(process.execPath, [program, JSON.stringify(this.#options)], {
      env: { ...process.env, NODE_COMPILE_CACHE: this.#compileCache },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#onStart(() => void child.kill('SIGKILL'));
    this.#child = child;
    this.output = '';
    this.errorOutput = '';
    child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.errorOutput += chunk.toString()));
  }

  /** Sends it a signal; one that ends it is waited for. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const child = this.#child!;
    const isEnd = signal === 'SIGKILL' || signal === 'SIGTERM';
    const ended = isEnd ? once(child, 'close') : undefined;
    child.kill(signal);
    await ended;
  }

  async until(condition: () => boolean, description: string): Promise<void> {
    const begun = performance.now();
    while (!condition()) {
      if (!this.isRunning) throw new Error(`The node has ended before it ${description}: ${this.errorOutput}`);
      if (performance.now() - begun > maxWaitMs)
        throw new Error(`For long it has not ${description}: ${this.output} ${this.errorOutput}`);
      await setTimeout(10);
    }
  }
}
