import { expect, test } from 'vitest';
import { parseDeal } from '../rules/deal.ts';
import { type Game, versionedGameId } from '../rules/game.ts';
import { hashOf } from '../base/canonicalJson.ts';
import { wagerOutcomeOf } from '../rules/settle.ts';
import { tiger } from './electronic.ts';
import { findGame, games } from './registry.ts';

/** A Tiger game as a later book might define it: Tiger Tie at 45 to 1. */
const laterTiger: Game = {
  ...tiger,
  version: '2031-01-01',
  effective: '2031-01-01',
  wagers: {
    ...tiger.wagers,
    'tiger-tie': {
      ...tiger.wagers['tiger-tie']!,
      lines: [{ when: { winner: 'tie', playerTotal: 6 }, pays: [45, 1], by: 'ETG 4.10' }],
    },
  },
};
const both = [...games, laterTiger];

test('two versions of one game stand side by side, each with its own hash', () => {
  expect(findGame('tiger@2021-10-28', '2040-01-01', both)).toBe(tiger);
  expect(findGame('tiger@2031-01-01', '2020-01-01', both)).toBe(laterTiger);
  expect(hashOf(laterTiger)).not.toBe(hashOf(tiger));
});

test('no version of a game is listed twice', () => {
  expect(new Set(games.map(versionedGameId)).size).toBe(games.length);
});

test('the name alone means the newest version in force', () => {
  expect(findGame('tiger', '2030-12-31T23:59:59', both)).toBe(tiger);
  expect(findGame('tiger', '2031-01-01T00:00:00', both)).toBe(laterTiger);
  expect(findGame('tiger', '2031-01-01T00:00:00', [laterTiger, ...games])).toBe(laterTiger);
  expect(findGame('tiger', '2021-10-27T23:59:59', both)).toMatchObject({ refused: 'game-not-in-force' });
});

test('an old round is settled by the version that it names', () => {
  const deal = parseDeal(['QD', '9D', 'AS', '7S', '5D'], { deck: 'french', decks: 8 });
  if ('refused' in deal) throw new Error(deal.message);
  const paid = both
    .filter(({ id }) => id === 'tiger')
    .map((game) => wagerOutcomeOf(game.wagers['tiger-tie']!, deal.facts).net);
  expect(paid).toEqual([
    [35, 1],
    [45, 1],
  ]);
});

test('findGame refuses an unknown name or version and lists the known ones', () => {
  for (const name of ['lion', 'tiger@1', 'Tiger', '', 'constructor', '__proto__', 'tiger@']) {
    expect(findGame(name, '2026-01-01')).toMatchObject({ refused: 'unknown-game' });
  }
});

test('findGame refuses a value that is no name or no time', () => {
  for (const name of [null, undefined, 7, {}, ['tiger']]) {
    expect(findGame(name, '2026-01-01')).toMatchObject({ refused: 'unknown-game' });
  }
  for (const at of [null, undefined, 1_800_000_000_000, {}, 'now', '2026', '2026-1-1', '31.12.2026']) {
    expect(findGame('tiger', at as never)).toMatchObject({ refused: 'game-not-in-force' });
  }
});
