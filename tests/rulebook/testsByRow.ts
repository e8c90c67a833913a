import { type CoveringTest, type TestsByRow, rulebookIds, parseTestTitle } from '../../src/labpack/rulebook.ts';

/** Books in their order, then readings and house procedures; numbers in numeric order. */
const kinds: readonly string[] = [...rulebookIds, 'READING', 'HOUSE'];
const compare = new Intl.Collator('en', { numeric: true }).compare;

const byId = (one: string, other: string): number =>
  kinds.indexOf(one.split(' ')[0]!) - kinds.indexOf(other.split(' ')[0]!) || compare(one, other);

/** Tests by the row that their title cites, in the order of files and within a file. */
export function groupByRow(tests: readonly CoveringTest[]): TestsByRow {
  const testsByRow = new Map<string, CoveringTest[]>();
  for (const { file, name } of tests.toSorted((one, other) =>
    one.file < other.file ? -1 : Number(one.file > other.file),
  )) {
    // Lists and reports use different separators between group title and test title.
    const cited = parseTestTitle(name.replaceAll(' > ', ' '));
    if (cited) testsByRow.set(cited.id, [...(testsByRow.get(cited.id) ?? []), { file, name: cited.claim }]);
  }
  return Object.fromEntries([...testsByRow].toSorted(([one], [other]) => byId(one, other)));
}

/** Text of the file: one line for each test, for readable differences. */
export const textOf = (testsByRow: TestsByRow): string =>
  `{\n${Object.entries(testsByRow)
    .map(([id, tests]) => `${JSON.stringify(id)}: [\n${tests.map((test) => JSON.stringify(test)).join(',\n')}\n]`)
    .join(',\n')}\n}\n`;

const lineOf = (id: string, { file, name }: CoveringTest): string => `${file}: [${id}] ${name}`;

/** Differences between the list and the tests of the files that ran: unlisted tests, and listed ones that are gone. */
export function stale(listed: TestsByRow, ran: readonly CoveringTest[]): readonly string[] {
  const files = new Set(ran.map(({ file }) => file));
  const linesOf = (testsByRow: TestsByRow): readonly string[] =>
    Object.entries(testsByRow).flatMap(([id, tests]) =>
      tests.filter(({ file }) => files.has(file)).map((test) => lineOf(id, test)),
    );
  const [ranLines, listedLines] = [linesOf(groupByRow(ran)), linesOf(listed)];
  return [
    ...ranLines.filter((line) => !listedLines.includes(line)).map((line) => `${line} is not in rulebook/tests.json`),
    ...listedLines
      .filter((line) => !ranLines.includes(line))
      .map((line) => `${line} is in rulebook/tests.json and gone`),
  ];
}
