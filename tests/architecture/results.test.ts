import { expect, test } from 'vitest';
import { Results } from '../../scripts/testing/results.ts';
import { type TestFile } from '../../scripts/testing/vitest.ts';

const file = (path: string, ...tests: TestFile['tests']): TestFile => ({ path, seconds: 1, error: undefined, tests });

test('the last lines of a run count files, tests and checks when all passed', () => {
  const results = new Results();
  results.addFiles([file('a.test.ts', { name: 'one', status: 'passed', seconds: 0 })]);
  results.check('types', true, 'npx tsc');
  expect(results.summary()).toEqual(['1 test files, 1 tests, 1 other checks', '2 passed, 0 failed']);
});

test('the last lines of a run name what failed with the command that shows or fixes it', () => {
  const results = new Results();
  results.addFiles([
    file(
      'a.test.ts',
      { name: 'one', status: 'failed', seconds: 0 },
      { name: 'two', status: 'skipped', seconds: 0 },
      { name: 'three', status: 'passed', seconds: 0 },
    ),
    { ...file('b.test.ts'), error: 'SyntaxError' },
  ]);
  results.check('format', false, 'npm run format');
  expect(results.summary()).toEqual([
    'skipped: a.test.ts: two',
    'failed: a.test.ts: one\n        npm run vitest -- run a.test.ts',
    'failed: b.test.ts does not load\n        npm run vitest -- run b.test.ts',
    'failed: format\n        npm run format',
    '2 test files, 3 tests, 1 other checks',
    '1 passed, 3 failed, 1 skipped',
  ]);
});

test('the last line of a run counts runs that were repeated after an engine crash', () => {
  const results = new Results();
  results.retries++;
  expect(results.summary().at(-1)).toBe('0 passed, 0 failed, 1 repeated after an engine crash');
});
