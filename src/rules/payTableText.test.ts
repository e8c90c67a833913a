import { expect, test } from 'vitest';
import { factNames } from './facts.ts';
import { type FactPattern } from './wager.ts';
import { factPatternText, factMeanings, payTableRows, paysText } from './payTableText.ts';

test.for<[FactPattern, string]>([
  [{}, 'always'],
  [{ winner: 'banker', bankerTotal: 6, bankerCards: 2 }, 'Banker wins with 6 on 2 cards'],
  [{ winner: 'player', playerTotal: [1, 4] }, 'Player wins with 1 or 4'],
  [{ winner: ['player', 'tie'] }, 'Player wins or tie'],
  [{ winner: 'tie', playerTotal: 6 }, 'tie at 6'],
  [{ winner: 'player', bankerTotal: 6, bankerCards: 3 }, 'Player wins Banker total 6 Banker 3 cards'],
  [{ winner: 'player', margin: 9, playerNatural: false }, 'Player wins by 9 without a natural'],
  [{ winner: 'tie', bankerNatural: true }, 'tie with a natural'],
  [{ playerNatural: true }, 'Player with a natural'],
  [{ playerPair: true, bankerPair: false }, 'Player has a pair Banker has no pair'],
  [{ bankerPreciousPair: ['fours', 'diamond-fours'] }, 'Banker has any other pair of fours or a pair of diamond fours'],
  [{ playerPreciousPair: 'none' }, 'Player has no pair'],
  [
    { playerColour: 'red', bankerColour: ['black', 'mixed'] },
    "Player's first two cards red Banker's first two cards black or mixed",
  ],
  [{ tigerPair: 'twin' }, 'both hands paired, ranks equal'],
])('%j reads %s', ([when, words]) => {
  expect(factPatternText(when)).toBe(words);
});

test('odds are formatted as in a pay table', () => {
  expect(paysText({ when: {}, pays: [8, 1], by: '' })).toBe('8 to 1');
  expect(paysText({ when: {}, pays: 'push', by: '' })).toBe('push');
  expect(paysText({ when: {}, pays: [1, 1], commission: [1, 20], by: '' })).toBe(
    '19 to 20 (1 to 1 less a commission of 1 in 20)',
  );
});

test('every fact has a meaning', () => {
  expect(Object.keys(factMeanings)).toEqual(factNames);
});

test('payRows gives the rows of a wager, and the last says what loses', () => {
  const rows = payTableRows({
    name: 'Made up',
    by: 'last',
    lines: [
      { when: { winner: 'tie' }, pays: 'push', by: 'first' },
      { when: { winner: 'banker', bankerTotal: 6 }, pays: [1, 2], by: 'second' },
    ],
    losses: [{ when: { winner: 'player', playerTotal: 4 }, by: 'third' }],
  });
  expect(rows).toEqual([
    ['tie', 'push', 'first'],
    ['Banker wins with 6', '1 to 2', 'second'],
    ['Player wins with 4', 'loses', 'third'],
    ['otherwise', 'loses', 'last'],
  ]);
});
