import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import {
  bannedIdentifiers,
  bannedPhrases,
  commitFaults,
  exportedTwice,
  parseSource,
  unusedExceptions,
  wordsOf,
} from './language.ts';
import { root, sources } from './sources.ts';
import { maxFilesPerFolder } from './words.ts';

/** What the count of each check is today. A count only falls: lower the ceiling with the change that lowers the count. */
const ceilings = JSON.parse(readFileSync(new URL('ceilings.json', import.meta.url), 'utf8')) as {
  readonly [check: string]: number;
};

/** Says what is wrong with a count: too high, or a ceiling that can be lowered. Empty where they are equal. */
function ceilingFault(check: string, found: readonly string[]): string {
  const ceiling = ceilings[check]!;
  if (found.length > ceiling) {
    return `${check}: ${found.length}, at most ${ceiling} are allowed:\n${found.slice(0, 200).join('\n')}`;
  }
  if (found.length === ceiling) return '';
  return `${check}: lower the ceiling in tests/architecture/ceilings.json from ${ceiling} to ${found.length}`;
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const files = [
  ...sources('src/**/*.{ts,tsx}'),
  ...sources('tests/**/*.ts'),
  ...sources('scripts/**/*.ts'),
  ...sources('bench/**/*.ts'),
]
  // This folder quotes the words.
  .filter(({ path }) => !path.startsWith('tests/architecture/'))
  .map((source) => ({ path: source.path, ...parseSource(source) }));
const product = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));

test('an exported name belongs to one file', () => {
  expect(product.length).toBeGreaterThan(700);
  expect(
    ceilingFault(
      'names exported by several files',
      [...exportedTwice(product)].map(([name, paths]) => `${name}: ${paths.join(', ')}`),
    ),
  ).toBe('');
});

test('identifiers use the words of the glossary', () => {
  expect(
    ceilingFault(
      'identifiers with words that the glossary replaces',
      files.flatMap(({ path, identifiers }) => bannedIdentifiers(path, identifiers).map((name) => `${path}: ${name}`)),
    ),
  ).toBe('');
});

test('every exception for an identifier is needed', () => {
  expect(unusedExceptions(files)).toEqual([]);
});

test('comments name who or what they speak of', () => {
  expect(
    ceilingFault(
      'vague words in comments',
      files.flatMap(({ path, comments }) =>
        comments.flatMap((comment) => bannedPhrases(comment).map((phrase) => `${path}: ${phrase}`)),
      ),
    ),
  ).toBe('');
});

test('messages name who or what they speak of', () => {
  expect(
    ceilingFault(
      'vague words in messages',
      product.flatMap(({ path, strings }) =>
        strings.flatMap((text) => bannedPhrases(text).map((phrase) => `${path}: ${phrase}`)),
      ),
    ),
  ).toBe('');
});

test('docs name who or what they speak of', () => {
  const pages = [...sources('*.md'), ...sources('{docs,bench,rulebook,tests,.github}/**/*.md')];
  expect(pages.length).toBeGreaterThan(20);
  expect(
    ceilingFault(
      'vague words in docs',
      pages.flatMap(({ path, text }) => bannedPhrases(text).map((phrase) => `${path}: ${phrase}`)),
    ),
  ).toBe('');
});

test('a folder has at most twenty files', () => {
  const folders = Map.groupBy(
    [...sources('{src,tests,scripts,bench}/**/*.{ts,tsx,css,mjs}')].filter(
      ({ path }) => !isTest(path) || !path.startsWith('src/'),
    ),
    ({ path }) => posix.dirname(path),
  );
  expect(
    ceilingFault(
      'folders with more than twenty files',
      [...folders]
        .filter(([, inside]) => inside.length > maxFilesPerFolder)
        .map(([folder, inside]) => `${folder}: ${inside.length}`),
    ),
  ).toBe('');
});

/** The last commit before these rules. */
const firstCommit = 'd983d051';

test('commits since the rules say what they change and why', ({ skip }) => {
  const log = spawnSync('git', ['log', '--no-merges', '--format=%h%x1f%s%x1f%b%x1e', `${firstCommit}..HEAD`], {
    cwd: root,
    encoding: 'utf8',
  });
  // A package has no history, and a shallow clone not all of it.
  skip(!existsSync(`${root}/.git`) || log.status !== 0, 'there is no history');
  const faults = log.stdout
    .split('\u001E')
    .map((entry) => entry.trim().split('\u001F'))
    .filter(([hash]) => hash !== '')
    .flatMap(([hash, subject, body]) =>
      commitFaults(subject!, body ?? '').map((fault) => `${hash} ${subject}: ${fault}`),
    );
  expect(faults).toEqual([]);
});

test('the checks of language find what they look for', () => {
  expect(wordsOf('isToldHTML')).toEqual(['is', 'told', 'html']);
  expect(bannedIdentifiers('src/server/a.ts', ['toldOf', 'sendTold', 'older', 'postMessage'])).toEqual([
    'toldOf',
    'sendTold',
  ]);
  expect(bannedIdentifiers('src/rules/a.ts', ['place', 'kind'])).toEqual([]);
  expect(bannedPhrases('Whoever comes, nobody knows; brought-up')).toEqual(['Whoever', 'nobody', 'brought']);
  const { identifiers, comments, strings, exports } = parseSource({
    path: 'a.tsx',
    text: '/** A note. */ export const a = (b: string) => <p title="t">x{`y${b}`}</p>; class C { #d = 1; } export { C as E }; export { f } from "./f.ts";',
  });
  expect([...identifiers]).toEqual(expect.arrayContaining(['a', 'b', 'C', 'd']));
  expect(comments).toEqual(['* A note. ']);
  expect(strings).toEqual(expect.arrayContaining(['t', 'x', 'y']));
  expect(exports).toEqual(['a', 'E']);
  expect([
    ...exportedTwice([
      { path: 'a', exports: ['x', 'Page'] },
      { path: 'b', exports: ['x', 'Page'] },
    ]),
  ]).toEqual([['x', ['a', 'b']]]);
  expect(commitFaults('store: check the schema number', 'An older program must not write.')).toEqual([]);
  expect(commitFaults('Look at a record in one place', '')).toHaveLength(2);
  expect(commitFaults(`store: ${'x'.repeat(80)}`, 'Why.')).toHaveLength(1);
});
