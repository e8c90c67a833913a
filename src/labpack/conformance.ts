import {
  type RawHtml,
  escapeHtml,
  htmlHeading,
  rawHtml,
  linkToId,
  htmlDocument,
  htmlParagraph,
  htmlTable,
} from './htmlParts.ts';
import { type RulebookRow, type RulebookFolderContents, type CoveringTest, readingsOfRow } from './rulebook.ts';

/** All rows, readings and house procedures with their tests, as JSON data. */
export const conformanceJson = ({ books, outside, readings, procedures, tests }: RulebookFolderContents) => ({
  books: books.map(({ name, title, rows }) => ({
    book: name,
    title,
    rows: rows.map((row) => ({
      row: row.id,
      description: row.text,
      shownBy: row.shownBy,
      readings: readingsOfRow(row, readings),
      ...(outside.has(row.id) ? { outside: outside.get(row.id) } : { tests: tests[row.id] ?? [] }),
    })),
  })),
  readings: readings.map((reading) => ({ ...reading, tests: tests[reading.id] ?? [] })),
  procedures: procedures.map((procedure) => ({ ...procedure, tests: tests[procedure.id] ?? [] })),
});

/** Turns each reference to a reading or house procedure into a link. In "READING 27, 41" each number becomes a link. */
const withLinks = (text: string): string =>
  escapeHtml(text).replaceAll(/\b(READING|HOUSE) \d+(?:, \d+)*/g, (reference: string, prefix: string) =>
    reference.replaceAll(/(?:READING |HOUSE )?(\d+)/g, (label: string, n: string) => linkToId(`${prefix} ${n}`, label)),
  );

/** Number of tests shown per row. A click shows the others. */
const maxShownTests = 4;

function testList(tests: readonly CoveringTest[] = []): string {
  const item = ({ file, name }: CoveringTest): string =>
    `<li>${escapeHtml(name)} <code>${escapeHtml(file)}</code></li>`;
  const list = (group: readonly CoveringTest[]): string => `<ul>${group.map(item).join('')}</ul>`;
  if (tests.length <= maxShownTests) return list(tests);
  return `${list(tests.slice(0, maxShownTests))}<details><summary>${tests.length - maxShownTests} more</summary>${list(tests.slice(maxShownTests))}</details>`;
}

const rowCells = (
  row: RulebookRow,
  { outside, readings, tests }: RulebookFolderContents,
): readonly (string | RawHtml)[] => {
  const outsideReason = outside.get(row.id);
  return [
    row.id,
    rawHtml(withLinks(row.text)),
    rawHtml(
      readingsOfRow(row, readings)
        .map((id) => linkToId(id))
        .join(', '),
    ),
    row.shownBy,
    rawHtml(
      outsideReason === undefined ? testList(tests[row.id]) : `No program can show it: ${withLinks(outsideReason)}`,
    ),
  ];
};

/** Converts the Markdown of a house procedure to HTML: paragraphs, list items and tables. */
function procedureHtml(text: string): string {
  const blocks: string[] = [];
  let rows: string[][] = [];
  const endTable = (): void => {
    const [head, ...body] = rows;
    if (head)
      blocks.push(
        htmlTable(
          head,
          body.map((cells) => ({ cells: cells.map((cell) => rawHtml(withLinks(cell))) })),
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
    if (line !== '') blocks.push(`<p>${withLinks(line).replaceAll(/\*([^*]+)\*/g, '$1')}</p>`);
  }
  endTable();
  return blocks.join('');
}

export function conformancePage(rulebook: RulebookFolderContents): string {
  const { books, outside, readings, procedures, tests } = rulebook;
  const rows = books.flatMap((book) => book.rows);
  const coveredRows = rows.filter(({ id }) => !outside.has(id));
  const count = coveredRows.reduce((sum, { id }) => sum + (tests[id]?.length ?? 0), 0);
  return htmlDocument(
    'Conformance, clause by clause',
    htmlParagraph(
      `The five rulebooks have ${rows.length} rows. ${count} tests show ${coveredRows.length} of them. No program can show the other ${outside.size}; each has its reason.`,
    ),
    htmlParagraph(
      'Each row is described in our own words. "Shown by" names the level: the rules alone, a table, a floor with its event log, or the screens in a real browser. The title of a test states what it shows. The full test run passes only if each row that a program can show has a test that passed.',
    ),
    `<p>${[...books.map(({ title }) => title), 'Readings', 'House procedures'].map((title) => linkToId(title)).join(' · ')}</p>`,
    ...books.flatMap(({ title, rows: bookRows }) => [
      htmlHeading(title),
      htmlTable(
        ['row', 'what the system shows', 'readings', 'shown by', 'tests'],
        bookRows.map((row) => ({ id: row.id, cells: rowCells(row, rulebook) })),
      ),
    ]),
    htmlHeading('Readings'),
    htmlTable(
      ['reading', 'clauses', 'how it is read', 'why', 'tests'],
      readings.map(({ id, clauses, description, why }) => ({
        id,
        cells: [id, clauses, rawHtml(withLinks(description)), rawHtml(withLinks(why)), rawHtml(testList(tests[id]))],
      })),
    ),
    htmlHeading('House procedures'),
    htmlTable(
      ['procedure', 'what is done', 'tests'],
      procedures.map(({ id, title, text }) => ({
        id,
        cells: [
          id,
          rawHtml(`<p><strong>${escapeHtml(title)}</strong></p>${procedureHtml(text)}`),
          rawHtml(testList(tests[id])),
        ],
      })),
    ),
  );
}
