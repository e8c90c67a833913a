import { expect, test } from 'vitest';
import { confirmationPhrase } from './rollbackCheck.ts';

test('a confirmation phrase is two different cards, and every card occurs as first and as second', () => {
  const phrases = Array.from({ length: 5_000 }, (_, n) => confirmationPhrase(`state ${n}`).split(' '));
  for (const phrase of phrases) expect(new Set(phrase).size).toBe(2);
  for (const index of [0, 1]) expect(new Set(phrases.map((phrase) => phrase[index])).size).toBe(52);
});
