import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { demoFile } from '../../src/cli/support/readProperty.ts';
import { compileCache } from '../compiled.ts';
import { root } from '../architecture/sources.ts';

type Program = ChildProcessByStdio<null, Readable, Readable>;

export type Started = {
  readonly program: Program;
  /** All that it has said. */
  readonly said: () => string;
  /** Waits until it has said something like this. */
  readonly says: (wanted: RegExp) => Promise<void>;
  /** Where it is open, by what it has said. */
  readonly address: string;
};

type Ways = {
  /** What Node is started with; the command as it stands unless given. */
  readonly start?: readonly string[];
  readonly node?: string;
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  readonly uid?: number;
};

/** The file of the demo with these of its tables alone, which open at once and wait for no turn. */
export const demoOf = (...tables: readonly string[]): string =>
  readFileSync(demoFile, 'utf8')
    .replace('"betweenRounds": 3000', '"betweenRounds": 0')
    .replace(', "cycle": 30000', '')
    .replace(/^ +\{ "table": "(\w+)[^\n]+\n/gm, (line, table) => (tables.includes(table) ? line : ''));

/** The same, with rounds that take bets for so many milliseconds and are dealt at once. */
export const quickDemoOf = (bettingTime: number, ...tables: readonly string[]): string =>
  demoOf(...tables)
    .replace('"bettingTime": 15000', `"bettingTime": ${bettingTime}`)
    .replace('"grace": 500', '"grace": 20')
    .replace('"pause": 2000', '"pause": 100')
    .replace('"betweenCards": 1200', '"betweenCards": 20');

/** Starts the server as a process of its own, and waits for its first words or its end. */
export async function started(words: readonly string[], ways: Ways = {}): Promise<Started> {
  const { start = [join(root, 'src/cli/main.ts')], node = process.execPath, env = {}, ...options } = ways;
  const program = spawn(node, [...start, 'serve', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
    ...options,
  });
  // Also where the test fails.
  onTestFinished(() => void program.kill('SIGKILL'));
  let text = '';
  let stir = Promise.withResolvers<void>();
  const hear = (data?: Buffer): void => {
    text += data?.toString('utf8') ?? '';
    stir.resolve();
    stir = Promise.withResolvers();
  };
  program.stdout.on('data', hear);
  program.stderr.on('data', hear);
  program.on('exit', () => hear());
  const says = async (wanted: RegExp): Promise<void> => {
    while (!wanted.test(text)) {
      if (program.exitCode !== null || program.signalCode !== null)
        throw new Error(`It has ended without saying ${wanted}: ${text}`);
      await stir.promise;
    }
  };
  await Promise.race([once(program.stdout, 'data'), once(program, 'exit')]);
  return {
    program,
    said: () => text,
    says,
    get address() {
      return /https?:\S+/.exec(text)?.[0] ?? '';
    },
  };
}
