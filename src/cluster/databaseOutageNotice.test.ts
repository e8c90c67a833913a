import { expect, test } from 'vitest';
import { DatabaseOutageNotice } from './databaseOutageNotice.ts';

test('outage notice reports a partial outage once, and its end once when nothing fails any more', () => {
  const lines: string[] = [];
  let now = 0;
  const silence = new DatabaseOutageNotice({ settleMs: 4_000, print: (text) => lines.push(text), now: () => now });
  silence.answered();
  for (; now < 60_000; now += 1_000) {
    silence.failed(new Error(`none is left (${now}).`));
    silence.answered();
  }
  expect(lines).toEqual(['the database does not answer: none is left (0).']);
  for (; now < 70_000; now += 1_000) silence.answered();
  expect(lines.slice(1)).toEqual(['the database answers again.']);
  now += 250;
  expect(silence.sinceLastAnswerMs).toBe(1_250);
  silence.failed(new Error('gone.'));
  expect(lines.slice(2)).toEqual(['the database does not answer: gone.']);
});
