import { expect, test } from 'vitest';
import { areSameStakes } from './stakes.ts';

test('two slips are the same if each wager has the same stake in both', () => {
  expect(areSameStakes({ player: 100, tie: 200 }, { tie: 200, player: 100 })).toBe(true);
  expect(areSameStakes({}, {})).toBe(true);
  expect(areSameStakes({ player: 100 }, {})).toBe(false);
  expect(areSameStakes({ player: 100 }, { player: 200 })).toBe(false);
  expect(areSameStakes({ player: 100 }, { banker: 100 })).toBe(false);
  expect(areSameStakes({ toString: 1 }, { player: 1 })).toBe(false);
});
