import { countText } from '../../base/countText.ts';
import { type Writable } from 'node:stream';

export function print(output: Writable, ...lines: readonly string[]): void {
  output.write(`${lines.join('\n')}\n`);
}

/** Size of a store as text: "3 streams, 120 entries, 14 accounts". */
export const storeSizeText = (size: {
  readonly streams: number;
  readonly entries: number;
  readonly accounts: number;
}): string =>
  [
    countText(size.streams, 'stream'),
    countText(size.entries, 'entry', 'entries'),
    countText(size.accounts, 'account'),
  ].join(', ');

/** Formats a head and rows as columns two spaces apart. A column whose head begins with '>' is right-aligned. */
export function formatColumns(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const isRightAligned = head.map((title) => title.startsWith('>'));
  const all = [head.map((title) => title.replace(/^>/, '')), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => (isRightAligned[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
