import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { root } from '../architecture/sources.ts';

type Run = {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
  /** Files left in its temporary folder. */
  readonly files: readonly string[];
};

/** Starts `npm run bench` with its own temporary folder, which also identifies its processes. */
export function startBench(args: readonly string[], env: { readonly [name: string]: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-test-'));
  // PostgreSQL does not run as root, and its data is here.
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, [join(root, 'bench/main.ts'), ...args], {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, exit] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  onTestFinished(() => {
    for (const pid of processesOf(folder)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  return {
    kill: () => child.kill('SIGKILL'),
    processes: () => processesOf(folder),
    /** Waits until it and all its processes have ended. */
    ended: async (): Promise<Run> => {
      const [code] = (await exit) as [number | null];
      await expect.poll(() => processesOf(folder), { timeout: 60_000, message: 'processes are left' }).toEqual([]);
      const lines = (await output).split('\n').filter(Boolean);
      return { code, lines, errors: await errors, files: readdirSync(folder) };
    },
  };
}

/** Only Linux shows the environment of a process. */
export const hasProc = existsSync('/proc/self/environ');

/** Processes whose environment names a temporary folder. */
function processesOf(folder: string): readonly number[] {
  if (!hasProc) return [];
  const mark = `TMPDIR=${folder}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark))
    .map(Number);
}

/** Empty for a process that has ended, or of another user. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** Output lines of a bench: measurements, and what was skipped. */
type ShortRun = { readonly measurements: readonly string[]; readonly skipped: readonly string[] };

/** Runs a bench in its short form: it prints a heading and positive numbers, and leaves nothing behind. */
export async function expectShortRun(name: string, env: { readonly [name: string]: string } = {}): Promise<ShortRun> {
  const { lines, ...end } = await startBench(['--short', name], env).ended();
  expect(end).toEqual({ code: 0, errors: '', files: [] });
  const [notice, heading, ...others] = lines;
  expect(notice).toContain('Short form');
  expect(heading).toMatch(new RegExp(`^${name} \\(.+\\)$`));
  expect(others).not.toEqual([]);
  const isSkip = (line: string): boolean => line.startsWith('  skipped: ');
  const measurements = others.filter((line) => !isSkip(line));
  for (const line of measurements) expectMeasurements(line);
  return { measurements, skipped: others.filter(isSkip) };
}

/** An indented line with positive numbers; a count of zero is printed as "none". */
function expectMeasurements(line: string): void {
  expect(line).toMatch(/^ {2,}\S.*(?:\d|none)/);
  expect(line).not.toMatch(/NaN|Infinity|undefined|null|∞/);
  for (const [number] of line.matchAll(/\d[\d,]*(?:\.\d+)?/g)) {
    expect(Number(number.replaceAll(',', '')), line).toBeGreaterThan(0);
  }
}
