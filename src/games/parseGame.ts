import { isDeckId } from '../rules/card.ts';
import { type FactName, factValues } from '../rules/facts.ts';
import { type Game, chipStepOf } from '../rules/game.ts';
import { buildPossiblePayLinesAfter, maxPayLines, possibleFactsCache } from '../rules/possiblePayLines.ts';
import { type Refusal, quoteForMessage, refuse } from '../base/refusal.ts';
import { type Wager } from '../rules/wager.ts';

/** The largest number allowed in odds and commissions, so that arithmetic with them stays exact. */
const maxOdds = 1_000_000;

/** The largest chip step that a game may require, in cents. */
const maxStep = 1_000_000;

/** Thrown by the checks below with the path of a wrong field; `parseGame` turns this error into a refusal. */
class GameIssue extends Error {}

function fail(path: string, message: string): never {
  throw new GameIssue(`${path}: ${message}`);
}

/** Parses a game in the JSON format of `punto rules GAME --json`. */
export function parseGame(value: unknown): Game | Refusal {
  try {
    return checkGame(value);
  } catch (error) {
    if (error instanceof GameIssue) return refuse('bad-game', `The game is not valid at ${error.message}`);
    throw error;
  }
}

function checkGame(value: unknown): Game {
  const game = fieldsOf(value, 'the top level', ['id', 'version', 'name', 'book', 'effective', 'deck', 'wagers'], []);
  idAt(game['id'], 'id');
  if (typeof game['version'] !== 'string' || !/^[a-z0-9][a-z0-9.-]*$/.test(game['version'])) {
    fail(
      'version',
      `${quoteForMessage(game['version'])} must be lower-case letters, digits, dots and hyphens, such as "2" or "2021-10-28".`,
    );
  }
  textAt(game['name'], 'name');
  textAt(game['book'], 'book');
  dateAt(game['effective'], 'effective');
  const deck = game['deck'];
  if (!isDeckId(deck)) return fail('deck', `${quoteForMessage(deck)} must be "french" or "elements".`);

  const wagers = objectAt(game['wagers'], 'wagers');
  if (Object.keys(wagers).length === 0) fail('wagers', 'a game needs at least one wager.');
  const after = possibleFactsCache();
  for (const [id, wager] of Object.entries(wagers)) {
    idAt(id, `wagers.${id}`);
    const checked = checkWager(wager, `wagers.${id}`);
    const possibleLines = buildPossiblePayLinesAfter(deck, checked, after)([]);
    checked.lines.forEach((_, index) => {
      if ((possibleLines & (1 << index)) === 0) {
        fail(
          `wagers.${id}.lines[${index}]`,
          'no deal is settled by this line; remove it, or move it before the lines that match the same deals.',
        );
      }
    });
  }
  const step = chipStepOf(value as Game);
  if (step > maxStep) fail('wagers', `exact payouts would need chips of ${step} cents; use simpler odds.`);
  return value as Game;
}

function checkWager(value: unknown, path: string): Wager {
  const wager = fieldsOf(value, path, ['name', 'by', 'lines'], ['optional', 'losses']);
  textAt(wager['name'], `${path}.name`);
  textAt(wager['by'], `${path}.by`);
  if (Object.hasOwn(wager, 'optional') && wager['optional'] !== true)
    fail(`${path}.optional`, 'must be true or left out.');
  const lines = wager['lines'];
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > maxPayLines) {
    return fail(`${path}.lines`, `must be a list of 1 to ${maxPayLines} lines.`);
  }
  lines.forEach((line: unknown, index) => checkLine(line, `${path}.lines[${index}]`));
  if (Object.hasOwn(wager, 'losses')) checkLosses(wager['losses'], `${path}.losses`);
  return value as Wager;
}

