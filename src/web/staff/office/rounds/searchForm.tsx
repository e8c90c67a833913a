import { signal } from '@preact/signals';
import { type Ref } from 'preact';
import { type RoundCursor } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { navigate } from '../../app/router.ts';
import { FilterButtons, SearchField } from '../components/listFilter.tsx';
import { roundSearchStrings } from './strings.ts';

/** Search fields, all empty. An empty field is not part of the query. */
const noFields = { table: '', winner: '', terminal: '', clause: '', person: '', since: '', until: '' };

const searchText = signal('');
export const roundEndingFilter = signal<'all' | 'settled' | 'void' | 'corrected'>('all');
const fields = signal(noFields);
/** Cursors of the result pages after the first page. `key` is the query to which the cursors belong. */
const pageCursors = signal<{ readonly key: string; readonly cursors: readonly RoundCursor[] }>({
  key: '',
  cursors: [],
});

const minuteMs = 60_000;

function query(): { readonly [field: string]: unknown } {
  const { since, until, ...others } = fields.value;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...(searchText.value !== '' && { text: searchText.value }),
    ...(roundEndingFilter.value !== 'all' && { only: roundEndingFilter.value }),
    ...(since !== '' && { since: new Date(since).getTime() }),
    // The end is a minute. It is part of the search up to its last millisecond.
    ...(until !== '' && { until: new Date(until).getTime() + minuteMs - 1 }),
  };
}

/** Cursors that belong to the current query. Empty if the query has changed since the cursors were stored. */
const currentCursors = (): readonly RoundCursor[] =>
  pageCursors.value.key === JSON.stringify(query()) ? pageCursors.value.cursors : [];

export function roundsQuery(): { readonly [field: string]: unknown } {
  const before = currentCursors().at(-1);
  return { ...query(), ...(before && { before }) };
}

export const hasNewerPage = (): boolean => currentCursors().length > 0;

/**
 * True for a search by terminal, clause or person. For such a search the server must read the entries of each round, so
 * the page shows how far the search got.
 */
export const isSearchByEntries = (): boolean =>
  ['terminal', 'clause', 'person'].some((name) => fields.value[name as keyof typeof noFields] !== '');

export function showOlderRounds(next: RoundCursor): void {
  pageCursors.value = { key: JSON.stringify(query()), cursors: [...currentCursors(), next] };
}

export function showNewerRounds(): void {
  pageCursors.value = { key: JSON.stringify(query()), cursors: currentCursors().slice(0, -1) };
}

export const roundTimelinePath = (round: string): string => `/rounds/${encodeURIComponent(round)}`;

export function RoundSearchForm({ input }: { readonly input: Ref<HTMLInputElement> }) {
  const t = roundSearchStrings();
  const tables = useQuery<{ readonly tables: readonly { readonly table: string }[] }>('tables', {});
  const names = tables.state === 'loaded' ? tables.data.tables.map(({ table }) => table) : [];
  const winners = Object.entries(t.winners);
  return (
    <section class="panel query" aria-label={t.find}>
      <SearchField
        label={t.find}
        text={searchText}
        input={input}
        onEnter={() => searchText.value.includes('/') && navigate(roundTimelinePath(searchText.value))}
      />
      <SelectFilter name="table" label={t.table} all={t.allTables} options={names.map((name) => [name, name])} />
      <SelectFilter name="winner" label={t.result} all={t.allResults} options={winners} />
      <FilterButtons
        chosen={roundEndingFilter}
        options={[
          { value: 'all', text: <b>{t.all}</b> },
          { value: 'settled', text: <b>{t.settled}</b>, keyName: 'E' },
          { value: 'void', text: <b>{t.void}</b>, keyName: 'V' },
          { value: 'corrected', text: <b>{t.corrected}</b>, keyName: 'C' },
        ]}
      />
      <div class="more-filters">
        <Field name="terminal" label={t.terminal} />
        <Field name="clause" label={t.clause} />
        <Field name="person" label={t.person} />
        <Field name="since" label={t.since} isTime />
        <Field name="until" label={t.until} isTime />
      </div>
    </section>
  );
}

function SelectFilter({
  name,
  label,
  all,
  options,
}: {
  readonly name: 'table' | 'winner';
  readonly label: string;
  readonly all: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  return (
    <select
      class="fchip"
      aria-label={label}
      value={fields.value[name]}
      onChange={({ currentTarget }) => (fields.value = { ...fields.value, [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {options.map(([value, optionText]) => (
        <option key={value} value={value}>
          {optionText}
        </option>
      ))}
    </select>
  );
}

/** Field of the search form. Its text is applied on Enter, or when the field loses the focus. */
function Field({
  name,
  label,
  isTime = false,
}: {
  readonly name: 'terminal' | 'clause' | 'person' | 'since' | 'until';
  readonly label: string;
  readonly isTime?: boolean;
}) {
  const value = fields.value[name];
  const apply = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    fields.value = { ...fields.value, [name]: currentTarget.value.trim() };
  };
  return (
    <label>
      <span class="q">{label}</span>
      {isTime ? (
        <input class="in" type="datetime-local" data-field={name} value={value} onChange={apply} />
      ) : (
        <input class="in" type="text" data-field={name} value={value} onChange={apply} />
      )}
    </label>
  );
}
