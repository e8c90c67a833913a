import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { decidedWagers } from './decidedWagers.ts';
import { type Game, wagerIdsOf } from './game.ts';

const named = (id: string): Game => games.find((game) => game.id === id)!;
const after = (id: string, cards: string) =>
  decidedWagers(named(id), wagerIdsOf(named(id)), (cards === '' ? [] : cards.split(' ')) as never);

test('[ETG 5.9] a Player seven against a drawing Banker decides pairs and sixes, but not the winner', () => {
  expect(after('super-six', 'KC 2D 7H KS')).toEqual({
    established: true,
    won: [],
    lost: ['player-pair', 'banker-pair', 'super-six'],
  });
});

test('[ETG 5.9] after five cards only the last one is open', () => {
  expect(after('tiger-no-commission', '4D KC QH 6C 7D')).toEqual({
    established: true,
    won: [],
    lost: ['small-tiger', 'tiger-tie', 'tiger-pair'],
  });
});

test('[ETG 5.9] after the last card every wager is decided except a push, which is neither won nor lost', () => {
  expect(after('tiger', '8H 3C KD 5D')).toEqual({
    established: true,
    won: ['tie'],
    lost: ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'],
  });
  expect(after('super-6', '8H 3C KD 5D').won).toEqual(['tie']);
  expect(after('super-6', '8H 3C KD 5D').lost).toEqual(['player-pair', 'banker-pair', 'super-6']);
});

test('[ETG 5.9] a tiger pair is won as soon as one hand is paired, though its odds are still open', () => {
  expect(after('tiger', '9S 2C 9H').won).toEqual(['tiger-pair']);
  expect(after('tiger', '2S QC 3H QD').won).toEqual(['tiger-pair']);
});

test('[HOUSE 6] of the wagers on single totals one is won at most: the others are lost as the cards come', () => {
  // Player stands on six, so that no other Player total can win; a Banker five may still reach any total.
  const { won, lost } = after('sands-super', 'KC 2D 6H 3S');
  expect(won).toEqual([]);
  expect(lost.filter((id) => id.startsWith('player-wins-on'))).toEqual(
    [1, 2, 3, 4, 5, 7, 8, 9].map((n) => `player-wins-on-${n}`),
  );
  expect(lost.filter((id) => id.startsWith('tie-wins-on'))).toEqual(
    [0, 1, 2, 3, 4, 5, 7, 8, 9].map((n) => `tie-wins-on-${n}`),
  );
});
