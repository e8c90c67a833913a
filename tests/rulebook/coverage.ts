import { readFileSync } from 'node:fs';
import {
  type RulebookRow,
  type TestsByRow,
  rulebookIds,
  parseTestTitle,
  parseUntestableRows,
  parseProcedures,
  parseReadings,
  parseRulebookRows,
} from '../../src/labpack/rulebook.ts';

export type { RulebookRow };
export const books = rulebookIds;

const folder = new URL('../../rulebook/', import.meta.url);

const readPage = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

export const rowsOf = (book: string): readonly RulebookRow[] => parseRulebookRows(readPage(`${book}.md`));

export const outsideRows = (): readonly (readonly [id: string, reason: string])[] =>
  parseUntestableRows(readPage('outside.md'));

export const readingIds = (): readonly string[] => parseReadings(readPage('readings.md')).map(({ id }) => id);

export const procedureIds = (): readonly string[] => parseProcedures(readPage('house.md')).map(({ id }) => id);

/** Contents of rulebook/tests.json. */
export const listedTests = (): TestsByRow => JSON.parse(readPage('tests.json')) as TestsByRow;

/** The id at the beginning of a test title. */
const citedBy = (name: string): string | undefined => parseTestTitle(name)?.id;

/** A row is covered by tests of the rules, of a table, of a floor, or of the screens. */
const shown: ReadonlySet<string> = new Set(['rules', 'table', 'floor', 'screens']);
const waits: ReadonlySet<string> = new Set(['waits for: floor', 'waits for: screens']);

/** Everything that a test may cite. */
export type Rulebook = {
  readonly rows: readonly RulebookRow[];
  /** Readings and house procedures. */
  readonly others: readonly string[];
  /** Rows outside the program; each has its reason. */
  readonly outside: readonly string[];
};

export const rulebook = (): Rulebook => ({
  rows: books.flatMap(rowsOf),
  others: [...readingIds(), ...procedureIds()],
  outside: outsideRows().map(([id]) => id),
});

const idsCitedBy = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map(citedBy).filter((id) => id !== undefined));

/** Cited ids that do not exist. */
export function strays({ rows, others }: Rulebook, names: readonly string[]): readonly string[] {
  const citable = new Set([...rows.map(({ id }) => id), ...others]);
  return [...idsCitedBy(names)]
    .filter((id) => !citable.has(id))
    .map((id) => `${id} is cited by a test but does not exist`);
}

/** Rows without a test among those that passed; a failed test covers nothing. */
export function gaps({ rows, outside }: Rulebook, passed: readonly string[]): readonly string[] {
  const cited = idsCitedBy(passed);
  const wrong: string[] = [];
  for (const { id, shownBy } of rows) {
    if (shownBy === 'outside') {
      if (!outside.includes(id)) wrong.push(`${id} is outside without a reason`);
    } else if (shown.has(shownBy)) {
      if (!cited.has(id)) wrong.push(`${id} is cited by no test that passed`);
    } else if (!waits.has(shownBy)) wrong.push(`${id} is shown by "${shownBy}"`);
  }
  for (const id of outside) {
    if (rows.find((row) => row.id === id)?.shownBy !== 'outside') wrong.push(`${id} has a reason but is not outside`);
  }
  return wrong;
}
