import { type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { shortMoney } from '../../../../../base/formatMoney.ts';
import { type PatronRow, type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { Kbd } from '../../../kit/input/keyCap.tsx';
import { touched } from '../../parts/usePageKeys.ts';
import {
  type Filter,
  type RowSort,
  bigFrom,
  filterCounts,
  fewRows,
  filters,
  shownRows,
  sorts,
} from './terminalRows.ts';
import { rulingStrings } from '../strings.ts';

/** Which rows are shown, and how that is changed. */
export type RowFilterState = {
  readonly shown: readonly PatronRow[];
  readonly filter: Filter;
  readonly sort: RowSort;
  readonly find: string;
  readonly big: number;
  readonly ruling: string;
  readonly away: ReadonlySet<string>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly set: (filter: Filter) => void;
  readonly turn: () => void;
  readonly look: (text: string) => void;
  /** A key of the filter row; gives whether it was one. */
  readonly key: (key: string) => boolean;
};

const keys: { readonly [F in Filter]: string } = { all: 'A', differs: '1', loses: '2', big: '3', offline: '4' };

export function useFinding(view: SupervisorView, rows: readonly PatronRow[], ruling: string): RowFilterState {
  const [chosen, set] = useState<Filter | null>(null);
  const [sort, setSort] = useState<RowSort>('difference');
  const [find, look] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const away = new Set(view.terminalsAway);
  const big = bigFrom(rows);
  // What differs is looked at first, where anything does.
  const differs = rows.length > fewRows && filterCounts(rows, { ruling, big, away }).differs > 0;
  const filter = chosen ?? (differs ? 'differs' : 'all');
  const turn = (): void => setSort(sorts[(sorts.indexOf(sort) + 1) % sorts.length]!);
  const key = (pressed: string): boolean => {
    if (rows.length <= fewRows) return false;
    const wanted = filters.find((one) => keys[one] === pressed);
    if (wanted !== undefined) set(wanted);
    else if (pressed === 'S') turn();
    else if (pressed === '/') field.current?.focus();
    else return false;
    return true;
  };
  const shown = shownRows(rows, { ruling, filter, sort, find, big, away });
  return { shown, filter, sort, find, big, ruling, away, field, set, turn, look, key };
}

/** Which of many terminals are shown. */
export function FilterRow({
  finding,
  rows,
}: {
  readonly finding: RowFilterState;
  readonly rows: readonly PatronRow[];
}) {
  const t = rulingStrings();
  const { shown, filter, sort, find, big, field, set, turn, look } = finding;
  const counts = filterCounts(rows, finding);
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
          value={find}
          onInput={(event) => look(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
        <Kbd>/</Kbd>
      </span>
      {filters.map((one) => (
        <button
          key={one}
          type="button"
          class={`fchip${one === filter && find === '' ? ' on' : ''}`}
          data-filter={one}
          aria-pressed={one === filter && find === ''}
          onClick={touched(() => set(one))}
        >
          <b>{one === 'big' ? t.big(shortMoney(big)) : t.filters[one]}</b> {counts[one]} <Kbd>{keys[one]}</Kbd>
        </button>
      ))}
      <span class="grow" />
      <button type="button" class="q" data-testid="sort" onClick={touched(turn)}>
        {t.shown(shown.length, rows.length, t.sorts[sort])} <Kbd>S</Kbd>
      </button>
    </div>
  );
}
