import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestCase } from 'vitest/node';
import { Results } from '../../scripts/testing/results.ts';
import SkipReasons from '../../scripts/testing/skipReasons.ts';
import { runStaticChecks } from '../../scripts/testing/staticChecks.ts';
import { type TestFile, type TestRun, type TestStatus } from '../../scripts/testing/vitest.ts';
import { root } from './sources.ts';

const file = (path: string, ...tests: TestFile['tests']): TestFile => ({ path, seconds: 1, error: undefined, tests });

test('the last lines of a run count files, tests and checks when all passed', () => {
  const results = new Results();
  results.addFiles([file('a.test.ts', { name: 'one', status: 'passed', seconds: 0 })]);
  results.check('types', true, 'npx tsc');
  expect(results.summary()).toEqual(['1 test files, 1 tests, 0 skipped, 1 other checks', '2 passed, 0 failed']);
});

test('the last lines of a run name what failed with the command that shows or fixes it', () => {
  const results = new Results();
  results.addFiles([
    file(
      'a.test.ts',
      { name: 'one', status: 'failed', seconds: 0 },
      { name: 'two', status: 'skipped', seconds: 0, skipReason: 'this is not Linux' },
      { name: 'three', status: 'passed', seconds: 0 },
    ),
    file('a.test.ts', { name: 'three', status: 'passed', seconds: 0 }),
    { ...file('b.test.ts'), error: 'SyntaxError' },
  ]);
  results.check('format', false, 'npm run format');
  results.addSkipped(12, 'no database is found');
  results.addSkipped(1, 'this is not Linux');
  expect(results.summary()).toEqual([
    'failed: a.test.ts: one\n        npm run vitest -- run a.test.ts',
    'failed: b.test.ts does not load\n        npm run vitest -- run b.test.ts',
    'failed: format\n        npm run format',
    '2 test files, 3 tests, 14 skipped, 1 other checks',
    '2 passed, 3 failed, 2 skipped: this is not Linux, 12 skipped: no database is found',
  ]);
});

test('a run whose format check fails ends with the name of the check and the command that fixes it', async () => {
  const [results, printed] = [new Results(), [] as string[]];
  const print = (text: string): void => void printed.push(text);
  const run = (tool: string) =>
    Promise.resolve({ isOk: tool !== 'oxfmt', output: `output of ${tool}`, seconds: 1, signal: null });
  await runStaticChecks(results, run, print);
  expect(printed).toContain('output of oxfmt\nFAILED: format, 1.0 s');
  expect(results.conclude(print)).toBe(1);
  expect(printed.slice(-3)).toEqual([
    'failed: format, 1.0 s\n        npm run format',
    '0 test files, 0 tests, 0 skipped, 4 other checks',
    '3 passed, 1 failed',
  ]);
});

test('the scripts of tests and soaks print the last lines and exit with their code', () => {
  for (const script of ['scripts/test.ts', 'scripts/soak.ts']) {
    expect(readFileSync(join(root, script), 'utf8'), script).toMatch(
      /^process\.exitCode = results\.conclude\(console\.log\);\n$(?![\s\S])/m,
    );
  }
});

test('a test that was skipped without a reason is a failure, with the command of its run', () => {
  const results = new Results();
  const skipped = run(true, [file('a.test.ts', one('skipped'), one('skipped', 'two'))]);
  expect(results.addRun('long tests', skipped, '', 'X=1 npx vitest run')).toEqual([]);
  expect(results.summary()).toEqual([
    'failed: a.test.ts: 2 skipped without a reason\n        X=1 npx vitest run a.test.ts',
    '1 test files, 0 tests, 0 skipped, 0 other checks',
    '0 passed, 1 failed',
  ]);
});

test('the last line of a run counts runs that were repeated after an engine crash', () => {
  const results = new Results();
  results.retries++;
  expect(results.summary().at(-1)).toBe('0 passed, 0 failed, 1 repeated after an engine crash');
});

const run = (isOk: boolean, files: readonly TestFile[] | undefined, signal: string | null = null): TestRun => ({
  isOk,
  signal,
  output: '',
  seconds: 1,
  files,
});
const one = (status: TestStatus, name = 'one'): TestFile['tests'][number] => ({ name, status, seconds: 0 });

test('a run that failed outside any test is a failure of its own', () => {
  const results = new Results();
  const lines = results.addRun('long tests', run(false, [file('a.test.ts', one('passed'))]), 'npm run vitest');
  expect(lines).toEqual(['ended by itself', 'FAILED: long tests']);
  expect(results.failures).toEqual([{ what: 'long tests', remedy: 'npm run vitest' }]);
});

test('a run that was killed without a report is a failure of its own', () => {
  const results = new Results();
  expect(results.addRun('long tests', run(false, undefined, 'SIGKILL'), '')[0]).toBe('ended by SIGKILL');
  expect(results.failures).toHaveLength(1);
});

test('a run that failed in a test has no failure besides', () => {
  const results = new Results();
  expect(results.addRun('long tests', run(false, [file('a.test.ts', one('failed'))]), '')).toEqual([]);
  expect(results.failures.map(({ what }) => what)).toEqual(['a.test.ts: one']);
});

test('a test that failed before an engine crash stays failed unless it passed in the repeat', () => {
  const results = new Results();
  const names = ['passes', 'fails', 'skipped', 'gone'];
  const aborted = run(false, [
    file('a.test.ts', ...names.map((name) => one('failed', name))),
    file('b.test.ts', one('failed')),
    { ...file('c.test.ts'), error: 'SyntaxError' },
    { ...file('d.test.ts'), error: 'SyntaxError' },
  ]);
  const again = run(false, [
    file('a.test.ts', one('passed', 'passes'), one('failed', 'fails'), one('skipped', 'skipped')),
    file('c.test.ts', one('passed')),
  ]);
  const unexplained = 'a.test.ts: 1 skipped without a reason';
  expect(results.addAborted(aborted, again)).toEqual([
    'passed in the repeat, failed before the crash: a.test.ts: passes',
    'failed before the crash, failed in the repeat: a.test.ts: fails',
    'failed before the crash, skipped in the repeat: a.test.ts: skipped',
    'failed before the crash, not run in the repeat: a.test.ts: gone',
    'failed before the crash, not run in the repeat: b.test.ts: one',
    'passed in the repeat, failed before the crash: c.test.ts does not load',
    'failed before the crash, not run in the repeat: d.test.ts does not load',
  ]);
  results.addRun('long tests', again, '');
  expect(results.failures.map(({ what }) => what)).toEqual([
    'a.test.ts: skipped',
    'a.test.ts: gone',
    'b.test.ts: one',
    'd.test.ts does not load',
    unexplained,
    'a.test.ts: fails',
  ]);
});

test('the reason of a skip is kept for the report', () => {
  const meta = {};
  const skipped = { result: () => ({ state: 'skipped', note: 'this is not Linux' }), meta: () => meta };
  new SkipReasons().onTestCaseResult(skipped as unknown as TestCase);
  expect(meta).toEqual({ skipReason: 'this is not Linux' });
});
