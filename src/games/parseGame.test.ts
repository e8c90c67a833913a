import { expect, test } from 'vitest';
import { hashOf } from '../base/canonicalJson.ts';
import { parseGame } from './parseGame.ts';
import { games } from './registry.ts';

const tiger = games.find(({ id }) => id === 'tiger')!;
const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(tiger)) as Record<string, unknown>;

test('each game survives being printed and read again, with the same hash', () => {
  for (const game of games) {
    const read = parseGame(JSON.parse(JSON.stringify(game, null, 2)));
    expect(read).toEqual(game);
    expect(hashOf(read)).toBe(hashOf(game));
  }
});

test('parseGame reads a changed pay line', () => {
  const game = copy() as unknown as { wagers: { 'tiger-tie': { lines: [{ pays: number[] }] } } };
  game.wagers['tiger-tie'].lines[0].pays = [45, 1];
  expect(parseGame(game)).toMatchObject({ wagers: { 'tiger-tie': { lines: [{ pays: [45, 1] }] } } });
});

/** The game with another value at a path. */
function withAt(path: string, value: unknown): unknown {
  const game = copy();
  const keys = path.split('.');
  const last = keys.pop()!;
  let place: Record<string, unknown> = game;
  for (const key of keys) place = place[key] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return game;
}

const line = { when: { winner: 'tie' }, pays: [8, 1], by: 'x' };

