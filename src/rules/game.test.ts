import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { type Game, versionedGameId, parseLayout, wagerIdsOf, parseWagerIds } from './game.ts';

const main = ['player', 'banker', 'tie'];
const preciousPairs = ['player-precious-pair', 'banker-precious-pair'];

const named = (id: string): Game => games.find((game) => game.id === id)!;

test('a layout may leave off optional wagers and no others', () => {
  for (const game of games) {
    const all = wagerIdsOf(game);
    for (const id of all) {
      const without = all.filter((other) => other !== id);
      const layout = parseLayout(game, without);
      if (game.wagers[id]!.optional) expect(layout).toEqual(without);
      else expect(layout).toMatchObject({ refused: 'wager-not-optional' });
    }
  }
  const optional = games.flatMap((game) => wagerIdsOf(game).filter((id) => game.wagers[id]!.optional));
  expect([...new Set(optional)].toSorted()).toEqual(
    [
      'player-dragon-bonus',
      'banker-dragon-bonus',
      'tiger',
      'small-tiger',
      'big-tiger',
      'tiger-tie',
      'tiger-pair',
    ].toSorted(),
  );
});

test('wagers come in the order of the game, each once; all when none are named, none when the list is empty', () => {
  const tiger = named('tiger');
  expect(parseWagerIds(tiger, ['tie', 'player'])).toEqual(['player', 'tie']);
  expect(parseWagerIds(tiger)).toEqual(wagerIdsOf(tiger));
  expect(parseWagerIds(tiger, [])).toEqual([]);
  expect(parseWagerIds(tiger, ['tie', 'tie'])).toMatchObject({ refused: 'repeated-wager' });
  expect(parseWagerIds(tiger, ['player-pair'])).toMatchObject({ refused: 'unknown-wager' });
  expect(parseWagerIds(tiger, ['toString'])).toMatchObject({ refused: 'unknown-wager' });
});

test('the ten games have the ids, versions and wagers of their books', () => {
  expect(games.map(versionedGameId)).toEqual([
    'baccarat@7',
    'sands-super@2017-07-28',
    'sands-elements@2',
    'fabulous-4@3',
    'super-six@2021-10-28',
    'fortune-six@2021-10-28',
    'super-6@2021-10-28',
    'no-commission@2021-10-28',
    'tiger@2021-10-28',
    'tiger-no-commission@2021-10-28',
  ]);
  const numbered = (kind: string, from: number) =>
    Array.from({ length: 10 - from }, (_, n) => `${kind}-wins-on-${n + from}`);
  expect(wagerIdsOf(named('sands-super'))).toEqual([
    ...main,
    'player-red',
    'player-black',
    'banker-red',
    'banker-black',
    'sands-six',
    ...preciousPairs,
    ...numbered('player', 1),
    ...numbered('banker', 1),
    ...numbered('tie', 0),
  ]);
  expect(wagerIdsOf(named('baccarat'))).toEqual([...main, 'player-pair', 'banker-pair']);
  expect(wagerIdsOf(named('sands-elements'))).toEqual([...main, 'player-pair', 'banker-pair', 'fortune-six']);
  expect(wagerIdsOf(named('fabulous-4'))).toEqual([
    'player',
    'banker',
    'tie',
    'player-fabulous-4',
    'banker-fabulous-4',
    'player-precious-pair',
    'banker-precious-pair',
  ]);
});
