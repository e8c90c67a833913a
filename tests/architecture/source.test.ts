import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/errorCodes.ts';
import { sources } from './sources.ts';

const code = sources('src/**/*.{ts,tsx}');
const product = code.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const tests = [...sources('tests/**/*.ts'), ...code.filter(({ path }) => path.endsWith('.test.ts'))];

test('nothing draws cards or money by Math.random', () => {
  expect(product.filter(({ text }) => /Math\.random/.test(text)).map(({ path }) => path)).toEqual([]);
});

/** Marks by which a test does not run, or ends before it has shown anything. */
const marks = {
  /** Skipped, singled out or left for later, by a function or an option. */
  never: /\b(?:test|it|describe|suite)\.(?:skip|only|todo|skipIf|runIf)\b|\{ (?:skip|only|todo)(?:: [^}]+)? \}, /,
  /** Skipped by the context of a test: counted, and named with its reason in the last lines of a run. */
  context: /\bskip\((?!\))/,
  withoutReason: /\bskip\((?:[^(),]|\([^()]*\))*\)/,
  /** A test whose first statement may end it, or that a platform ends: it counts as passed. */
  early:
    /\b(?:test|it)\b[^\n]*\{\n\s*if \([^\n]*\)(?: \{\s*)? ?return;|if \([^\n]*(?:process\.platform|getuid|hasProc|hasBinaries)[^\n]*\)(?: \{\s*)? ?return;/,
};

test('the marks of a test that does not run are found in each form', () => {
  const isFound = (mark: keyof typeof marks, text: string): boolean => marks[mark].test(text);
  for (const text of [
    "test.skip('a', f)",
    "it.only('a', f)",
    "test('a', { skip: isMac }, f)",
    "test('a', { todo: true }, f)",
  ]) {
    expect(isFound('never', text), text).toBe(true);
  }
  for (const text of [
    'skip(isMac)',
    "skip(isMac, 'why')",
    "context.skip('why')",
    "task.skip(process.getuid() === 0, 'why')",
  ]) {
    expect(isFound('context', text), text).toBe(true);
  }
  expect(isFound('withoutReason', 'skip(process.getuid() === 0)')).toBe(true);
  expect(isFound('withoutReason', "skip(process.getuid() === 0, 'why')")).toBe(false);
  for (const text of [
    "test('a', () => {\n  if (!has) return;",
    "test('a', async () => {\n  if (isMac) {\n    return;",
    "  if (process.platform === 'win32') return;",
  ]) {
    expect(isFound('early', text), text).toBe(true);
  }
});

/** Tests that a platform cannot run, with what it lacks. */
const platformTests = [
  // A package and a shallow clone have no history of commits.
  'tests/architecture/language.test.ts',
  // Only Linux shows processes, their environment and their ports, in /proc.
  'tests/architecture/sandbox.test.ts',
  'tests/bench/short.test.ts',
  // Windows has no modes of files.
  'tests/cli/eventLog/damage.test.ts',
  'src/store/postgres/connectionUrl.test.ts',
];

test('no test is skipped, singled out or left for later, and only listed files skip by platform or expect failures', () => {
  const others = tests.filter(({ path }) => !path.endsWith('source.test.ts'));
  const pathsWith = (mark: RegExp): readonly string[] =>
    others.filter(({ text }) => mark.test(text)).map(({ path }) => path);
  expect(pathsWith(marks.never)).toEqual([]);
  expect(pathsWith(marks.context)).toEqual(platformTests);
  expect(pathsWith(marks.withoutReason)).toEqual([]);
  expect(
    others.filter(({ path, text }) => path.endsWith('.test.ts') && marks.early.test(text)).map(({ path }) => path),
  ).toEqual([]);
  // The layout for tablets held upright and turned phones is still to come.
  expect(pathsWith(/\btest\.fails\b|, \{ fails: \w+ \}, /)).toEqual(['tests/browser/layout/sizes.test.ts']);
});

/** A wait for a time, by the page or by the test itself. */
const fixedWait = /\.waitForTimeout\(|await (?:setTimeout|sleep|wait)\(|setTimeout\(resolve, ?\d{2,}/;

test('browser tests wait for conditions and move clocks, and only the bench of screens waits for a time', () => {
  for (const text of ['await page.waitForTimeout(ms);', 'await setTimeout(300);', 'setTimeout(resolve, 100)']) {
    expect(fixedWait.test(text), text).toBe(true);
  }
  const found = tests.filter(({ path, text }) => path.startsWith('tests/browser/') && fixedWait.test(text));
  expect(found.map(({ path }) => path)).toEqual(['tests/browser/build/screenBench.ts']);
});

/** Files that list codes, and screens, which have texts for them: neither returns a refusal of its own. */
const isListOfCodes = (path: string): boolean =>
  path.startsWith('src/web/') ||
  ['src/base/refusal.ts', 'src/table/schema/refusals.ts', 'src/wire/serverRefusalCodes.ts'].includes(path);

test('docs/errors.md lists just the error codes that there are, and each is given somewhere', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(errorCodes);
  const raised = product
    .filter(({ path }) => !isListOfCodes(path))
    .map(({ text }) => text.replaceAll(/const commandErrors[\s\S]*?as const;/g, ''))
    .join('\n');
  for (const name of errorCodes) expect(raised.includes(`'${name}'`), name).toBe(true);
});

test('files stay short enough to be read whole', () => {
  const lengths = [...product, ...tests].map(({ path, text }) => [path, text.split('\n').length] as const);
  expect(lengths.filter(([, lines]) => lines >= 450)).toEqual([]);
});
