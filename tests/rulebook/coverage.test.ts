import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { books as tableBooks } from '../../src/games/books.ts';
import { games } from '../../src/games/registry.ts';
import { ELM } from './ELM.rows.ts';
import { ETG } from './ETG.rows.ts';
import { FAB } from './FAB.rows.ts';
import { rowsIn } from './rows.ts';
import { SUP } from './SUP.rows.ts';
import { BAC } from './BAC.rows.ts';
import { type BookRow, books, complaints, houseIds, outsideRows, readingIds, rowsOf } from './coverage.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rows = books.flatMap(rowsOf);

/** The names of all tests, as the runner itself lists them. */
function testNames(): readonly string[] {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const command = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [command, 'list', '--no-staticParse', '--json'], {
    cwd: root,
    env: { ...env, NODE_ENV: 'test' },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(status).toBe(0);
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

test('rulebook/ has all 473 rows of the five books, each once', () => {
  expect(Object.fromEntries(books.map((book) => [book, rowsOf(book).length]))).toEqual({
    SUP: 108,
    ELM: 61,
    BAC: 56,
    ETG: 172,
    FAB: 76,
  });
  expect(new Set(rows.map(({ id }) => id)).size).toBe(473);
  for (const book of books) for (const { id } of rowsOf(book)) expect(id.startsWith(`${book} `)).toBe(true);
});

test('rulebook/ has the 62 readings and the twelve house procedures', () => {
  expect(readingIds()).toEqual(Array.from({ length: 62 }, (_, n) => `READING ${n + 1}`));
  expect(houseIds()).toEqual(Array.from({ length: 12 }, (_, n) => `HOUSE ${n + 1}`));
});

test('every row is cited by a test, waits for a later room, or is outside with a reason; no test cites what is not there', () => {
  const outside = outsideRows();
  for (const [, reason] of outside) expect(reason.length).toBeGreaterThan(20);
  const names = testNames();
  expect(names.length).toBeGreaterThan(500);
  expect(
    complaints(
      rows,
      [...readingIds(), ...houseIds()],
      outside.map(([id]) => id),
      names,
    ),
  ).toEqual([]);
});

test('the rows that wait are those of waiting.txt, so that none begins to wait unseen', () => {
  const waiting = rows
    .filter(({ shownBy }) => shownBy.startsWith('waits for: '))
    .map(({ id, shownBy }) => `${id} | ${shownBy}`);
  expect(waiting).toEqual(
    readFileSync(new URL('waiting.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );
});

test('odds that a row states are those that its tests show', () => {
  const tables = [...BAC, ...SUP, ...ELM, ...FAB, ...ETG].flatMap(([, table]) => rowsIn(table));
  let stated = 0;
  for (const { id, text } of rows) {
    const odds = /pays? (0\.95|\d+) to (\d+)/.exec(text);
    if (!odds || !/^\w+ 4\./.test(id)) continue;
    const expected = odds[1] === '0.95' ? '19 to 20' : `${odds[1]} to ${odds[2]}`;
    const shown = tables.filter((row) => row.id === id && / to /.test(row.expected));
    expect(shown.length, id).toBeGreaterThan(0);
    for (const row of shown) expect(row.expected.replace(/ by .*/, ''), id).toBe(expected);
    stated++;
  }
  expect(stated).toBeGreaterThan(80);
});

test('the check above notices what is missing, unknown or without a reason', () => {
  const some: readonly BookRow[] = [
    { id: 'X 1', text: '', shownBy: 'rules' },
    { id: 'X 2', text: '', shownBy: 'table' },
    { id: 'X 3', text: '', shownBy: 'waits for: floor' },
    { id: 'X 4', text: '', shownBy: 'outside' },
    { id: 'X 5', text: '', shownBy: 'later' },
  ];
  expect(complaints(some, ['HOUSE 1'], [], ['[X 1] is so', 'a name', '[HOUSE 1] is so', '[X 9] is so'])).toEqual([
    'X 2 is cited by no test',
    'X 4 is outside without a reason',
    'X 5 is shown by "later"',
    'X 9 is cited by a test but does not exist',
  ]);
  expect(complaints(some.slice(0, 1), [], ['X 1'], ['[X 1] is so'])).toEqual(['X 1 has a reason but is not outside']);
});

test('every clause that a game cites is a clause of its book', () => {
  for (const { id, book, wagers } of games) {
    const clauses = Object.values(wagers).flatMap(({ by, lines }) => [by, ...lines.map((line) => line.by)]);
    for (const clause of clauses) {
      expect(clause.startsWith(`${book} `), `${id}: ${clause}`).toBe(true);
      expect(
        rows.some((row) => row.id === clause || row.id.startsWith(`${clause}.`)),
        `${id}: ${clause}`,
      ).toBe(true);
    }
  }
});

test('every clause that a book’s table of irregularities cites is a clause of that book or a house procedure', () => {
  const house = houseIds();
  for (const { id, clauses, terminals, irregularities } of tableBooks) {
    const cited = [
      ...Object.values(clauses),
      ...Object.values(terminals),
      ...Object.values(irregularities).flatMap(({ by, rulings }) => [
        by,
        ...Object.values(rulings).map((one) => one.by),
      ]),
    ];
    for (const clause of cited) {
      const known = rows.some((row) => row.id === clause || row.id.startsWith(`${clause}.`));
      expect(house.includes(clause) || (clause.startsWith(`${id} `) && known), `${id}: ${clause}`).toBe(true);
    }
  }
});
