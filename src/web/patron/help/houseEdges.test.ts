import { expect, test } from 'vitest';
import { games } from '../../../games/registry.ts';
import { versionedGameId, wagerIdsOf } from '../../../rules/game.ts';
import { rulebookDateText } from './dateText.ts';
import { computeChancesAndEdges } from './houseEdges.ts';

const percent = (part: number): string => (100 * part).toFixed(2);

test('help computes chance and house edge of every wager of every game for the decks of the table', () => {
  for (const game of games) {
    const figures = computeChancesAndEdges(versionedGameId(game), 6);
    expect(Object.keys(figures)).toEqual(wagerIdsOf(game));
    for (const { chance, edge } of Object.values(figures)) {
      expect(chance).toBeGreaterThan(0);
      expect(edge).toBeGreaterThan(0);
    }
  }
  expect(computeChancesAndEdges('lion@1', 8)).toEqual({});
});

test('house edges equal the published ones for eight decks', () => {
  const { banker, player, tie } = computeChancesAndEdges('baccarat@7', 8);
  expect([banker, player, tie].map((one) => [percent(one!.chance), percent(one!.edge)])).toEqual([
    ['45.86', '1.06'],
    ['44.62', '1.24'],
    ['9.52', '14.36'],
  ]);
});

test('the effective date of a rulebook is formatted with its hour if it has one', () => {
  expect(rulebookDateText('2021-10-28', 'en')).toBe('28 October 2021');
  expect(rulebookDateText('2017-03-14T08:00', 'en')).toBe('14 March 2017, 08:00');
  expect(rulebookDateText('2021-10-28', 'zh')).toBe('2021年10月28日');
  expect(rulebookDateText('2017-03-14T08:00', 'zh')).toBe('2017年3月14日 08:00');
});
