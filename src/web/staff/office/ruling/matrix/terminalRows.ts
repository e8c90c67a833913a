import { type PatronRow } from '../../../../../wire/staff/supervisorView.ts';

// Which terminals of a round are shown, and in which order. What is ruled never depends on it.

export const filters = ['all', 'differs', 'loses', 'big', 'offline'] as const;
export type Filter = (typeof filters)[number];
export const sorts = ['difference', 'terminal', 'stake'] as const;
export type RowSort = (typeof sorts)[number];

/** With more slips than these there is something to be found. */
export const fewRows = 12;

export type RowQuery = {
  /** The ruling that is chosen. */
  readonly ruling: string;
  readonly filter: Filter;
  readonly sort: RowSort;
  readonly find: string;
  /** From which stake on one is big, in minor units. */
  readonly big: number;
  readonly away: ReadonlySet<string>;
};

/** What goes back by a ruling; where nothing moves, the stake stays. */
export const backOf = ({ back, staked }: PatronRow, ruling: string): number | null =>
  ruling === 'refer' ? staked : (back[ruling] ?? null);

/** How far a ruling is from the cards as laid, or from the stake where those decide nothing. */
export function differenceOf(row: PatronRow, ruling: string): number {
  const back = row.back[ruling] ?? null;
  return back === null ? 0 : back - (row.back['stand'] ?? row.staked);
}

const isIn = (
  row: PatronRow,
  filter: Filter,
  { ruling, big, away }: Omit<RowQuery, 'filter' | 'sort' | 'find'>,
): boolean => {
  switch (filter) {
    case 'all':
      return true;
    case 'differs':
      return differenceOf(row, ruling) !== 0;
    case 'loses': {
      const back = backOf(row, ruling);
      return back !== null && back < row.staked;
    }
    case 'big':
      return row.staked >= big;
    case 'offline':
      return row.lost || away.has(row.terminal);
  }
};

/** How many each filter leaves. */
export const filterCounts = (
  rows: readonly PatronRow[],
  given: Omit<RowQuery, 'filter' | 'sort' | 'find'>,
): { readonly [F in Filter]: number } =>
  Object.fromEntries(filters.map((filter) => [filter, rows.filter((row) => isIn(row, filter, given)).length])) as {
    readonly [F in Filter]: number;
  };

const byName = (one: PatronRow, other: PatronRow): number =>
  one.terminal.localeCompare(other.terminal, 'en', { numeric: true });

/** The rows that are shown, in their order. A terminal that is looked for is found whatever the filter says. */
export function shownRows(rows: readonly PatronRow[], shown: RowQuery): readonly PatronRow[] {
  const { ruling, filter, sort, find } = shown;
  const wanted = find.trim().toLowerCase();
  const some = rows.filter((row) =>
    wanted === '' ? isIn(row, filter, shown) : row.terminal.toLowerCase().includes(wanted),
  );
  const far = (row: PatronRow): number => Math.abs(differenceOf(row, ruling));
  return some.toSorted((one, other) => {
    const by = sort === 'difference' ? far(other) - far(one) : sort === 'stake' ? other.staked - one.staked : 0;
    return by === 0 ? byName(one, other) : by;
  });
}

/** From which stake on one is among the biggest quarter, as a round figure: 1, 2 or 5 with noughts. */
export function bigFrom(rows: readonly PatronRow[]): number {
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

/** What rows come to together; null where it cannot be told for one of them. */
export function sumRows(rows: readonly PatronRow[], rulings: readonly string[]): RowTotals {
  const back = rulings.map((ruling) => {
    let sum: number | null = 0;
    for (const row of rows) {
      const one = backOf(row, ruling);
      sum = sum === null || one === null ? null : sum + one;
    }
    return [ruling, sum] as const;
  });
  return { count: rows.length, staked: rows.reduce((sum, row) => sum + row.staked, 0), back: Object.fromEntries(back) };
}

/** The rows that a window shows, with some beside them: from, to, of so many. */
export function inWindow(
  count: number,
  { top, height, row }: { readonly top: number; readonly height: number; readonly row: number },
): { readonly from: number; readonly to: number } {
  const beside = 6;
  const from = Math.max(0, Math.floor(top / row) - beside);
  return { from, to: Math.min(count, Math.ceil((top + height) / row) + beside) };
}
