import { signal } from '@preact/signals';
import { type Ref } from 'preact';
import { type RoundCursor } from '../../../../wire/staff/roundTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { go } from '../../app/router.ts';
import { Only, Search } from '../parts/listFilter.tsx';
import { roundsStrings } from './strings.ts';

/** Fields that are looked for as they are written; the empty ones are not. */
const none = { table: '', winner: '', terminal: '', clause: '', person: '', since: '', until: '' };

const text = signal('');
export const only = signal<'all' | 'settled' | 'void' | 'corrected'>('all');
const fields = signal(none);
/** Where the pages behind the first begin, and what was looked for when they were turned. */
const turned = signal<{ readonly key: string; readonly places: readonly RoundCursor[] }>({ key: '', places: [] });

const minute = 60_000;

/** What is looked for, as it is asked. */
function asked(): { readonly [field: string]: unknown } {
  const { since, until, ...others } = fields.value;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...(text.value !== '' && { text: text.value }),
    ...(only.value !== 'all' && { only: only.value }),
    ...(since !== '' && { since: new Date(since).getTime() }),
    // A minute is meant to its end.
    ...(until !== '' && { until: new Date(until).getTime() + minute - 1 }),
  };
}

/** The pages turned for just this. */
const places = (): readonly RoundCursor[] => (turned.value.key === JSON.stringify(asked()) ? turned.value.places : []);

/** What is looked for on the page where somebody is. */
export function sought(): { readonly [field: string]: unknown } {
  const before = places().at(-1);
  return { ...asked(), ...(before && { before }) };
}

export const isBehind = (): boolean => places().length > 0;

/** Whether rounds are looked through one by one for it. */
export const isLookedThrough = (): boolean =>
  ['terminal', 'clause', 'person'].some((name) => fields.value[name as keyof typeof none] !== '');

export function older(next: RoundCursor): void {
  turned.value = { key: JSON.stringify(asked()), places: [...places(), next] };
}

export function newer(): void {
  turned.value = { key: JSON.stringify(asked()), places: places().slice(0, -1) };
}

export const storyAt = (round: string): string => `/rounds/${encodeURIComponent(round)}`;

/** All by which rounds are looked for. */
export function SearchForm({ input }: { readonly input: Ref<HTMLInputElement> }) {
  const t = roundsStrings();
  const tables = useQuery<{ readonly tables: readonly { readonly table: string }[] }>('tables', {});
  const names = tables.state === 'there' ? tables.data.tables.map(({ table }) => table) : [];
  const winners = Object.entries(t.winners);
  return (
    <section class="panel query" aria-label={t.find}>
      <Search
        label={t.find}
        text={text}
        input={input}
        enter={() => text.value.includes('/') && go(storyAt(text.value))}
      />
      <Choice name="table" label={t.table} all={t.allTables} of={names.map((name) => [name, name])} />
      <Choice name="winner" label={t.result} all={t.allResults} of={winners} />
      <Only
        chosen={only}
        of={[
          { which: 'all', text: <b>{t.all}</b> },
          { which: 'settled', text: <b>{t.settled}</b>, keyName: 'E' },
          { which: 'void', text: <b>{t.void}</b>, keyName: 'V' },
          { which: 'corrected', text: <b>{t.corrected}</b>, keyName: 'C' },
        ]}
      />
      <div class="more-asked">
        <Field name="terminal" label={t.terminal} />
        <Field name="clause" label={t.clause} />
        <Field name="person" label={t.person} />
        <Field name="since" label={t.since} isTime />
        <Field name="until" label={t.until} isTime />
      </div>
    </section>
  );
}

function Choice({
  name,
  label,
  all,
  of,
}: {
  readonly name: 'table' | 'winner';
  readonly label: string;
  readonly all: string;
  readonly of: readonly (readonly [value: string, text: string])[];
}) {
  return (
    <select
      class="fchip"
      aria-label={label}
      value={fields.value[name]}
      onChange={({ currentTarget }) => (fields.value = { ...fields.value, [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {of.map(([value, said]) => (
        <option key={value} value={value}>
          {said}
        </option>
      ))}
    </select>
  );
}

/** Taken once it is written, by Enter or on leaving it. */
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
  const take = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    fields.value = { ...fields.value, [name]: currentTarget.value.trim() };
  };
  return (
    <label>
      <span class="q">{label}</span>
      {isTime ? (
        <input class="in" type="datetime-local" data-field={name} value={value} onChange={take} />
      ) : (
        <input class="in" type="text" data-field={name} value={value} onChange={take} />
      )}
    </label>
  );
}
