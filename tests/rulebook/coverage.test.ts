import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rulebooks as tableBooks } from '../../src/games/rulebooks.ts';
import { games } from '../../src/games/registry.ts';
import { ELM } from './ELM.rows.ts';
import { ETG } from './ETG.rows.ts';
import { FAB } from './FAB.rows.ts';
import { rowsIn } from './rows.ts';
import { SUP } from './SUP.rows.ts';
import { BAC } from './BAC.rows.ts';
import {
  type RulebookRow,
  books,
  gaps,
  procedureIds,
  listedTests,
  outsideRows,
  readingIds,
  rowsOf,
  strays,
} from './coverage.ts';
import { groupByRow, stale, textOf } from './testsByRow.ts';

const rows = books.flatMap(rowsOf);

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

test('README.md states how many rows there are and how many of them tests show', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, all, shown] = /listed as (\d+) rows; (\d+) are shown by tests/.exec(page)!;
  expect([all, shown].map(Number)).toEqual([rows.length, rows.length - outsideRows().length]);
});

test('rulebook/ has the 70 readings and the twelve house procedures', () => {
  expect(readingIds()).toEqual(Array.from({ length: 70 }, (_, n) => `READING ${n + 1}`));
  expect(procedureIds()).toEqual(Array.from({ length: 12 }, (_, n) => `HOUSE ${n + 1}`));
});

test('every row outside the program has a reason', () => {
  for (const [id, reason] of outsideRows()) expect(reason.length, id).toBeGreaterThan(20);
});

test('the rows without a test are those of waiting.txt', () => {
  const uncovered = rows
    .filter(({ shownBy }) => shownBy.startsWith('waits for: '))
    .map(({ id, shownBy }) => `${id} | ${shownBy}`);
  expect(uncovered).toEqual(
    readFileSync(new URL('waiting.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
});

test('the odds in a row are those that its tests show', () => {
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

test('gaps and strays report what is missing, unknown or without a reason', () => {
  const some: readonly RulebookRow[] = [
    { id: 'X 1', text: '', shownBy: 'rules' },
    { id: 'X 2', text: '', shownBy: 'table' },
    { id: 'X 3', text: '', shownBy: 'waits for: floor' },
    { id: 'X 4', text: '', shownBy: 'outside' },
    { id: 'X 5', text: '', shownBy: 'later' },
    { id: 'X 6', text: '', shownBy: 'screens' },
  ];
  const book = { rows: some, others: ['HOUSE 1'], outside: [] };
  const names = ['[X 1] is so', 'a name', '[HOUSE 1] is so', '[X 9] is so'];
  expect(gaps(book, names)).toEqual([
    'X 2 is cited by no test that passed',
    'X 4 is outside without a reason',
    'X 5 is shown by "later"',
    'X 6 is cited by no test that passed',
  ]);
  expect(strays(book, names)).toEqual(['X 9 is cited by a test but does not exist']);
  expect(gaps({ rows: some.slice(0, 1), others: [], outside: ['X 1'] }, ['[X 1] is so'])).toEqual([
    'X 1 has a reason but is not outside',
  ]);
});

test('every clause that a game cites is a clause of its book', () => {
  for (const { id, book, wagers } of games) {
    const clauses = Object.values(wagers).flatMap(({ by, lines, losses = [] }) => [
      by,
      ...[...lines, ...losses].map((line) => line.by),
    ]);
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
  const procedures = procedureIds();
  for (const { id, clauses, draws, terminals, irregularities } of tableBooks) {
    const cited = [
      ...Object.values(clauses),
      ...Object.values(draws),
      ...Object.values(terminals),
      ...Object.values(irregularities).flatMap(({ by, rulings }) => [
        by,
        ...Object.values(rulings).map((one) => one.by),
      ]),
    ];
    for (const clause of cited) {
      const exists = rows.some((row) => row.id === clause || row.id.startsWith(`${clause}.`));
      expect(procedures.includes(clause) || (clause.startsWith(`${id} `) && exists), `${id}: ${clause}`).toBe(true);
    }
  }
});

test('rulebook/tests.json has a test for every row inside the program, no unknown row, and only existing files', () => {
  const listed = listedTests();
  const exists = new Set([...rows.map(({ id }) => id), ...readingIds(), ...procedureIds()]);
  expect(Object.keys(listed).filter((id) => !exists.has(id))).toEqual([]);
  for (const { id, shownBy } of rows) {
    if (['rules', 'table', 'floor', 'screens'].includes(shownBy)) expect(listed[id]?.length, id).toBeGreaterThan(0);
  }
  for (const file of new Set(Object.values(listed).flatMap((tests) => tests.map((one) => one.file)))) {
    expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
  }
  const text = readFileSync(new URL('../../rulebook/tests.json', import.meta.url), 'utf8');
  expect(textOf(listed)).toBe(text);
});

test('stale reports an outdated list of tests, by the files that ran', () => {
  const ran = [
    { file: 'b.test.ts', name: '[X 2] is so' },
    { file: 'a.test.ts', name: '[X 10] holds' },
    { file: 'a.test.ts', name: '[X 2] holds' },
    { file: 'a.test.ts', name: 'cites nothing' },
    { file: 'a.test.ts', name: '[X 10] a group and its test' },
  ];
  const listed = groupByRow(ran.map((one) => ({ ...one, name: one.name.replace('group and', 'group > and') })));
  expect(Object.keys(listed)).toEqual(['X 2', 'X 10']);
  expect(listed['X 2']!.map(({ file }) => file)).toEqual(['a.test.ts', 'b.test.ts']);
  expect(stale(listed, ran)).toEqual([]);
  expect(stale(listed, ran.slice(0, 1))).toEqual([]);
  expect(stale({ 'X 2': listed['X 2']! }, ran)).toEqual([
    'a.test.ts: [X 10] holds is not in rulebook/tests.json',
    'a.test.ts: [X 10] a group and its test is not in rulebook/tests.json',
  ]);
  expect(stale(listed, [...ran.slice(1, 2), ...ran.slice(3)])).toEqual([
    'a.test.ts: [X 2] holds is in rulebook/tests.json and gone',
  ]);
});
