import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox } from './sandbox.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

/** The script behind a package's command, so that it runs on this Node on every system. */
function commandOf(name: string): string {
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { bin } = require(manifest) as { readonly bin: string | { readonly [command: string]: string } };
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name === 'typescript' ? 'tsc' : name]!);
}

export type Exit = {
  readonly isOk: boolean;
  /** The signal that ended the process, if one did. */
  readonly signal: string | null;
  readonly output: string;
  readonly seconds: number;
};

/** V8 can abort with memory protection keys when many threads start and end, as they do in tests. */
const nodeOptions = '--no-memory-protection-keys';

/** After a process has ended, its pipes may stay open in a process that it left behind; its last output arrives sooner. */
const lastOutputMs = 2_000;

/** Runs the command of a package to its end, or kills it after `limitMs`. */
export async function runTool(
  name: string,
  args: readonly string[],
  { env = {}, limitMs }: { readonly env?: NodeJS.ProcessEnv; readonly limitMs?: number } = {},
): Promise<Exit> {
  const start = performance.now();
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(process.execPath, [nodeOptions, commandOf(name), ...args], {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Node takes whole milliseconds alone.
    ...(limitMs !== undefined && { timeout: Math.ceil(limitMs), killSignal: 'SIGKILL' }),
  });
  const parts: Buffer[] = [];
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (part: Buffer) => parts.push(part));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...exit) => {
      const timer = setTimeout(() => resolve(exit), lastOutputMs);
      child.on('close', () => {
        clearTimeout(timer);
        resolve(exit);
      });
    });
  });
  const output = Buffer.concat(parts).toString('utf8');
  return { isOk: code === 0, signal, output, seconds: (performance.now() - start) / 1000 };
}

export type TestStatus = 'passed' | 'failed' | 'skipped';

export type TestFile = {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly seconds: number;
  /** Why the file did not load; its tests are unknown then. */
  readonly error: string | undefined;
  readonly tests: readonly {
    readonly name: string;
    readonly status: TestStatus;
    readonly seconds: number;
    /** Why the test was skipped, if it says so. */
    readonly skipReason?: string;
  }[];
};

export type TestRun = Exit & {
  /** Undefined where vitest ended without a report. */
  readonly files: readonly TestFile[] | undefined;
};

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly meta?: { readonly skipReason?: string };
    }[];
  }[];
};

const statusOf = (status: string): TestStatus => (status === 'passed' || status === 'failed' ? status : 'skipped');

function filesIn({ testResults }: Report): readonly TestFile[] {
  return testResults.map(({ name, status, message, startTime, endTime, assertionResults }) => ({
    path: relative(root, name).replaceAll('\\', '/'),
    seconds: (endTime - startTime) / 1000,
    error: status === 'failed' && assertionResults.length === 0 ? message : undefined,
    tests: assertionResults.map(({ fullName, status: result, duration, meta }) => ({
      name: fullName,
      status: statusOf(result),
      seconds: (duration ?? 0) / 1000,
      ...(meta?.skipReason !== undefined && { skipReason: meta.skipReason }),
    })),
  }));
}

/** The engine itself aborted: the tests of that process have no result. */
export const isEngineCrash = ({ isOk, signal, output }: Exit): boolean =>
  !isOk && signal !== 'SIGKILL' && (signal !== null || output.includes('# Fatal error in'));

/** Runs test files with vitest in a sandbox. */
export async function runVitest(
  args: readonly string[],
  sandbox: Sandbox,
  { env = {}, limitMs }: { readonly env?: NodeJS.ProcessEnv; readonly limitMs?: number } = {},
): Promise<TestRun> {
  const folder = mkdtempSync(join(sandbox.folder, 'report-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = [
      '--reporter=default',
      `--reporter=${join(root, 'scripts/testing/skipReasons.ts')}`,
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    const exit = await runTool('vitest', ['run', '--allowOnly=false', ...args, ...reporters], {
      env: { ...sandbox.env, ...env },
      ...(limitMs !== undefined && { limitMs }),
    });
    const files = existsSync(report) ? filesIn(JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined;
    return { ...exit, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
