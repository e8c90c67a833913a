import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Commit,
  bannedIdentifiers,
  bannedNames,
  bannedPhrases,
  commitFaults,
  exportedTwice,
  identifierLists,
  nameLists,
  parseSource,
  unusedExceptions,
  wordsOf,
} from './language.ts';
import { root, sources } from './sources.ts';
import { allowedCommits, maxFilesPerFolder } from './words.ts';

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
/** These files quote the words. */
const quoting = new Set(['language.test.ts', 'language.ts', 'words.ts'].map((name) => `tests/architecture/${name}`));
const files = sources('{*,{src,tests,scripts,bench,examples,docs,bin}/**/*}.{ts,tsx,mts,mjs}')
  .filter(({ path }) => !quoting.has(path))
  .map((source) => ({ path: source.path, ...parseSource(source) }));
const product = files.filter(({ path }) => path.startsWith('src/') && !isTest(path));
const styles = sources('src/**/*.{css,html}');

test('every source of the project is checked', () => {
  expect(product.length).toBeGreaterThan(700);
  expect(styles.length).toBeGreaterThan(50);
  for (const folder of ['tests', 'scripts', 'bench', 'examples', 'docs']) {
    expect(files.some(({ path }) => path.startsWith(`${folder}/`))).toBe(true);
  }
});

test('an exported name belongs to one file', () => {
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

test('names in strings use the words of the glossary', () => {
  expect(
    ceilingFault(
      'names in strings with words that the glossary replaces',
      product.flatMap(({ path, names }) => bannedNames(path, names).map((name) => `${path}: ${name}`)),
    ),
  ).toBe('');
});

test('every exception for a name is needed', () => {
  const identifiers = files.map(({ path, identifiers: names }) => ({ path, names }));
  expect(unusedExceptions(identifiers, identifierLists)).toEqual([]);
  expect(unusedExceptions(product, nameLists)).toEqual([]);
});

test('comments name who or what they speak of', () => {
  expect(
    ceilingFault(
      'vague words in comments',
      [
        ...files,
        ...styles.map(({ path, text }) => ({ path, comments: text.match(/\/\*[^]*?\*\/|<!--[^]*?-->/g) ?? [] })),
      ].flatMap(({ path, comments }) =>
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
  const pages = [...sources('*.md'), ...sources('{docs,bench,rulebook,tests,scripts,examples,.github}/**/*.md')];
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

const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** The commits since the rules, with the paths that each changes; merges have none. */
function commits(): readonly (Commit & { readonly hash: string })[] {
  const format = '--format=%x1e%h%x1f%p%x1f%s%x1f%b%x1f';
  const log = git('log', '--name-only', '--abbrev=8', format, `${firstCommit}..HEAD`);
  expect(log.status, log.stderr).toBe(0);
  return log.stdout
    .split('\u001E')
    .slice(1)
    .map((entry) => {
      const [hash, parents, subject, body, paths] = entry.split('\u001F') as [string, string, string, string, string];
      return { hash, isMerge: parents.includes(' '), subject, body, paths: paths.trim().split('\n') };
    });
}

test('commits since the rules say what they change and why', ({ skip }) => {
  const isWhole = git('rev-parse', '--is-shallow-repository').stdout?.trim() === 'false';
  skip(
    !existsSync(`${root}/.git`) || !isWhole,
    'a package has no history of commits, and a shallow clone not all of it',
  );
  const faults = new Map(
    commits().flatMap((commit) => {
      const found = commitFaults(commit);
      return found.length === 0 ? [] : [[commit.hash, `${commit.subject}: ${found.join('; ')}`] as const];
    }),
  );
  expect([...faults].filter(([hash]) => !allowedCommits.has(hash))).toEqual([]);
  expect([...allowedCommits.keys()].filter((hash) => !faults.has(hash))).toEqual([]);
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
  const commit = {
    subject: 'store: check the schema number',
    body: 'An older program must not write.',
    paths: ['src/store/schemaVersion.ts'],
    isMerge: false,
  };
  const faultsOf = (change: Partial<Commit>): readonly string[] => commitFaults({ ...commit, ...change });
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ subject: 'Look at a record in one place', body: '' })).toHaveLength(2);
  expect(faultsOf({ subject: `store: ${'x'.repeat(80)}` })).toHaveLength(1);
  expect(faultsOf({ body: 'Signed-off-by: A <a@b.c>\n' })).toHaveLength(1);
  expect(faultsOf({ subject: 'runtime: check the schema number' })).toHaveLength(1);
  expect(faultsOf({ subject: 'store, runtime: check the schema number' })).toHaveLength(1);
  expect(faultsOf({ subject: 'tests/store: check', paths: ['tests/store/a.test.ts'] })).toEqual([]);
  expect(faultsOf({ subject: 'tests: check', paths: ['src/store/a.test.ts'] })).toEqual([]);
  expect(faultsOf({ subject: 'docs: say how', paths: ['README.md'] })).toEqual([]);
  expect(faultsOf({ subject: 'CHANGELOG: name it', paths: ['CHANGELOG.md'] })).toEqual([]);
  const merge = { body: '', paths: [], isMerge: true };
  expect(faultsOf({ ...merge, subject: 'Merge names of stores' })).toEqual([]);
  expect(faultsOf({ ...merge, subject: `Merge ${'x'.repeat(80)}` })).toHaveLength(1);
  expect(faultsOf({ ...merge, subject: 'Names of stores' })).toHaveLength(1);
  expect(faultsOf({ subject: 'Merge names of stores' })).toHaveLength(1);
});
