import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { NodeOptions } from './nodeProgram.ts';

const program = fileURLToPath(new URL('nodeProgram.ts', import.meta.url));

/** Longest wait in milliseconds, generous for a slow machine; what takes longer never happens. */
export const maxWaitMs = 300_000;

/** Process of a node; it can be started again at the same port. */
export class NodeProcess {
  readonly #options: NodeOptions;
  readonly #compileCache: string;
  readonly #onStart: (kill: () => void) => void;
  #child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  /** Standard output and standard error of the process. */
  output = '';
  errorOutput = '';

  /** `onStart` receives a function that kills the process, whether the test passes or fails. */
  constructor(options: NodeOptions, cache: string, onStart: (kill: () => void) => void) {
    this.#options = options;
    this.#compileCache = cache;
    this.#onStart = onStart;
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

  /** Tables that it leads, by its last line of output. */
  get ledTables(): readonly string[] {
    const lastLine = this.isRunning ? [...this.output.matchAll(/^leads(.*)$/gm)].at(-1) : undefined;
    return lastLine === undefined ? [] : lastLine[1]!.trim().split(' ').filter(Boolean);
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

  /** Sends a signal; waits for the end of the process when the signal ends it. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const child = this.#child!;
    const isEnd = signal === 'SIGKILL' || signal === 'SIGTERM';
    const ended = isEnd ? once(child, 'close') : undefined;
    child.kill(signal);
    await ended;
  }

  async until(condition: () => boolean, description: string): Promise<void> {
    const startedAt = performance.now();
    while (!condition()) {
      if (!this.isRunning) throw new Error(`The node has ended before it ${description}: ${this.errorOutput}`);
      if (performance.now() - startedAt > maxWaitMs)
        throw new Error(`Timed out before it ${description}: ${this.output} ${this.errorOutput}`);
      await setTimeout(10);
    }
  }
}
