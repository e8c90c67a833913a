import { expect, test } from 'vitest';
import { type TerminalRulingRow } from '../../../../../wire/staff/supervisorView.ts';
import {
  type RowQuery,
  returnedAmount,
  bigStakeThreshold,
  rowCountsByFilter,
  rulingDifference,
  visibleRowRange,
  filteredAndSortedRows,
  totalsOfRows,
} from './terminalRows.ts';

const row = (
  terminal: string,
  staked: number,
  reconstruct: number | null,
  stand: number | null,
  disconnected = false,
): TerminalRulingRow => ({
  terminal,
  staked,
  paid: null,
  back: { reconstruct, void: staked, stand },
  disconnected,
});

const rows = [
  row('T10.1', 50_000, 0, 0),
  row('T2.1', 205_000, 505_000, 390_000),
  row('T4.3', 112_500, 325_000, 195_000, true),
  row('T5.1', 305_000, 0, 0),
];
const shown: RowQuery = {
  ruling: 'reconstruct',
  filter: 'all',
  sort: 'terminal',
  search: '',
  bigStake: 200_000,
  offlineTerminals: new Set(['T10.1']),
};
const names = (more: Partial<RowQuery>): readonly string[] =>
  filteredAndSortedRows(rows, { ...shown, ...more }).map(({ terminal }) => terminal);

test('rows are sorted by terminal number, stake, or difference to the cards as laid', () => {
  expect(names({})).toEqual(['T2.1', 'T4.3', 'T5.1', 'T10.1']);
  expect(names({ sort: 'stake' })).toEqual(['T5.1', 'T2.1', 'T4.3', 'T10.1']);
  expect(names({ sort: 'difference' })).toEqual(['T4.3', 'T2.1', 'T5.1', 'T10.1']);
});

test('filters keep rows that differ, lose, are big or are offline', () => {
  expect(names({ filter: 'differs' })).toEqual(['T2.1', 'T4.3']);
  expect(names({ filter: 'loses' })).toEqual(['T5.1', 'T10.1']);
  expect(names({ filter: 'big' })).toEqual(['T2.1', 'T5.1']);
  expect(names({ filter: 'offline' })).toEqual(['T4.3', 'T10.1']);
  expect(rowCountsByFilter(rows, shown)).toEqual({ all: 4, differs: 2, loses: 2, big: 2, offline: 2 });
});

test('a search ignores the filter', () => {
  expect(names({ filter: 'differs', search: 't5' })).toEqual(['T5.1']);
});

test('a row with an unknown amount neither differs nor loses', () => {
  const unknown = row('T1.1', 100, null, null);
  expect(rulingDifference(unknown, 'reconstruct')).toBe(0);
  expect(filteredAndSortedRows([unknown], { ...shown, filter: 'loses' })).toEqual([]);
  expect(totalsOfRows([unknown, ...rows], ['reconstruct', 'void']).back).toEqual({ reconstruct: null, void: 672_600 });
});

test('a referral keeps every stake, and a ruling is compared with the stake when no cards decide', () => {
  expect(returnedAmount(rows[0]!, 'refer')).toBe(50_000);
  expect(rulingDifference(row('T1.1', 100, 300, null), 'reconstruct')).toBe(200);
});

test('totals are those of the given rows', () => {
  expect(totalsOfRows(rows.slice(0, 2), ['reconstruct', 'refer'])).toEqual({
    count: 2,
    staked: 255_000,
    back: { reconstruct: 505_000, refer: 255_000 },
  });
});

test('the big stake is a round amount that about a quarter of rows reach', () => {
  expect(bigStakeThreshold(rows)).toBe(200_000);
  expect(bigStakeThreshold([])).toBe(100);
  expect(bigStakeThreshold([row('T1.1', 70_000, null, null)])).toBe(50_000);
  expect(bigStakeThreshold([row('T1.1', 10_000, null, null)])).toBe(10_000);
});

test('a virtual list draws the rows in view and a margin', () => {
  expect(visibleRowRange(240, { top: 0, height: 270, row: 27 })).toEqual({ from: 0, to: 16 });
  expect(visibleRowRange(240, { top: 2_700, height: 270, row: 27 })).toEqual({ from: 94, to: 116 });
  expect(visibleRowRange(5, { top: 0, height: 270, row: 27 })).toEqual({ from: 0, to: 5 });
});
