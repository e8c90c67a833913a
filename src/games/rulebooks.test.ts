import { expect, test } from 'vitest';
import { bookOf, books, fullBookName } from './rulebooks.ts';
import { games } from './registry.ts';

test('every game is played by the book of its own version', () => {
  for (const game of games) expect(fullBookName(bookOf(game))).toBe(`${game.book}@${game.version}`);
});

test('[READING 47] two versions of a book stand side by side; a game that alone has changed goes by the last one', () => {
  const [first] = books;
  const later = { ...first!, version: '8' };
  const among = [...books, later];
  expect(bookOf({ book: 'BAC', version: '7' }, among)).toBe(first);
  expect(bookOf({ book: 'BAC', version: '8' }, among)).toBe(later);
  expect(bookOf({ book: 'BAC', version: '9' }, among)).toBe(later);
});
