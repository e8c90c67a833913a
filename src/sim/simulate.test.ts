import { expect, test } from 'vitest';
import { tiger } from '../games/electronic.ts';
import { isRefused } from '../base/refusal.ts';
import { simulate } from './simulate.ts';

const simulation = { game: tiger, decks: 8, cut: 14, seed: 'one thread' };

test('whole shoes on one thread agree with the exact odds, and the same seed gives the same again', () => {
  const first = simulate(simulation, 2_500);
  if (isRefused(first)) throw new Error(first.message);
  expect(first.agrees).toBe(true);
  expect(first.shoes).toBe(2_500);
  expect(first.findings).toHaveLength(first.slots.length);
  expect(simulate(simulation, 2_500)).toEqual(first);
  expect(simulate({ ...simulation, seed: 'another' }, 2_500)).not.toEqual(first);
});

test('simulate refuses invalid arguments', () => {
  expect(simulate({ ...simulation, decks: 3 }, 10)).toMatchObject({ refused: 'bad-decks' });
  for (const [wrong, shoes] of [
    [{ cut: 5 }, 10],
    [{ cut: 411 }, 10],
    [{ cut: 14.5 }, 10],
    [{}, 0],
    [{}, 1.5],
    [{ seed: 1 as never }, 10],
    [{ seed: null as never }, 10],
  ] as const) {
    expect(simulate({ ...simulation, ...wrong }, shoes)).toMatchObject({ refused: 'bad-simulation' });
  }
});
