// Runs every check of the project and counts them all: `npm test`; with the word `quick`, `npm run check`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

// What runs in a browser knows a document; nothing else does.
check(
  'types',
  ['.', 'src/web', 'tests/browser'].every((part) => ran('typescript', ['--noEmit', '-p', part])),
);
check('lint', ran('oxlint', ['--type-aware', '--deny-warnings']));
check('format', ran('oxfmt', ['--check']));
check('nothing unused', ran('knip', []));

let skipped = 0;

/** Runs tests by the runner's own words and adds its counts to ours. */
function runTests(title: string, args: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'punto-test-'));
  try {
    const report = join(folder, 'report.json');
    const ended = ran('vitest', [
      'run',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    if (!existsSync(report)) {
      check(title, false);
      return;
    }
    const counts = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
    };
    passed += counts.numPassedTests;
    failed += counts.numFailedTests;
    skipped += counts.numPendingTests;
    // A file that does not load, an error outside any test or a gap in coverage has no test to be counted by.
    if (!ended && counts.numFailedTests === 0) check(title, false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const full = 'tests/full';
if (quick) runTests('quick tests', [`--exclude=${full}/**`, '--exclude=tests/cli/**', '--exclude=tests/browser/**']);
else {
  runTests('tests and the coverage of the rules', [`--exclude=${full}/**`, '--coverage']);
  runTests('full tests', [full]);
}

console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
