import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/errorCodes.ts';
import { programDigest, readProgramIdentity } from '../../src/labpack/digests.ts';
import { clausesOfReading } from '../../src/labpack/rulebook.ts';
import { tableEvents } from '../../src/table/schema/events.ts';
import { type RunResult, punto } from '../cli/support/punto.ts';
import { root } from '../architecture/sources.ts';
import { procedureIds, outsideRows, readingIds } from '../rulebook/coverage.ts';
import { temporaryFolder } from '../temporary.ts';

const folder = temporaryFolder('lab');
let result: RunResult;
beforeAll(async () => {
  result = await punto(['labpack', '--out', join(folder, 'a'), '--shoes', '300']);
});

const filesOf = (run: string): readonly string[] =>
  readdirSync(join(folder, run), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, run).length + 1))
    .toSorted();
const textOf = (file: string, run = 'a'): string => readFileSync(join(folder, run, file), 'utf8');
const jsonOf = (file: string): unknown => JSON.parse(textOf(file));

test('the lab pack has the documents of a test lab, and names the first one', () => {
  const files = filesOf('a');
  expect(files.filter((file) => !file.startsWith('par/'))).toEqual([
    'README.md',
    'catalogue.html',
    'catalogue.json',
    'conformance.html',
    'conformance.json',
    'digests.json',
    'digests.txt',
    'shuffle.html',
    'shuffle.json',
  ]);
  expect(files.filter((file) => file.startsWith('par/'))).toHaveLength(141);
  expect(result.status).toBe(0);
  expect(result.stdout).toMatch(
    /^70 PAR sheets, \d+ digests and \d+ shuffle tests are in .*; start with README\.md\.\n/,
  );
});

test('every link in the lab pack resolves, and no file contains a machine path', () => {
  const files = new Set(filesOf('a'));
  for (const file of files) {
    const text = textOf(file);
    expect(text.includes(root) || text.includes(tmpdir()) || text.includes('file:'), file).toBe(false);
    const links = file.endsWith('.html') ? text.matchAll(/href="([^"]+)"/g) : text.matchAll(/\]\(([^)]+)\)/g);
    if (!/\.(html|md)$/.test(file)) continue;
    const anchors = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!));
    for (const [, link] of links) {
      const [page, anchor] = link!.split('#');
      if (page !== '') expect(files.has(join(dirname(file), page!)), `${file}: ${link}`).toBe(true);
      if (anchor !== undefined) expect(anchors.has(anchor), `${file}: ${link}`).toBe(true);
    }
  }
});

type Conformance = {
  readonly books: readonly {
    readonly rows: readonly {
      readonly row: string;
      readonly description: string;
      readonly readings: readonly string[];
      readonly tests?: readonly { readonly file: string }[];
      readonly outside?: string;
    }[];
  }[];
  readonly readings: readonly { readonly id: string }[];
  readonly procedures: readonly { readonly id: string; readonly text: string }[];
};

test('the conformance page has all 473 rows, each with tests or a reason for none', () => {
  const { books, readings, procedures } = jsonOf('conformance.json') as Conformance;
  const rows = books.flatMap((book) => book.rows);
  expect(rows).toHaveLength(473);
  const page = textOf('conformance.html');
  const outside = new Set(outsideRows().map(([id]) => id));
  for (const { row, description, tests, outside: reason } of rows) {
    expect(description.length, row).toBeGreaterThan(20);
    if (outside.has(row)) expect(reason!.length, row).toBeGreaterThan(20);
    else expect(tests!.length, row).toBeGreaterThan(0);
    expect(page).toContain(`<tr id="${row.replaceAll(' ', '-')}">`);
  }
  expect(readings.map(({ id }) => id)).toEqual(readingIds());
  expect(procedures.map(({ id }) => id)).toEqual(procedureIds());
  expect(rows.find(({ row }) => row === 'ETG 1.1.19.3')!.readings).toEqual(['READING 1', 'READING 2', 'READING 3']);
});

test('the clauses of a reading are parsed from any list form', () => {
  const of = (clauses: string) => clausesOfReading({ id: '', clauses, description: '', why: '' });
  expect(of('ETG 1.1.11, 1.1.19')).toEqual(['ETG 1.1.11', 'ETG 1.1.19']);
  expect(of('SUP, ELM 5.1; ETG 5.2')).toEqual(['SUP 5.1', 'ELM 5.1', 'ETG 5.2']);
  expect(of('ETG 1.1 to 1.3, 4.9')).toEqual(['ETG 1.1', 'ETG 1.3', 'ETG 4.9']);
  expect(of('BAC 4.1, ETG 4.7, every 1 to 2 line')).toEqual(['BAC 4.1', 'ETG 4.7']);
  expect(of('every void')).toEqual([]);
});

test('the shuffle report passes, names its seed, and leaves out tests that need more shoes', () => {
  const report = jsonOf('shuffle.json');
  expect(report).toMatchObject({
    passed: true,
    source: { seed: '1' },
    shoes: 300,
    bits: 300 * 40 * 32,
    alpha: 0.01,
    correction: 'Holm',
    off: [],
    reduced: { uneven: [], unfair: [] },
    leftOut: { 'pairs of positions': 425 },
  });
  expect(textOf('shuffle.html')).toContain('the seed &quot;1&quot;');
  expect(textOf('README.md')).toContain('`punto labpack --seed="1" --shoes 300 --out DIR`');
});

