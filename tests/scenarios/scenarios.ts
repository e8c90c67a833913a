import { readFileSync, readdirSync } from 'node:fs';
import { type Request } from '../../src/cli/lines.ts';
import { driver } from '../../src/cli/table.ts';

const folder = new URL('./', import.meta.url);
const ending = '.jsonl';

/** The rows that have a scenario. A row's file has its id with lines for spaces. */
export const scenarioRows = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length).replace('-', ' '));

export const textOf = (row: string): string =>
  readFileSync(new URL(`${row.replace(' ', '-')}${ending}`, folder), 'utf8');

export const linesOf = (row: string): readonly Request[] =>
  textOf(row)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Request);

/** What a file shows, in its first line. */
export const claimOf = (row: string): string => String(linesOf(row)[0]!['note']);

export const isExpectation = (line: Request): boolean => Object.hasOwn(line, 'expect');
const isNote = (line: Request): boolean => Object.hasOwn(line, 'note') && !Object.hasOwn(line, 'type');

/** What goes otherwise than a scenario says: an expectation that is not met, or a refusal that nobody expected. */
export function surprises(lines: readonly Request[]): readonly string[] {
  const answer = driver();
  const found: string[] = [];
  let refused: string | undefined;
  lines.forEach((line, place) => {
    const told: { refused?: string; message?: string } = answer(line);
    const problem = told.refused && `line ${place + 1}: ${told.refused}: ${told.message}`;
    if (isExpectation(line)) {
      if (problem) found.push(problem);
      refused = undefined;
    } else if (!isNote(line) || problem) {
      if (refused) found.push(refused);
      refused = problem;
    }
  });
  return refused ? [...found, refused] : found;
}

/** The same with its last value made wrong, or with one thing more where there is none. */
export function falsified(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? ['more'] : [...value.slice(0, -1), falsified(value.at(-1))];
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const last = fields.pop();
    return Object.fromEntries([...fields, last ? [last[0], falsified(last[1])] : ['more', true]]);
  }
  return typeof value === 'number' ? value + 1 : `not ${String(value)}`;
}
