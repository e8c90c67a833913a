import { expect, test } from 'vitest';
import { hasSameStakes } from './stakes.ts';

test('two slips are the same if each wager has the same stake in both', () => {
  expect(hasSameStakes({ player: 100, tie: 200 }, { tie: 200, player: 100 })).toBe(true);
  expect(hasSameStakes({}, {})).toBe(true);
  expect(hasSameStakes({ player: 100 }, {})).toBe(false);
  expect(hasSameStakes({ player: 100 }, { player: 200 })).toBe(false);
  expect(hasSameStakes({ player: 100 }, { banker: 100 })).toBe(false);
  expect(hasSameStakes({ toString: 1 }, { player: 1 })).toBe(false);
});
