// Runs every check of the project and counts them all: `npm test`; with the word `quick`, `npm run check`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);
const quick = process.argv[2] === 'quick';

/** The script behind a package's command, so that it runs on this Node, on every system. */
function commandOf(name: string): string {
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { bin } = require(manifest) as { bin: string | { [command: string]: string } };
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name === 'typescript' ? 'tsc' : name]!);
}

/** Runs a tool with its output on ours; true when it ended well. */
function ran(name: string, args: readonly string[]): boolean {
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`,
  };
  return (
    spawnSync(process.execPath, [commandOf(name), ...args], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
      .status === 0
  );
}

let passed = 0;
let failed = 0;

function check(title: string, well: boolean): void {
  console.log(`${well ? 'ok' : 'FAILED'}: ${title}`);
  if (well) passed++;
  else failed++;
}

check('types', ran('typescript', ['--noEmit']));
check('lint', ran('oxlint', ['--type-aware', '--deny-warnings']));
check('format', ran('oxfmt', ['--check']));
check('nothing unused', ran('knip', []));

const folder = mkdtempSync(join(tmpdir(), 'punto-test-'));
const report = join(folder, 'report.json');
try {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const ended = ran('vitest', ['run', ...reporters, ...(quick ? ['--exclude=tests/full/**'] : [])]);
  const { numPassedTests, numFailedTests, numPendingTests, success } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    success: boolean;
  };
  passed += numPassedTests;
  failed += numFailedTests;
  // A file that does not load, or an error outside any test, has no test to be counted by.
  if ((!ended || !success) && numFailedTests === 0) check('the test run itself', false);
  console.log(`${passed} passed, ${failed} failed${numPendingTests ? `, ${numPendingTests} skipped` : ''}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