function checkLosses(losses: unknown, path: string): void {
  if (!Array.isArray(losses) || losses.length === 0 || losses.length > maxPayLines) {
    fail(path, `must be a list of 1 to ${maxPayLines} losses, or left out.`);
  }
  (losses as readonly unknown[]).forEach((value, index) => {
    const loss = fieldsOf(value, `${path}[${index}]`, ['when', 'by'], []);
    textAt(loss['by'], `${path}[${index}].by`);
    checkPattern(loss['when'], `${path}[${index}].when`);
  });
}

function checkLine(value: unknown, path: string): void {
  const line = fieldsOf(value, path, ['when', 'pays', 'by'], ['commission']);
  textAt(line['by'], `${path}.by`);
  checkPattern(line['when'], `${path}.when`);
  if (line['pays'] !== 'push') ratioAt(line['pays'], `${path}.pays`, '"push" or ');
  if (!Object.hasOwn(line, 'commission')) return;
  if (line['pays'] === 'push') fail(`${path}.commission`, 'a push has no commission; remove it.');
  const [kept, of] = ratioAt(line['commission'], `${path}.commission`, '');
  if (kept >= of) fail(`${path}.commission`, 'must be a share below 1, such as [1, 20] for one in twenty.');
}

function checkPattern(when: unknown, path: string): void {
  for (const [name, expected] of Object.entries(objectAt(when, path))) {
    checkExpectedFact(name, expected, `${path}.${name}`);
  }
}

function checkExpectedFact(name: string, expected: unknown, path: string): void {
  if (!Object.hasOwn(factValues, name)) {
    fail(path, `there is no fact ${quoteForMessage(name)}; \`punto rules --facts\` lists the facts.`);
  }
  const values: readonly unknown[] = factValues[name as FactName];
  const list: readonly unknown[] = Array.isArray(expected) ? expected : [expected];
  if (list.length === 0) fail(path, 'an empty list matches nothing; name at least one value.');
  if (new Set(list).size < list.length) fail(path, 'a value is named twice; name each once.');
  for (const one of list) {
    if (!values.includes(one))
      fail(path, `${quoteForMessage(one)} must be one of ${values.map(quoteForMessage).join(', ')}.`);
  }
}

function ratioAt(value: unknown, path: string, or: string): readonly [number, number] {
  const whole = (n: unknown): boolean => Number.isInteger(n) && (n as number) >= 1 && (n as number) <= maxOdds;
  if (!Array.isArray(value) || value.length !== 2 || !value.every(whole)) {
    fail(path, `${quoteForMessage(value)} must be ${or}two whole numbers from 1 to ${maxOdds}, such as [8, 1].`);
  }
  return value as unknown as readonly [number, number];
}

function objectAt(value: unknown, path: string): { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail(path, `${quoteForMessage(value)} must be an object.`);
  return value as { readonly [key: string]: unknown };
}

function fieldsOf(value: unknown, path: string, needed: readonly string[], allowed: readonly string[]) {
  const object = objectAt(value, path);
  const missing = needed.find((field) => !Object.hasOwn(object, field));
  if (missing) fail(path, `the field "${missing}" is missing.`);
  const unknown = Object.keys(object).find((field) => !needed.includes(field) && !allowed.includes(field));
  if (unknown !== undefined) fail(path, `the field ${quoteForMessage(unknown)} is not known; remove it.`);
  return object;
}

function textAt(value: unknown, path: string): void {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 200 || /[\p{Cc}\p{Cs}]/u.test(value)) {
    fail(path, `${quoteForMessage(value)} must be a text of 1 to 200 characters in one line.`);
  }
}

function idAt(value: unknown, path: string): void {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(value)) {
    fail(path, `${quoteForMessage(value)} must be an id of lower-case words joined by hyphens, such as "tiger-tie".`);
  }
}

function dateAt(value: unknown, path: string): void {
  const [, year, month, day] = (typeof value === 'string' && datePattern.exec(value)) || [];
  if (!day || Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) {
    fail(path, `${quoteForMessage(value)} must be a date, such as "2017-02-17" or "2017-03-14T08:00".`);
  }
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d)?$/;

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
