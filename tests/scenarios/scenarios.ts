import { readFileSync, readdirSync } from 'node:fs';
import { type LineRequest } from '../../src/cli/support/jsonLines.ts';
import { createScenarioHandler } from '../../src/cli/rules/table.ts';
import { rulebookOf } from '../../src/games/rulebooks.ts';
import { isObject } from '../../src/base/schema.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../src/rules/game.ts';
import { gameOf } from '../table/tableScenario.ts';

const folder = new URL('./', import.meta.url);
const ending = '.jsonl';

/** The live books share section 5. Scenarios of BAC also run for the others, with their own game and clauses. */
const model = 'BAC 5.';
const others: { readonly [book: string]: string } = { SUP: 'sands-super', ELM: 'sands-elements', FAB: 'fabulous-4' };

const files = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length).replace('-', ' '));

/** Rows and readings with a scenario. The file name is the id of the row with hyphens for spaces. */
export const scenarioRows = (): readonly string[] => {
  const models = files().filter((row) => row.startsWith(model));
  const made = Object.keys(others).flatMap((book) => models.map((row) => row.replace('BAC', book)));
  return [...files(), ...made];
};

export const textOf = (row: string): string =>
  readFileSync(new URL(`${row.replace(' ', '-')}${ending}`, folder), 'utf8');

export function linesOf(row: string): readonly LineRequest[] {
  const [book] = row.split(' ');
  const game = others[book!];
  const lines = textOf(game === undefined ? row : row.replace(book!, 'BAC'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LineRequest);
  if (game === undefined) return lines;
  return lines.filter((line) => !isOfFelt(line)).map((line) => inGame(line, gameOf(game)) as LineRequest);
}

/** The dealer's instructions for each spot depend on the pay table. */
const isOfFelt = ({ expect }: LineRequest): boolean => isObject(expect) && Object.hasOwn(expect, 'felt');

/** A line of the model, adapted to a table of another game. */
function inGame(value: unknown, game: Game): unknown {
  if (typeof value === 'string') return textIn(value, game);
  if (Array.isArray(value)) return value.map((one) => inGame(one, game));
  if (!isObject(value)) return value;
  const fields = Object.entries(withoutPayTable(value)).map(([name, one]) => [
    textIn(name, game),
    name === 'limits'
      ? Object.fromEntries(wagerIdsOf(game).map((wager) => [wager, [100, 100_000]]))
      : inGame(ofDeck(name, one, game), game),
  ]);
  return Object.fromEntries(fields) as object;
}

/** Payouts depend on the pay table: only the model shows them. */
function withoutPayTable(value: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } {
  if (value['result'] === 'win') {
    const { won: _won, ...paid } = value;
    return paid;
  }
  const { events, ...rest } = value;
  if (!Array.isArray(events)) return value;
  const settles = events.some(({ type, outcome }) => type === 'RoundSettled' || outcome === 'results');
  return { ...rest, events: settles ? events.map(({ postings: _postings, ...event }) => event as object) : events };
}

const pictures: { readonly [rank: string]: string } = { J: 'S', Q: 'L', K: 'F' };

function textIn(text: string, game: Game): string {
  const { natural, playerDraws, bankerAfterStand, bankerAfterDraw } = rulebookOf(game).draws;
  const [, line] = /^BAC 3\.9\.([1-4])$/.exec(text) ?? [];
  if (line !== undefined) return [natural, playerDraws, bankerAfterStand, bankerAfterDraw][Number(line) - 1]!;
  if (text.startsWith('BAC ')) return text.replace('BAC', game.book);
  if (text === 'baccarat') return game.id;
  if (text === 'baccarat@7') return versionedGameId(game);
  const wagers = wagerIdsOf(game);
  const [, side] = /^(player|banker)-pair$/.exec(text) ?? [];
  if (side !== undefined && !wagers.includes(text)) {
    const precious = `${side}-precious-pair`;
    return wagers.includes(precious) ? precious : 'tie';
  }
  const [, rank, suit] = /^([A2-9TJQK])([CDHS])$/.exec(text) ?? [];
  if (game.deck !== 'elements' || rank === undefined) return text;
  return `${pictures[rank] ?? rank}${'CDHS'.indexOf(suit!) + 1}`;
}

/** The deck of five suits has a quarter more cards, which counts of the whole shoe include. */
function ofDeck(name: string, value: unknown, game: Game): unknown {
  if (game.deck !== 'elements') return value;
  if (typeof value === 'number' && (name === 'cards' || name === 'expected' || name === 'size')) return (value / 4) * 5;
  if (name !== 'seen') return value;
  if (typeof value === 'number') return value + (value > 208 ? 104 : 52);
  if (!isObject(value)) return value;
  return { ...value, ...Object.fromEntries('A23456789TSLF'.split('').map((rank) => [`${rank}5`, value['AC']])) };
}

/** The claim of a file, in its first line. */
export const claimOf = (row: string): string => String(linesOf(row)[0]!['note']);

export const isExpectation = (line: LineRequest): boolean => Object.hasOwn(line, 'expect');
const isNote = (line: LineRequest): boolean => Object.hasOwn(line, 'note') && !Object.hasOwn(line, 'type');

/** Deviations from a scenario: an expectation that is not met, or an unexpected refusal. */
export function surprises(lines: readonly LineRequest[]): readonly string[] {
  const answer = createScenarioHandler();
  const found: string[] = [];
  let refused: string | undefined;
  lines.forEach((line, place) => {
    const reply: { refused?: string; message?: string } = answer(line);
    const problem = reply.refused && `line ${place + 1}: ${reply.refused}: ${reply.message}`;
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

/** The value with its last part made wrong, or with one more element when it is empty. */
export function falsified(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? ['more'] : [...value.slice(0, -1), falsified(value.at(-1))];
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const last = fields.pop();
    return Object.fromEntries([...fields, last ? [last[0], falsified(last[1])] : ['more', true]]);
  }
  return typeof value === 'number' ? value + 1 : `not ${String(value)}`;
}
