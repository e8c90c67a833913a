import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/codes.ts';
import { sources } from './sources.ts';

const code = sources('src/**/*.{ts,tsx}');
const product = code.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const tests = [...sources('tests/**/*.ts'), ...code.filter(({ path }) => path.endsWith('.test.ts'))];

test('nothing draws cards or money by Math.random', () => {
  expect(product.filter(({ text }) => /Math\.random/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no test is skipped, singled out or left for later, and only listed files expect failures', () => {
  const others = tests.filter(({ path }) => !path.endsWith('source.test.ts'));
  const pathsWith = (mark: RegExp): readonly string[] =>
    others.filter(({ text }) => mark.test(text)).map(({ path }) => path);
  expect(pathsWith(/\b(?:test|it|describe|suite)\.(?:skip|only|todo|skipIf|runIf)\b/)).toEqual([]);
  // The layout for tablets held upright and turned phones is still to come.
  expect(pathsWith(/\btest\.fails\b|, \{ fails: \w+ \}, /)).toEqual(['tests/browser/sizes.test.ts']);
});

/** Files that list codes, and screens, which have texts for them: neither returns a refusal of its own. */
const isListOfCodes = (path: string): boolean =>
  path.startsWith('src/web/') ||
  ['src/base/refusal.ts', 'src/table/schema/refusals.ts', 'src/wire/refusals.ts'].includes(path);

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
  for (const { path, text } of [...product, ...tests]) expect(text.split('\n').length, path).toBeLessThan(450);
});
