import { expect, test } from 'vitest';
import { ready } from './sitting.ts';

test('smoke', () => {
  const sit = ready('baccarat').played('9S 2C 9H 4D', {
    T1: { banker: 1000, 'player-pair': 100 },
    T2: { player: 500 },
  });
  expect(sit.balance('T1')).toBe(-1000 + 1100);
  const after = sit.events('RoundSettled');
  expect(after.length).toBe(1);
});
