import { readFileSync, readdirSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { type LineRequest } from '../../src/cli/support/jsonLines.ts';
import { createScenarioHandler } from '../../src/cli/rules/table.ts';
import { hashChainVectors } from '../../src/labpack/vectors/chains.ts';
import { migrate, migrationRows } from './migrate.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const linesIn = (url: URL): readonly object[] =>
  readFileSync(url, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
/** A line without the text of its note, which is prose for readers. */
const withoutNote = (line: unknown): object => ({
  ...(line as object),
  ...('note' in (line as object) && { note: '' }),
});
const scenarios = readdirSync(new URL('scenarios/', fixtures));

test('the migration list has each rename once', () => {
  const keys = migrationRows.map(({ surface, path, old }) => `${surface} ${path} ${old}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const row of migrationRows) expect(Object.keys(row)).toEqual(['surface', 'path', 'old', 'new']);
});

// Expectations of scenarios/ that are no longer those of 0.2, since the table behaves differently:
// - BAC-5.3, HOUSE-8: the shoe goes on after third cards in an unknown order. [READING 69]
// - BAC-5.1.1, ETG-5.1.foreign: two persons void for a foreign first card, which is out of the shoe. [READING 64]
// - BAC-5.3, HOUSE-9: the shoe after the void is checked too.
// - READING-56: a place after the fourth card cites the procedure on third cards. [HOUSE 8]
// - ETG-5.5: the refusal of a late slip gives the time of the close and of its arrival. [ETG 5.5]
describe('a scenario of 0.2, translated by the migration list alone', () => {
  test.each(scenarios)('%s is the scenario of today and every expectation holds', (file) => {
    const translated = linesIn(new URL(`scenarios/${file}`, fixtures)).map((line) => migrate(line, 'table --jsonl'));
    const today = linesIn(new URL(`../scenarios/${file}`, import.meta.url));
    expect(translated.map(withoutNote)).toEqual(today.map(withoutNote));
    const answer = createScenarioHandler();
    for (const line of translated as readonly LineRequest[]) {
      const given = answer(line);
      if ('expect' in line) expect(given, JSON.stringify(line)).toEqual({ met: true });
    }
  });
});

test('every name that the library of 0.2 exported is exported today, by its own name or by that of the list', () => {
  const exportsOf02 = JSON.parse(readFileSync(new URL('library.json', fixtures), 'utf8')) as {
    readonly [entry: string]: readonly string[];
  };
  for (const [entry, names] of Object.entries(exportsOf02)) {
    const path = `src/exports/${entry.replace('punto/', '')}.ts`;
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const today = new Set(
      parseSync(path, text).module.staticExports.flatMap(({ entries }) =>
        entries.map(({ exportName }) => exportName.name),
      ),
    );
    const rows = migrationRows.filter((row) => row.surface === 'library' && row.path === entry);
    expect(
      names.map((name) => rows.find(({ old }) => old === name)?.new ?? name).filter((name) => !today.has(name)),
    ).toEqual([]);
    expect(rows.filter((row) => !names.includes(row.old) || today.has(row.old))).toEqual([]);
  }
});

test('the chain vectors of 0.2, translated, are the vectors of today but for hashes', () => {
  const [, ...old] = linesIn(new URL('vectors/chains.jsonl', fixtures));
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  /** Entries are given as texts; names within change their order and their hashes. */
  const comparable = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') return value.replaceAll(/[0-9a-f]{64}/g, 'hash');
    if (Array.isArray(value)) {
      const items = value.map((one) => comparable(one));
      return field === 'same' ? items.toSorted((one, other) => String(one).localeCompare(String(other))) : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one, name)]));
  };
  const opened = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(opened);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === 'text' ? parsed(one as string) : opened(one)]),
    );
  };
  const today = [...hashChainVectors()].map((line) => comparable(opened(line)));
  expect(old.map((line) => comparable(migrate(opened(line), 'vectors')))).toEqual(today);
});
