import { expect, test } from 'vitest';
import { UnfinishedMessageTracker } from './unfinishedMessageTracker.ts';

const [text, more, end, ping] = [0x81, 0x01, 0x80, 0x89];
const frame = (kind: number, length: number): number[] => {
  const size = length < 126 ? [0x80 | length] : length < 65_536 ? [0xfe, length >> 8, length & 255] : longOf(length);
  return [kind, ...size, 1, 2, 3, 4, ...Array.from({ length }, () => 0x81)];
};
const longOf = (length: number): number[] => [0xff, 0, 0, 0, 0, ...[24, 16, 8, 0].map((by) => (length >> by) & 255)];

/** Value of `unfinishedSince` after the chunks have arrived at the times 1, 2, 3 and so on. */
const sinceOf = (...chunks: readonly (readonly number[])[]): number | undefined => {
  const frames = new UnfinishedMessageTracker();
  chunks.forEach((part, n) => frames.track(Uint8Array.from(part), n + 1));
  return frames.unfinishedSince;
};

test('the frame timer is idle after a complete message, whatever its length and chunks', () => {
  for (const length of [0, 1, 125, 126, 500, 65_535, 65_536, 70_000]) {
    const whole = frame(text, length);
    expect(sinceOf(whole), `${length}`).toBeUndefined();
    expect(sinceOf(whole.slice(0, -1)), `${length}`).toBe(1);
    expect(sinceOf(whole.slice(0, 1), whole.slice(1, 5), whole.slice(5)), `${length}`).toBeUndefined();
    expect(sinceOf([...whole, ...whole, ...frame(ping, 5)]), `${length}`).toBeUndefined();
  }
  expect(sinceOf(...[...frame(text, 300), ...frame(ping, 3)].map((byte) => [byte]))).toBeUndefined();
});

test('the frame timer counts from the first fragment, whatever arrives in between', () => {
  expect(sinceOf(frame(more, 1), frame(0, 1), frame(ping, 4), frame(0, 0))).toBe(1);
  expect(sinceOf(frame(more, 1), frame(0, 1), frame(end, 1))).toBeUndefined();
  expect(sinceOf(frame(text, 1), frame(ping, 1).slice(0, 3), frame(ping, 1).slice(3))).toBeUndefined();
});

test('the frame timer counts a following message from its own first byte', () => {
  const whole = frame(text, 10);
  const shifted = [whole.slice(0, 5), ...Array.from({ length: 5 }, () => [...whole.slice(5), ...whole.slice(0, 5)])];
  expect(sinceOf(...shifted)).toBe(6);
  expect(sinceOf(...shifted, whole.slice(5, 9))).toBe(6);
});
