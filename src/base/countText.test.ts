import { expect, test } from 'vitest';
import { countText, pluralNoun } from './countText.ts';

test('a count has its noun in the singular for 1 alone', () => {
  expect([0, 1, 2, 1n, 12n].map((count) => countText(count, 'card'))).toEqual([
    '0 cards',
    '1 card',
    '2 cards',
    '1 card',
    '12 cards',
  ]);
  expect([1, 2].map((count) => countText(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
  expect([1, 2].map((count) => pluralNoun(count, 'shoe'))).toEqual(['shoe', 'shoes']);
});
