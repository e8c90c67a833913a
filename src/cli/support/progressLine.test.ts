import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ProgressLine } from './progressLine.ts';

/** Standard error as a terminal window of a given width, and a clock that the test moves. */
function made(terminal: { readonly isTTY?: boolean; columns?: number }) {
  let written = '';
  let now = 0;
  const errors = Object.assign(
    new Writable({
      write(part: Buffer, _, done) {
        written += part.toString();
        done();
      },
    }),
    terminal,
  );
  const line = new ProgressLine(errors, () => now);
  const shownAt = (
    time: number,
    part: number,
    texts = ['2,500 rounds, 1.0 million a second', '2,500 rounds', '25 %'],
  ) => {
    now = time;
    written = '';
    line.show(() => ({ part, texts }));
    return written;
  };
  return { errors, line, shownAt, written: () => written };
}

const endOfLine = '\u001B[K';

test('a progress line shows the longest text that fits the width of the terminal', () => {
  const { errors, shownAt } = made({ isTTY: true });
  const shown = [200, 80, 60, 40, 30, 13, 5, 3, 1].map((columns, n) => {
    errors.columns = columns;
    const text = shownAt(100 * (n + 1), 0.25);
    expect(text.startsWith('\r') && text.endsWith(endOfLine)).toBe(true);
    const line = text.slice(1, -endOfLine.length);
    expect(line.length).toBeLessThan(columns);
    return line;
  });
  expect(shown).toEqual([
    `[${'='.repeat(7)}${' '.repeat(23)}] 2,500 rounds, 1.0 million a second`,
    `[${'='.repeat(7)}${' '.repeat(23)}] 2,500 rounds, 1.0 million a second`,
    `[${'='.repeat(5)}${' '.repeat(17)}] 2,500 rounds, 1.0 million a second`,
    '2,500 rounds, 1.0 million a second',
    `[===${' '.repeat(11)}] 2,500 rounds`,
    '2,500 rounds',
    '25 %',
    '25',
    '',
  ]);
});

test('a progress line takes 80 columns when the terminal reports no width', () => {
  const long = 'x'.repeat(90);
  for (const columns of [undefined, 0]) {
    const { shownAt } = made({ isTTY: true, ...(columns === 0 && { columns }) });
    expect(shownAt(100, 1, [long, 'short'])).toBe(`\r[${'='.repeat(30)}] short${endOfLine}`);
    expect(shownAt(200, 1, [long])).toBe(`\r${long.slice(0, 79)}${endOfLine}`);
  }
});

test('a progress line is replaced ten times a second on a terminal, and a line of its own every five seconds elsewhere', () => {
  const onTerminal = made({ isTTY: true, columns: 80 });
  expect([99, 100, 150, 200].map((time) => onTerminal.shownAt(time, 0.5) !== '')).toEqual([false, true, false, true]);
  onTerminal.line.clear();
  expect(onTerminal.written().endsWith(`\r${endOfLine}`)).toBe(true);
  expect(onTerminal.shownAt(1_000, 0.5)).toBe('');
  const elsewhere = made({});
  expect([4_999, 5_000, 9_999].map((time) => elsewhere.shownAt(time, 0.5))).toEqual([
    '',
    '2,500 rounds, 1.0 million a second\n',
    '',
  ]);
  elsewhere.line.clear();
  expect(elsewhere.written()).toBe('');
});
