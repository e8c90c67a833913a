import { expect, test } from 'vitest';
import { rulebookOf, rulebooks, versionedRulebookId } from './rulebooks.ts';
import { games } from './registry.ts';

test('every game is played by the book of its own version', () => {
  for (const game of games) expect(versionedRulebookId(rulebookOf(game))).toBe(`${game.book}@${game.version}`);
});

test('[READING 47] two versions of a book stand side by side; a game that alone has changed goes by the last one', () => {
  const [first] = rulebooks;
  const later = { ...first!, version: '8' };
  const among = [...rulebooks, later];
  expect(rulebookOf({ book: 'BAC', version: '7' }, among)).toBe(first);
  expect(rulebookOf({ book: 'BAC', version: '8' }, among)).toBe(later);
  expect(rulebookOf({ book: 'BAC', version: '9' }, among)).toBe(later);
});