test('the digests cover all files that run and no tests, with one digest over all', () => {
  const lines = textOf('digests.txt').trimEnd().split('\n');
  const files = lines.map((line) => line.slice(66));
  expect(files).toEqual(files.toSorted());
  for (const file of [
    'bin/punto',
    'package.json',
    'package-lock.json',
    'scripts/runtime/package-lock.json',
    'src/runtime/ports/random.ts',
    'rulebook/tests.json',
  ]) {
    expect(files).toContain(file);
  }
  expect(files.filter((file) => /\.test\.|^tests\/|node_modules|^dist\//.test(file))).toEqual([]);
  for (const line of lines.filter((_, index) => index % 20 === 0)) {
    const bytes = readFileSync(join(root, line.slice(66)));
    expect(line.slice(0, 64)).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
  const all = createHash('sha256').update(textOf('digests.txt')).digest('hex');
  expect((jsonOf('digests.json') as { sha256: string }).sha256).toBe(all);
  expect(textOf('README.md')).toContain(`sha256:${all}\n`);
  for (const one of (jsonOf('digests.json') as { packages: { integrity: string }[] }).packages) {
    expect(one.integrity).toMatch(/^sha512-/);
  }
});

test('the digests of an installed package cover every file, and one changed byte changes the digest over all', () => {
  const packageFolder = join(folder, 'package');
  for (const [file, text] of [
    ['package.json', '{"version":"1.2.3","dependencies":{"ws":"8.0.0"}}'],
    ['dist/a.js', 'x'],
    ['dist/deep/b.js', 'y'],
    ['node_modules/ws/index.js', 'z'],
  ] as const) {
    mkdirSync(dirname(join(packageFolder, file)), { recursive: true });
    writeFileSync(join(packageFolder, file), text);
  }
  const before = readProgramIdentity(`${packageFolder}/`);
  expect(before).toMatchObject({
    version: '1.2.3',
    from: 'package',
    packages: [{ name: 'ws', version: '8.0.0', integrity: null }],
  });
  expect(before.files.map(({ file }) => file)).toEqual(['dist/a.js', 'dist/deep/b.js', 'package.json']);
  writeFileSync(join(packageFolder, 'dist/deep/b.js'), 'Y');
  expect(programDigest(readProgramIdentity(`${packageFolder}/`))).not.toBe(programDigest(before));
});

test('the catalogue has every error code with its condition, and every event with its description and fields', () => {
  type Event = { readonly type: string; readonly description: string; readonly fields: object };
  type Code = { readonly code: string; readonly when: string; readonly by: readonly string[]; readonly from: string[] };
  const { events: all, codes } = jsonOf('catalogue.json') as {
    events: { [stream: string]: Event[] };
    codes: Code[];
  };
  expect(codes.map(({ code }) => code)).toEqual(errorCodes);
  for (const { code, when, from } of codes) {
    expect(when.length, code).toBeGreaterThan(10);
    expect(from.length, code).toBeGreaterThan(0);
  }
  expect(codes.find(({ code }) => code === 'late-raise')!.by).toContain('BAC 5.6');
  expect(codes.find(({ code }) => code === 'unknown-option')!.from).toEqual(['command']);
  expect(Object.keys(all)).toEqual(['table', 'terminal', 'staff', 'floor']);
  expect(all['table']!.map(({ type }) => type)).toEqual(Object.keys(tableEvents));
  for (const { type, description } of Object.values(all).flat()) expect(description.length, type).toBeGreaterThan(10);
  expect(all['floor']!.find(({ type }) => type === 'ClockJumped')!.fields).toHaveProperty('from');
});

test('the lab pack is the same bytes for the same seed and number of shoes', async () => {
  expect((await punto(['labpack', '--out', join(folder, 'b'), '--shoes', '300', '--seed', '1'])).status).toBe(0);
  expect(filesOf('b')).toEqual(filesOf('a'));
  for (const file of filesOf('a')) expect(textOf(file, 'b') === textOf(file), file).toBe(true);
});

test('labpack refuses malformed arguments before it writes anything', async () => {
  const out = join(folder, 'c');
  const refusedBy = async (...args: string[]): Promise<string | undefined> =>
    /\(([a-z-]+)\)\n$/.exec((await punto(['labpack', ...args])).stderr)?.[1];
  expect(await refusedBy('--out', join(folder, 'a'))).toBe('folder-not-empty');
  expect(await refusedBy()).toBe('missing-argument');
  expect(await refusedBy('--out', out, '--shoes', '5')).toBe('bad-simulation');
  expect(await refusedBy('--out', out, '--shoes', 'many')).toBe('malformed-argument');
  expect(await refusedBy('--out', out, '--source', 'dice')).toBe('malformed-argument');
  expect(await refusedBy('--out', out, '--source', 'system', '--seed', '1')).toBe('unexpected-argument');
  expect(readdirSync(folder)).not.toContain('c');
});
