// Parses the pages of the folder rulebook/: rows, readings, house procedures and the list of tests.

export const rulebookIds = ['BAC', 'SUP', 'ELM', 'FAB', 'ETG'] as const;

/** A row of a rulebook: one requirement of a clause, as a page of rulebook/ lists it. */
export type RulebookRow = { readonly id: string; readonly text: string; readonly shownBy: string };

/** A reading: our interpretation of a doubtful clause. */
export type ClauseReading = {
  readonly id: string;
  readonly clauses: string;
  readonly description: string;
  readonly why: string;
};

export type HouseProcedure = { readonly id: string; readonly title: string; readonly text: string };

/** A test that covers a row: its file, and its title without the citation. */
export type CoveringTest = { readonly file: string; readonly name: string };

/** The tests of each row, reading and house procedure by its id, as in rulebook/tests.json. */
export type TestsByRow = { readonly [id: string]: readonly CoveringTest[] };

/** The cells of all Markdown tables of a page, row by row. Header and separator lines are left out. */
const tableCells = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| row ') && !line.startsWith('| reading '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

export const parseRulebookRows = (page: string): readonly RulebookRow[] =>
  tableCells(page).map(([id, text, shownBy]) => ({ id: id!, text: text!, shownBy: shownBy! }));

export const parseUntestableRows = (page: string): readonly (readonly [id: string, reason: string])[] =>
  tableCells(page).map(([id, reason]) => [id!, reason!]);

export const parseReadings = (page: string): readonly ClauseReading[] =>
  tableCells(page).map(([id, clauses, description, why]) => ({
    id: id!,
    clauses: clauses!,
    description: description!,
    why: why!,
  }));

export const parseProcedures = (page: string): readonly HouseProcedure[] =>
  page
    .split(/^## /m)
    .map((part) => /^(HOUSE \d+): (.+)\n([\s\S]*)$/.exec(part))
    .filter((result) => result !== null)
    .map(([, id, title, text]) => ({ id: id!, title: title!, text: text!.trim() }));

/** Splits a test title of the form "[id] claim"; undefined if the title has no id. */
export function parseTestTitle(name: string): { readonly id: string; readonly claim: string } | undefined {
  const [, id, claim] = /^\[([^\]]+)\] ?(.*)$/s.exec(name) ?? [];
  return id === undefined ? undefined : { id, claim: claim! };
}

export type RulebookFolderContents = {
  readonly books: readonly { readonly name: string; readonly title: string; readonly rows: readonly RulebookRow[] }[];
  readonly outside: ReadonlyMap<string, string>;
  readonly readings: readonly ClauseReading[];
  readonly procedures: readonly HouseProcedure[];
  readonly tests: TestsByRow;
};

export const readRulebookFolder = (read: (name: string) => string): RulebookFolderContents => ({
  books: rulebookIds.map((name) => {
    const page = read(`${name}.md`);
    return { name, title: /^# (.+)$/m.exec(page)![1]!, rows: parseRulebookRows(page) };
  }),
  outside: new Map(parseUntestableRows(read('outside.md'))),
  readings: parseReadings(read('readings.md')),
  procedures: parseProcedures(read('house.md')),
  tests: JSON.parse(read('tests.json')) as TestsByRow,
});

/** Expands the clauses of a reading: "SUP, ELM 5.1; ETG 5.2" stands for SUP 5.1, ELM 5.1 and ETG 5.2. */
export function clausesOfReading({ clauses }: ClauseReading): readonly string[] {
  const result: string[] = [];
  let books: string[] = [];
  let hasClause = false;
  for (const part of clauses.split(/[;,] /)) {
    const [, book, number] = /^([A-Z]{3}\b)? ?(.*)$/.exec(part)!;
    if (book !== undefined) {
      if (hasClause) books = [];
      hasClause = false;
      books.push(book);
    }
    if (!/\d/.test(number!) || !/^\S+( to \S+)?$/.test(number!)) continue;
    hasClause = true;
    for (const clause of number!.split(' to ')) for (const name of books) result.push(`${name} ${clause}`);
  }
  return result;
}

/** Ids of the readings that apply to a row. A reading of a clause also applies to its subclauses. */
export const readingsOfRow = ({ id }: RulebookRow, readings: readonly ClauseReading[]): readonly string[] =>
  readings
    .filter((reading) => clausesOfReading(reading).some((clause) => id === clause || id.startsWith(`${clause}.`)))
    .map((reading) => reading.id);
