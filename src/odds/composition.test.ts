import { expect, test } from 'vitest';
import { baccarat } from '../games/baccarat.ts';
import { sandsElements } from '../games/sandsElements.ts';
import { parseComposition, freshShoe } from './composition.ts';
import { oddsOf, parSheetOf } from './sheet.ts';

test('a fresh shoe has whole decks of a deck that there is', () => {
  expect(freshShoe({ deck: 'french', decks: 8 }).size).toBe(416);
  for (const decks of [0, -1, 1.5, Number.NaN, '8']) {
    expect(() => freshShoe({ deck: 'french', decks: decks as number })).toThrow(/^Broken: a shoe has whole decks/);
  }
  expect(() => freshShoe({ deck: 'tarot' as never, decks: 8 })).toThrow(/^Broken: there is a deck tarot/);
  expect(parseComposition({ AS: 8 }, 'tarot' as never)).toMatchObject({ refused: 'wrong-deck' });
});

test('a game has odds from its own deck alone', () => {
  const french = freshShoe({ deck: 'french', decks: 8 });
  expect(oddsOf(baccarat, french).deals).toBe(4998398275503360n);
  expect(() => oddsOf(sandsElements, french)).toThrow(/^Broken: the shoe has the deck of sands-elements/);
  expect(() => parSheetOf(sandsElements, french)).toThrow(/^Broken: /);
});

test('a shoe with one card left is refused in the singular', () => {
  expect(parseComposition({ KD: 1 }, 'french')).toEqual({
    refused: 'bad-shoe',
    message: 'The shoe has 1 card left; give at least six, since a round may need them.',
  });
});
