import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { demoPropertyPath } from '../../../src/cli/support/readProperty.ts';
import { compileCache } from '../../compiled.ts';
import { root } from '../../architecture/sources.ts';

type Program = ChildProcessByStdio<null, Readable, Readable>;

export type ServerProcess = {
  readonly program: Program;
  /** Standard output and standard error so far. */
  readonly output: () => string;
  /** Waits until the output matches. */
  readonly waitForOutput: (pattern: RegExp) => Promise<void>;
  /** Address of the server, from its output. */
  readonly address: string;
};

type ProcessOptions = {
  /** Arguments of Node before the command; the program from its sources by default. */
  readonly start?: readonly string[];
  readonly node?: string;
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  readonly uid?: number;
};

/** The demo property with only these tables, which open at once. */
export const demoOf = (...tables: readonly string[]): string =>
  readFileSync(demoPropertyPath, 'utf8')
    .replace('"betweenRounds": 3000', '"betweenRounds": 0')
    .replace(', "cycle": 30000', '')
    .replace(/^ +\{ "table": "(\w+)[^\n]+\n/gm, (line, table) => (tables.includes(table) ? line : ''));

/** The same, with a betting time in milliseconds and rounds that are dealt at once. */
export const quickDemoOf = (bettingTime: number, ...tables: readonly string[]): string =>
  demoOf(...tables)
    .replace('"bettingTime": 15000', `"bettingTime": ${bettingTime}`)
    .replace('"grace": 500', '"grace": 20')
    .replace('"pause": 2000', '"pause": 100')
    .replace('"betweenCards": 1200', '"betweenCards": 20');

/** Starts `punto serve` as a process and waits for its first output or its end. */
export async function started(args: readonly string[], processOptions: ProcessOptions = {}): Promise<ServerProcess> {
  const { start = [join(root, 'src/cli/main.ts')], node = process.execPath, env = {}, ...options } = processOptions;
  const program = spawn(node, [...start, 'serve', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
    ...options,
  });
  // Also when the test fails.
  onTestFinished(() => void program.kill('SIGKILL'));
  let text = '';
  let nextOutput = Promise.withResolvers<void>();
  const receive = (data?: Buffer): void => {
    text += data?.toString('utf8') ?? '';
    nextOutput.resolve();
    nextOutput = Promise.withResolvers();
  };
  program.stdout.on('data', receive);
  program.stderr.on('data', receive);
  program.on('exit', () => receive());
  const waitForOutput = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) {
      if (program.exitCode !== null || program.signalCode !== null)
        throw new Error(`It has ended without saying ${pattern}: ${text}`);
      await nextOutput.promise;
    }
  };
  await Promise.race([once(program.stdout, 'data'), once(program, 'exit')]);
  return {
    program,
    output: () => text,
    waitForOutput,
    get address() {
      return /https?:\S+/.exec(text)?.[0] ?? '';
    },
  };
}
