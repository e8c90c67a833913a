import { type TableEvent } from '../table/declare/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Table } from '../table/table.ts';
import { type Posting, postingsOf } from './postings.ts';

/** What a record keeps of an event: itself and the money it moves. */
export type Entry = { readonly event: TableEvent; readonly postings: readonly Posting[] };

/** The events of a command one after another: each with the money it moves, the table moved on. */
export function enter(
  events: readonly TableEvent[],
  before: Table | undefined,
): { readonly entries: readonly Entry[]; readonly table: Table | undefined } {
  let table = before;
  const entries = events.map((event) => {
    const postings = postingsOf(event, table);
    table = evolve(table, event);
    return { event, postings };
  });
  return { entries, table };
}