test.for([
  ['id', 'Tiger', 'id'],
  ['id', '6', 'id'],
  ['id', undefined, 'the top level'],
  ['version', '', 'version'],
  ['version', '1@2', 'version'],
  ['name', ' ', 'name'],
  ['name', 'Tiger\nLion', 'name'],
  ['name', 'Tiger \ud83d', 'name'],
  ['book', 7, 'book'],
  ['effective', '2021-13-01', 'effective'],
  ['effective', '2021-02-29', 'effective'],
  ['effective', '2021-10-28T24:00', 'effective'],
  ['effective', 'tomorrow', 'effective'],
  ['deck', 'tarot', 'deck'],
  ['deck', 'toString', 'deck'],
  ['colour', 'red', 'the top level'],
  ['wagers', [], 'wagers'],
  ['wagers', {}, 'wagers'],
  ['wagers', null, 'wagers'],
  ['wagers.Tie', { name: 'Tie', by: 'x', lines: [line] }, 'wagers.Tie'],
  ['wagers.tie', 'none', 'wagers.tie'],
  ['wagers.tie.name', undefined, 'wagers.tie'],
  ['wagers.tie.by', '', 'wagers.tie.by'],
  ['wagers.tie.optional', false, 'wagers.tie.optional'],
  ['wagers.tie.losses', [], 'wagers.tie.losses'],
  ['wagers.tie.losses', { when: {}, by: 'x' }, 'wagers.tie.losses'],
  ['wagers.tie.losses', [{ when: {} }], 'wagers.tie.losses[0]'],
  ['wagers.tie.losses', [{ when: {}, by: '' }], 'wagers.tie.losses[0].by'],
  ['wagers.tie.losses', [{ when: {}, by: 'x', pays: [1, 1] }], 'wagers.tie.losses[0]'],
  ['wagers.tie.losses', [{ when: { winner: 'dealer' }, by: 'x' }], 'wagers.tie.losses[0].when.winner'],
  ['wagers.tie.lines', [], 'wagers.tie.lines'],
  ['wagers.tie.lines', {}, 'wagers.tie.lines'],
  ['wagers.tie.lines', Array.from({ length: 31 }, () => line), 'wagers.tie.lines'],
  ['wagers.tie.lines.0', null, 'wagers.tie.lines[0]'],
  ['wagers.tie.lines.0.by', undefined, 'wagers.tie.lines[0]'],
  ['wagers.tie.lines.0.by', 4, 'wagers.tie.lines[0].by'],
  ['wagers.tie.lines.0.then', 1, 'wagers.tie.lines[0]'],
  ['wagers.tie.lines.0.when', 'tie', 'wagers.tie.lines[0].when'],
  ['wagers.tie.lines.0.when.weather', 'fine', 'wagers.tie.lines[0].when.weather'],
  ['wagers.tie.lines.0.when.toString', 1, 'wagers.tie.lines[0].when.toString'],
  ['wagers.tie.lines.0.when.winner', 'nobody', 'wagers.tie.lines[0].when.winner'],
  ['wagers.tie.lines.0.when.playerTotal', 10, 'wagers.tie.lines[0].when.playerTotal'],
  ['wagers.tie.lines.0.when.playerTotal', '6', 'wagers.tie.lines[0].when.playerTotal'],
  ['wagers.tie.lines.0.when.playerTotal', [], 'wagers.tie.lines[0].when.playerTotal'],
  ['wagers.tie.lines.0.when.playerTotal', [6, 6], 'wagers.tie.lines[0].when.playerTotal'],
  ['wagers.tie.lines.0.pays', [0, 1], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', [8, 0], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', [-8, 1], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', [8.5, 1], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', [1_000_001, 1], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', [8], 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', '8 to 1', 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.pays', 'lose', 'wagers.tie.lines[0].pays'],
  ['wagers.tie.lines.0.commission', [1, 1], 'wagers.tie.lines[0].commission'],
  ['wagers.tie.lines.0.commission', 0.05, 'wagers.tie.lines[0].commission'],
  ['wagers.player.lines.0.commission', [1, 20], 'wagers.player.lines[0].commission'],
  // Pay lines that no deal reaches: a tie with a margin, a natural on three cards, a line after one that
  // always pays, and a colour that the deck lacks.
  ['wagers.tie.lines.0.when.margin', 3, 'wagers.tie.lines[0]'],
  ['wagers.big-tiger.lines.0.when.bankerNatural', true, 'wagers.big-tiger.lines[0]'],
  ['wagers.tie.lines', [{ ...line, when: {} }, line], 'wagers.tie.lines[1]'],
  ['wagers.tie.lines.0.when.playerColour', 'none', 'wagers.tie.lines[0]'],
] as const)('a file with %s = %j is refused at %s', ([path, value, place]) => {
  const refusal = parseGame(withAt(path, value)) as { refused: string; message: string };
  expect(refusal.refused).toBe('bad-game');
  expect(refusal.message).toContain(` ${place}: `);
});

test('odds that would need enormous chips are refused', () => {
  const odd = [999_983, 999_979, 999_961].map((per, n) => ({ when: { playerTotal: n }, pays: [1, per], by: 'x' }));
  expect(parseGame(withAt('wagers.tie.lines', odd))).toMatchObject({ refused: 'bad-game' });
});

test('parseGame refuses a value that is no game', () => {
  for (const value of [null, undefined, 7, 'tiger', [], [tiger]]) {
    expect(parseGame(value)).toMatchObject({ refused: 'bad-game' });
  }
});

test('parseGame rethrows other errors', () => {
  const trap = Object.defineProperty(copy(), 'id', {
    enumerable: true,
    get: () => {
      throw new TypeError('out of reach');
    },
  });
  expect(() => parseGame(trap)).toThrow('out of reach');
});

test('dates follow the calendar', () => {
  for (const date of ['2024-02-29', '2000-02-29', '2023-12-31', '2017-03-14T08:00']) {
    expect(parseGame(withAt('effective', date)), date).toHaveProperty('id');
  }
  for (const date of [
    '2023-02-29',
    '2100-02-29',
    '2023-04-31',
    '2023-00-10',
    '2023-01-00',
    '2023-1-1',
    '2017-03-14 08:00',
  ]) {
    expect(parseGame(withAt('effective', date)), date).toMatchObject({ refused: 'bad-game' });
  }
});
