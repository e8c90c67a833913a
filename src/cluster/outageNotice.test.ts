import { expect, test } from 'vitest';
import { OutageNotice } from './outageNotice.ts';

test('a database that answers one and not the other is told of once, and once more when nobody is left in vain', () => {
  const said: string[] = [];
  let now = 0;
  const silence = new OutageNotice({ lasts: 4_000, say: (text) => said.push(text), now: () => now });
  silence.answered();
  for (; now < 60_000; now += 1_000) {
    silence.failed(new Error(`none is left (${now}).`));
    silence.answered();
  }
  expect(said).toEqual(['the database does not answer: none is left (0).']);
  for (; now < 70_000; now += 1_000) silence.answered();
  expect(said.slice(1)).toEqual(['the database answers again.']);
  now += 250;
  expect(silence.lasts).toBe(1_250);
  silence.failed(new Error('gone.'));
  expect(said.slice(2)).toEqual(['the database does not answer: gone.']);
});
