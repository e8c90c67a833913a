import { Connection } from './patronConnection.ts';
import { StaffConnection } from './staffConnection.ts';

type Parts = {
  readonly clock: () => number;
  readonly streamOf: (table: string) => string | undefined;
  /** By how much the clock of whoever drives a table is ahead of this program's, where others may drive it. */
  readonly offsetOf: ((stream: string) => number) | undefined;
};

/** What says that we live, with the time: that of whoever drives the table that somebody sits at or watches. Made once for all of one time. */
export function beats({ clock, streamOf, offsetOf }: Parts): (caller: unknown) => Buffer {
  const now = clock();
  const made = new Map<number, Buffer>();
  return (caller) => {
    const table = offsetOf && tableOf(caller);
    const stream = table === undefined ? undefined : streamOf(table);
    const at = now + (stream === undefined ? 0 : Math.round(offsetOf!(stream)));
    const bytes = made.get(at) ?? Buffer.from(JSON.stringify({ type: 'beat', at }), 'utf8');
    made.set(at, bytes);
    return bytes;
  };
}

/**
 * Whoever looks at all tables and at none alone sees those of several drivers, and is told the time of this program: none of
 * them drives anything while its clock is more than 200 ms from the database's.
 */
function tableOf(caller: unknown): string | undefined {
  if (caller instanceof StaffConnection) return caller.watched?.table;
  return caller instanceof Connection ? caller.table : undefined;
}
