import { type TerminalRulingRow } from '../../../../../wire/staff/supervisorView.ts';

// The ruling matrix has one row for each terminal. Filter and sort order of the rows never affect the ruling.

export const rowFilters = ['all', 'differs', 'loses', 'big', 'offline'] as const;
export type RowFilter = (typeof rowFilters)[number];
export const rowSorts = ['difference', 'terminal', 'stake'] as const;
export type RowSort = (typeof rowSorts)[number];

/** A matrix with more rows than this has a filter bar. */
export const maxUnfilteredRows = 12;

export type RowQuery = {
  readonly ruling: string;
  readonly filter: RowFilter;
  readonly sort: RowSort;
  readonly search: string;
  /** The filter `big` shows rows with a stake of at least this amount, in cents. */
  readonly bigStake: number;
  readonly offlineTerminals: ReadonlySet<string>;
};

/**
 * Amount that a ruling returns to the patron, in cents; null if it is unknown. A referral moves no money, so the stake
 * counts as its amount.
 */
export const returnedAmount = ({ back, staked }: TerminalRulingRow, ruling: string): number | null =>
  ruling === 'refer' ? staked : (back[ruling] ?? null);

/**
 * Difference in cents between what a ruling returns to the patron and what the cards as laid return. If the cards as
 * laid decide nothing, they count as returning the stake. If the amount of the ruling is unknown, the difference is 0.
 */
export function rulingDifference(row: TerminalRulingRow, ruling: string): number {
  const back = row.back[ruling] ?? null;
  return back === null ? 0 : back - (row.back['stand'] ?? row.staked);
}

const matchesFilter = (
  row: TerminalRulingRow,
  filter: RowFilter,
  { ruling, bigStake, offlineTerminals }: Omit<RowQuery, 'filter' | 'sort' | 'search'>,
): boolean => {
  switch (filter) {
    case 'all':
      return true;
    case 'differs':
      return rulingDifference(row, ruling) !== 0;
    case 'loses': {
      const back = returnedAmount(row, ruling);
      return back !== null && back < row.staked;
    }
    case 'big':
      return row.staked >= bigStake;
    case 'offline':
      return row.disconnected || offlineTerminals.has(row.terminal);
  }
};

export const rowCountsByFilter = (
  rows: readonly TerminalRulingRow[],
  query: Omit<RowQuery, 'filter' | 'sort' | 'search'>,
): { readonly [F in RowFilter]: number } =>
  Object.fromEntries(
    rowFilters.map((filter) => [filter, rows.filter((row) => matchesFilter(row, filter, query)).length]),
  ) as {
    readonly [F in RowFilter]: number;
  };

const byName = (one: TerminalRulingRow, other: TerminalRulingRow): number =>
  one.terminal.localeCompare(other.terminal, 'en', { numeric: true });

/** Rows that match the search text or, without a search text, the filter. They are in the sort order of the query. */
export function filteredAndSortedRows(
  rows: readonly TerminalRulingRow[],
  query: RowQuery,
): readonly TerminalRulingRow[] {
  const { ruling, filter, sort, search } = query;
  const searchText = search.trim().toLowerCase();
  const filtered = rows.filter((row) =>
    searchText === '' ? matchesFilter(row, filter, query) : row.terminal.toLowerCase().includes(searchText),
  );
  const distance = (row: TerminalRulingRow): number => Math.abs(rulingDifference(row, ruling));
  return filtered.toSorted((one, other) => {
    const by =
      sort === 'difference' ? distance(other) - distance(one) : sort === 'stake' ? other.staked - one.staked : 0;
    return by === 0 ? byName(one, other) : by;
  });
}

/** Upper quartile of the stakes, in cents, rounded down to 1, 2 or 5 times a power of ten; at least 100. */
export function bigStakeThreshold(rows: readonly TerminalRulingRow[]): number {
  const stakes = rows.map(({ staked }) => staked).toSorted((one, other) => other - one);
  const edge = Math.max(100, stakes[Math.floor(stakes.length / 4)] ?? 0);
  const unit = 10 ** Math.floor(Math.log10(edge));
  return unit * ([5, 2, 1].find((step) => step * unit <= edge) ?? 1);
}

export type RowTotals = {
  readonly count: number;
  readonly staked: number;
  readonly back: { readonly [ruling: string]: number | null };
};

/** Sums over the rows. The sum for a ruling is null if the amount of any row is unknown. */
export function totalsOfRows(rows: readonly TerminalRulingRow[], rulings: readonly string[]): RowTotals {
  const back = rulings.map((ruling) => {
    let sum: number | null = 0;
    for (const row of rows) {
      const one = returnedAmount(row, ruling);
      sum = sum === null || one === null ? null : sum + one;
    }
    return [ruling, sum] as const;
  });
  return { count: rows.length, staked: rows.reduce((sum, row) => sum + row.staked, 0), back: Object.fromEntries(back) };
}

/** Indexes of the rows to draw: the rows in view and six more above and below. `to` is exclusive. */
export function visibleRowRange(
  count: number,
  { top, height, row }: { readonly top: number; readonly height: number; readonly row: number },
): { readonly from: number; readonly to: number } {
  const margin = 6;
  const from = Math.max(0, Math.floor(top / row) - margin);
  return { from, to: Math.min(count, Math.ceil((top + height) / row) + margin) };
}
