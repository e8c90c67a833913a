import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createScenarioHandler } from '../../src/cli/rules/table.ts';
import { answersIn, punto } from '../cli/support/punto.ts';
import { procedureIds, rowsOf } from '../rulebook/coverage.ts';
import { checkDeclared } from '../table/tableScenario.ts';
import { claimOf, falsified, isExpectation, linesOf, scenarioRows, surprises, textOf } from './scenarios.ts';

const live = ['BAC', 'SUP', 'ELM', 'FAB'];
const irregularities = [...live, 'ETG'].flatMap((book) =>
  rowsOf(book)
    .map(({ id }) => id)
    .filter((id) => id.startsWith(`${book} 5.`) || id.startsWith('ETG 6.')),
);

/** Readings about a table that no row of a book covers. */
const readings = [13, 18, 20, 21, 28, 29, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 64, 65].map(
  (number) => `READING ${number}`,
);

test('every row on irregularities and general provisions, every house procedure and these readings have a scenario, and nothing else has', () => {
  expect(irregularities.length).toBe(56);
  expect(scenarioRows().toSorted()).toEqual([...irregularities, ...procedureIds(), ...readings].toSorted());
});

for (const row of scenarioRows()) {
  test(`[${row}] ${claimOf(row)}`, () => {
    const lines = linesOf(row);
    expect(surprises(lines)).toEqual([]);
    expect(lines.filter(isExpectation).length).toBeGreaterThan(0);
  });
}

test('a scenario of another live book has its own game and clauses, and no word of the model', () => {
  for (const row of ['SUP 5.2', 'ELM 5.3', 'FAB 5.1.1']) {
    const text = JSON.stringify(linesOf(row));
    expect(text).toContain(`"${row}"`);
    expect(text).not.toMatch(/BAC |baccarat|limits":\{\}/);
    if (row.startsWith('ELM')) expect(text).not.toMatch(/"[A2-9TJQK][CDHS]"/);
  }
});

test('every refusal in the scenarios has a code and a clause that `--describe` names', () => {
  let refusals = 0;
  for (const row of scenarioRows()) {
    const answer = createScenarioHandler();
    for (const line of linesOf(row)) {
      const reply: { refused?: string; by?: string | null } = answer(line);
      if (reply.refused === undefined || isExpectation(line)) continue;
      checkDeclared({ refused: reply.refused, by: reply.by ?? null });
      refusals += 1;
    }
  }
  expect(refusals).toBeGreaterThan(300);
});

test('an expectation that is made wrong is found, whichever it is', () => {
  const lines = linesOf('BAC 5.2');
  lines.forEach((line, place) => {
    if (!isExpectation(line)) return;
    const wrong = lines.with(place, { expect: falsified(line['expect']) });
    expect(surprises(wrong).join(), JSON.stringify(line)).toContain(`line ${place + 1}: unmet-expectation`);
  });
});

test('a refusal that no expectation follows is found, the last line among them', () => {
  const lines = linesOf('BAC 5.6');
  const refusals = lines.flatMap(({ expect: wanted }, place) =>
    typeof wanted === 'object' && wanted !== null && 'error' in wanted ? [place] : [],
  );
  expect(refusals.length).toBeGreaterThan(3);
  for (const place of refusals) expect(surprises(lines.toSpliced(place, 1)).length).toBe(1);
  expect(surprises(lines.slice(0, refusals[0])).length).toBe(1);
});

test('a remark is a text and stands alone; an expectation after it speaks of the answer before it; {} wants {}', () => {
  const answer = createScenarioHandler();
  expect(answer({ note: 'before the table is open' })).toEqual({ note: true });
  expect(answer({ note: 7 })).toMatchObject({ refused: 'bad-request' });
  expect(answer({ note: 'two', view: 'public' })).toMatchObject({ refused: 'unknown-field' });
  expect(answer({ view: 'public' })).toMatchObject({ refused: 'not-open' });
  expect(answer({ note: 'between' })).toEqual({ note: true });
  expect(answer({ expect: { error: { code: 'not-open' } } })).toEqual({ met: true });
  expect(answer({ expect: { error: {} } })).toMatchObject({ refused: 'unmet-expectation' });
});

/** Runs a file with the CLI, as a user would. */
function piped(input: string) {
  const bin = fileURLToPath(new URL('../../bin/punto', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'table', '--jsonl'], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a scenario is run by `punto table --jsonl` as it is', () => {
  const text = textOf('ETG 5.8');
  const well = piped(text);
  expect(well.stderr).toBe('');
  expect(well.status).toBe(0);
  const answers = answersIn(well);
  expect(answers.length).toBe(linesOf('ETG 5.8').length);
  expect(answers[0]).toEqual({ note: true });
  expect(answers.filter((answer) => JSON.stringify(answer) === '{"met":true}').length).toBe(
    linesOf('ETG 5.8').filter(isExpectation).length,
  );
  const ill = piped(text.replace('"amount":5000', '"amount":5001'));
  expect(ill.status).toBe(1);
  expect(ill.stdout).toContain('"code":"unmet-expectation"');
});

const exitOf = async (lines: readonly string[]): Promise<number | null> =>
  (await punto(['table', '--jsonl'], lines.join('\n'))).status;

test('punto table exits 0 on every scenario file', async () => {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  expect(files).toContain('ETG-5.1.extra.jsonl');
  for (const file of files) expect(await exitOf([readFileSync(new URL(file, folder), 'utf8')]), file).toBe(0);
});

test('punto table exits 1 when a refusal is not expected, an expectation does not hold or a line is malformed', async () => {
  const refused = '{"view":"public"}';
  const expected = '{"expect":{"error":{"code":"not-open"}}}';
  const unmet = '{"expect":{"error":{"code":"not-now"}}}';
  const note = '{"note":"any"}';
  expect(await exitOf([refused, note, expected, expected])).toBe(0);
  for (const lines of [
    [refused],
    [refused, note],
    [refused, refused, expected],
    [refused, unmet, expected],
    [refused, '{', expected],
    [refused, '{"note":7}', expected],
    [refused, expected, refused],
    [unmet],
  ]) {
    expect(await exitOf(lines), lines.join(' ')).toBe(1);
  }
});
