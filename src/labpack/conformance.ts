import { type Html, escapeHtml, heading, html, linkTo, htmlDocument, paragraph, htmlTable } from './page.ts';
import { type BookRow, type RulebookPages, type CoveringTest, readingsOf } from './rulebook.ts';

/** Every row with what shows it, as plain data. */
export const conformanceJson = ({ books, outside, readings, procedures, tests }: RulebookPages) => ({
  books: books.map(({ name, title, rows }) => ({
    book: name,
    title,
    rows: rows.map((row) => ({
      row: row.id,
      description: row.text,
      shownBy: row.shownBy,
      readings: readingsOf(row, readings),
      ...(outside.has(row.id) ? { outside: outside.get(row.id) } : { tests: tests[row.id] ?? [] }),
    })),
  })),
  readings: readings.map((reading) => ({ ...reading, tests: tests[reading.id] ?? [] })),
  procedures: procedures.map((procedure) => ({ ...procedure, tests: tests[procedure.id] ?? [] })),
});

/** Texts name readings and procedures by number: each becomes a link, also in "READING 27, 41". */
const linked = (text: string): string =>
  escapeHtml(text).replaceAll(/\b(READING|HOUSE) \d+(?:, \d+)*/g, (all: string, kind: string) =>
    all.replaceAll(/(?:READING |HOUSE )?(\d+)/g, (words: string, n: string) => linkTo(`${kind} ${n}`, words)),
  );

/** So many tests are shown at once; further ones open at a click. */
const most = 4;

function testsOf(tests: readonly CoveringTest[] = []): string {
  const item = ({ file, name }: CoveringTest): string =>
    `<li>${escapeHtml(name)} <code>${escapeHtml(file)}</code></li>`;
  const list = (some: readonly CoveringTest[]): string => `<ul>${some.map(item).join('')}</ul>`;
  if (tests.length <= most) return list(tests);
  return `${list(tests.slice(0, most))}<details><summary>${tests.length - most} more</summary>${list(tests.slice(most))}</details>`;
}

const rowCells = (row: BookRow, { outside, readings, tests }: RulebookPages): readonly (string | Html)[] => {
  const reason = outside.get(row.id);
  return [
    row.id,
    html(linked(row.text)),
    html(
      readingsOf(row, readings)
        .map((id) => linkTo(id))
        .join(', '),
    ),
    row.shownBy,
    html(reason === undefined ? testsOf(tests[row.id]) : `No program can show it: ${linked(reason)}`),
  ];
};

/** A procedure as it is written: paragraphs, points and a table. */
function textOf(text: string): string {
  const parts: string[] = [];
  let rows: string[][] = [];
  const endTable = (): void => {
    const [head, ...body] = rows;
    if (head)
      parts.push(
        htmlTable(
          head,
          body.map((cells) => ({ cells: cells.map((cell) => html(linked(cell))) })),
        ),
      );
    rows = [];
  };
  for (const line of text.split('\n')) {
    if (/^\|[-|]+\|$/.test(line)) continue;
    if (line.startsWith('| ')) {
      rows.push(
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
      continue;
    }
    endTable();
    if (line !== '') parts.push(`<p>${linked(line).replaceAll(/\*([^*]+)\*/g, '$1')}</p>`);
  }
  endTable();
  return parts.join('');
}

/** The page: each book row by row, then readings and house procedures. */
export function conformancePage(rulebook: RulebookPages): string {
  const { books, outside, readings, procedures, tests } = rulebook;
  const rows = books.flatMap((book) => book.rows);
  const shown = rows.filter(({ id }) => !outside.has(id));
  const count = shown.reduce((sum, { id }) => sum + (tests[id]?.length ?? 0), 0);
  return htmlDocument(
    'Conformance, clause by clause',
    paragraph(
      `The five books have ${rows.length} rows. Shown by tests: ${shown.length}, by ${count} of them. Outside any program, each with its reason: ${outside.size}.`,
    ),
    paragraph(
      'What a row says is told in our own words. "Shown by" tells where: the rules alone, a table, a floor with its record, or the screens in a real browser. A test is named by what it claims; the full run of the tests passes only when each row that is not outside has a test that passed.',
    ),
    `<p>${[...books.map(({ title }) => title), 'Readings', 'House procedures'].map((title) => linkTo(title)).join(' · ')}</p>`,
    ...books.flatMap(({ title, rows: of }) => [
      heading(title),
      htmlTable(
        ['row', 'what the system shows', 'readings', 'shown by', 'tests'],
        of.map((row) => ({ id: row.id, cells: rowCells(row, rulebook) })),
      ),
    ]),
    heading('Readings'),
    htmlTable(
      ['reading', 'clauses', 'how it is read', 'why', 'tests'],
      readings.map(({ id, clauses, description, why }) => ({
        id,
        cells: [id, clauses, html(linked(description)), html(linked(why)), html(testsOf(tests[id]))],
      })),
    ),
    heading('House procedures'),
    htmlTable(
      ['procedure', 'what is done', 'tests'],
      procedures.map(({ id, title, text }) => ({
        id,
        cells: [id, html(`<p><strong>${escapeHtml(title)}</strong></p>${textOf(text)}`), html(testsOf(tests[id]))],
      })),
    ),
  );
}
