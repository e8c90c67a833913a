import { type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatShortMoney } from '../../../../../base/formatMoney.ts';
import { type TerminalRulingRow, type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { KeyCap } from '../../../kit/input/keyCap.tsx';
import { clickHandlerWithBlur } from '../../components/usePageKeys.ts';
import {
  type RowFilter,
  type RowSort,
  bigStakeThreshold,
  rowCountsByFilter,
  maxUnfilteredRows,
  rowFilters,
  filteredAndSortedRows,
  rowSorts,
} from './terminalRows.ts';
import { rulingStrings } from '../strings.ts';

/**
 * Filter, search text and sort order of the rows of a ruling matrix. `shown` are the rows that remain, in that order.
 */
export type RowFilterState = {
  readonly shown: readonly TerminalRulingRow[];
  readonly filter: RowFilter;
  readonly sort: RowSort;
  readonly search: string;
  readonly bigStake: number;
  readonly ruling: string;
  readonly offlineTerminals: ReadonlySet<string>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly setFilter: (filter: RowFilter) => void;
  readonly nextSort: () => void;
  readonly setSearch: (text: string) => void;
  /** Handles a key of the filter bar. Returns false for any other key. */
  readonly key: (key: string) => boolean;
};

const keys: { readonly [F in RowFilter]: string } = { all: 'A', differs: '1', loses: '2', big: '3', offline: '4' };

export function useRowFilter(view: SupervisorView, rows: readonly TerminalRulingRow[], ruling: string): RowFilterState {
  const [chosen, setFilter] = useState<RowFilter | null>(null);
  const [sort, setSort] = useState<RowSort>('difference');
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const offlineTerminals = new Set(view.terminalsAway);
  const bigStake = bigStakeThreshold(rows);
  // A long list shows only the rows whose amount the ruling changes, until another filter is chosen. If the ruling
  // changes no amount, all rows are shown.
  const differs =
    rows.length > maxUnfilteredRows && rowCountsByFilter(rows, { ruling, bigStake, offlineTerminals }).differs > 0;
  const filter = chosen ?? (differs ? 'differs' : 'all');
  const nextSort = (): void => setSort(rowSorts[(rowSorts.indexOf(sort) + 1) % rowSorts.length]!);
  const key = (pressed: string): boolean => {
    if (rows.length <= maxUnfilteredRows) return false;
    const pressedFilter = rowFilters.find((one) => keys[one] === pressed);
    if (pressedFilter !== undefined) setFilter(pressedFilter);
    else if (pressed === 'S') nextSort();
    else if (pressed === '/') field.current?.focus();
    else return false;
    return true;
  };
  const shown = filteredAndSortedRows(rows, { ruling, filter, sort, search, bigStake, offlineTerminals });
  return {
    shown,
    filter,
    sort,
    search,
    bigStake,
    ruling,
    offlineTerminals,
    field,
    setFilter,
    nextSort,
    setSearch,
    key,
  };
}

export function RowFilterBar({
  state,
  rows,
}: {
  readonly state: RowFilterState;
  readonly rows: readonly TerminalRulingRow[];
}) {
  const t = rulingStrings();
  const { shown, filter, sort, search, bigStake, field, setFilter, nextSort, setSearch } = state;
  const counts = rowCountsByFilter(rows, state);
  return (
    <div class="filter">
      <span class="in">
        <input
          ref={field}
          class="bare"
          data-field="find"
          aria-label={t.find}
          placeholder={t.terminal}
          autocomplete="off"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
        <KeyCap>/</KeyCap>
      </span>
      {rowFilters.map((one) => (
        <button
          key={one}
          type="button"
          class={`fchip${one === filter && search === '' ? ' on' : ''}`}
          data-filter={one}
          aria-pressed={one === filter && search === ''}
          onClick={clickHandlerWithBlur(() => setFilter(one))}
        >
          <b>{one === 'big' ? t.big(formatShortMoney(bigStake)) : t.filters[one]}</b> {counts[one]}{' '}
          <KeyCap>{keys[one]}</KeyCap>
        </button>
      ))}
      <span class="grow" />
      <button type="button" class="q" data-testid="sort" onClick={clickHandlerWithBlur(nextSort)}>
        {t.shown(shown.length, rows.length, t.sorts[sort])} <KeyCap>S</KeyCap>
      </button>
    </div>
  );
}
