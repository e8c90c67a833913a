import { countText } from '../../base/countText.ts';
import { type Writable } from 'node:stream';

/** Writes results, line by line. */
export function print(output: Writable, ...lines: readonly string[]): void {
  output.write(`${lines.join('\n')}\n`);
}

/** What a record holds, after a backup, a restore or a copy. */
export const storeSizeText = (record: {
  readonly streams: number;
  readonly entries: number;
  readonly accounts: number;
}): string =>
  [
    countText(record.streams, 'stream'),
    countText(record.entries, 'entry', 'entries'),
    countText(record.accounts, 'account'),
  ].join(', ');

/** Rows as columns two spaces apart; columns whose head begins with '>' are flush right. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const right = head.map((title) => title.startsWith('>'));
  const all = [head.map((title) => title.replace(/^>/, '')), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => (right[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
