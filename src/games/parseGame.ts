import { isDeckId } from '../rules/card.ts';
import { type FactName, factValues } from '../rules/facts.ts';
import { type Game, stepOf } from '../rules/game.ts';
import { outlookAfterOf, maxLines, memoizedFactsAfter } from '../rules/outlook.ts';
import { type Refusal, quoted, refuse } from '../base/refusal.ts';
import { type Wager } from '../rules/wager.ts';

/** The largest number in odds and commissions, so that all arithmetic on them stays exact. */
const mostOdds = 1_000_000;

/** The largest chip step that a game may need, in cents. */
const mostStep = 1_000_000;

/** A place in the file and what is wrong there; `say` throws it, the door below turns it into a refusal. */
class Misfit extends Error {}

function say(place: string, wrong: string): never {
  throw new Misfit(`${place}: ${wrong}`);
}

/** Checks a game that comes from outside, in the form that `punto rules GAME --json` prints. */
export function parseGame(value: unknown): Game | Refusal {
  try {
    return checkedGame(value);
  } catch (error) {
    if (error instanceof Misfit) return refuse('bad-game', `The game is not right at ${error.message}`);
    throw error;
  }
}

function checkedGame(value: unknown): Game {
  const game = fieldsOf(value, 'the top', ['id', 'version', 'name', 'book', 'effective', 'deck', 'wagers'], []);
  idAt(game['id'], 'id');
  if (typeof game['version'] !== 'string' || !/^[a-z0-9][a-z0-9.-]*$/.test(game['version'])) {
    say(
      'version',
      `${quoted(game['version'])} must be lower-case letters, digits, dots and hyphens, such as "2" or "2021-10-28".`,
    );
  }
  textAt(game['name'], 'name');
  textAt(game['book'], 'book');
  dateAt(game['effective'], 'effective');
  const deck = game['deck'];
  if (!isDeckId(deck)) return say('deck', `${quoted(deck)} must be "french" or "elements".`);

  const wagers = objectAt(game['wagers'], 'wagers');
  if (Object.keys(wagers).length === 0) say('wagers', 'a game needs at least one wager.');
  const after = memoizedFactsAfter();
  for (const [id, wager] of Object.entries(wagers)) {
    idAt(id, `wagers.${id}`);
    const checked = checkedWager(wager, `wagers.${id}`);
    const reached = outlookAfterOf(deck, checked, after)([]);
    checked.lines.forEach((_, index) => {
      if ((reached & (1 << index)) === 0) {
        say(
          `wagers.${id}.lines[${index}]`,
          'no deal reaches this line; remove it, or move it before the lines that hide it.',
        );
      }
    });
  }
  const step = stepOf(value as Game);
  if (step > mostStep) say('wagers', `exact payouts would need chips of ${step} cents; use simpler odds.`);
  return value as Game;
}

function checkedWager(value: unknown, place: string): Wager {
  const wager = fieldsOf(value, place, ['name', 'by', 'lines'], ['optional']);
  textAt(wager['name'], `${place}.name`);
  textAt(wager['by'], `${place}.by`);
  if (Object.hasOwn(wager, 'optional') && wager['optional'] !== true)
    say(`${place}.optional`, 'must be true or left out.');
  const lines = wager['lines'];
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > maxLines) {
    return say(`${place}.lines`, `must be a list of 1 to ${maxLines} lines.`);
  }
  lines.forEach((line: unknown, index) => checkLine(line, `${place}.lines[${index}]`));
  return value as Wager;
}

function checkLine(value: unknown, place: string): void {
  const line = fieldsOf(value, place, ['when', 'pays', 'by'], ['commission']);
  textAt(line['by'], `${place}.by`);
  for (const [name, wanted] of Object.entries(objectAt(line['when'], `${place}.when`))) {
    checkWanted(name, wanted, `${place}.when.${name}`);
  }
  if (line['pays'] !== 'push') ratioAt(line['pays'], `${place}.pays`, '"push" or ');
  if (!Object.hasOwn(line, 'commission')) return;
  if (line['pays'] === 'push') say(`${place}.commission`, 'a push bears no commission; leave it out.');
  const [kept, of] = ratioAt(line['commission'], `${place}.commission`, '');
  if (kept >= of) say(`${place}.commission`, 'must be less than the whole of the winnings.');
}

function checkWanted(name: string, wanted: unknown, place: string): void {
  if (!Object.hasOwn(factValues, name)) {
    say(place, `there is no fact ${quoted(name)}; \`punto rules --facts\` lists them.`);
  }
  const values: readonly unknown[] = factValues[name as FactName];
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  if (list.length === 0) say(place, 'an empty list fits nothing; name at least one value.');
  if (new Set(list).size < list.length) say(place, 'a value is named twice; name each once.');
  for (const one of list) {
    if (!values.includes(one)) say(place, `${quoted(one)} must be one of ${values.map(quoted).join(', ')}.`);
  }
}

function ratioAt(value: unknown, place: string, or: string): readonly [number, number] {
  const whole = (n: unknown): boolean => Number.isInteger(n) && (n as number) >= 1 && (n as number) <= mostOdds;
  if (!Array.isArray(value) || value.length !== 2 || !value.every(whole)) {
    say(place, `${quoted(value)} must be ${or}two whole numbers from 1 to ${mostOdds}, such as [8, 1].`);
  }
  return value as unknown as readonly [number, number];
}

function objectAt(value: unknown, place: string): { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    say(place, `${quoted(value)} must be an object.`);
  return value as { readonly [key: string]: unknown };
}

function fieldsOf(value: unknown, place: string, needed: readonly string[], allowed: readonly string[]) {
  const object = objectAt(value, place);
  const missing = needed.find((field) => !Object.hasOwn(object, field));
  if (missing) say(place, `the field "${missing}" is missing.`);
  const unknown = Object.keys(object).find((field) => !needed.includes(field) && !allowed.includes(field));
  if (unknown !== undefined) say(place, `the field ${quoted(unknown)} is not known; remove it.`);
  return object;
}

function textAt(value: unknown, place: string): void {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 200 || /[\p{Cc}\p{Cs}]/u.test(value)) {
    say(place, `${quoted(value)} must be a text of 1 to 200 characters in one line.`);
  }
}

function idAt(value: unknown, place: string): void {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(value)) {
    say(place, `${quoted(value)} must be an id of lower-case words joined by hyphens, such as "tiger-tie".`);
  }
}

function dateAt(value: unknown, place: string): void {
  const [, year, month, day] = (typeof value === 'string' && dateForm.exec(value)) || [];
  if (!day || Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) {
    say(place, `${quoted(value)} must be a date, such as "2017-02-17" or "2017-03-14T08:00".`);
  }
}

const dateForm = /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d)?$/;

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
