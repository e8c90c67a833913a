import { DatabaseSync } from 'node:sqlite';
import { type Append, type Appended, type BookedPosting, type Snapshot } from './store.ts';

/** What the writer is asked, numbered so that its answers find their way. */
export type Ask = { readonly number: number } &
  /** The batch as text, which passes between threads faster than what it says. */
  (
    | { readonly type: 'append'; readonly batch: string }
    | { readonly type: 'snapshot'; readonly stream: string; readonly snapshot: Snapshot }
    | { readonly type: 'seal'; readonly id: string; readonly bytes: Uint8Array }
    | { readonly type: 'beat'; readonly at: number }
    | { readonly type: 'close' }
  );

export type Answer = { readonly number: number; readonly value?: Written | undefined; readonly error?: string };

/** What was written, as far as the asker does not know it: hashes, and what each posting found and left. */
export type Written =
  | Exclude<Appended, { entries: unknown }>
  | { readonly previous: string; readonly hashes: readonly string[]; readonly booked: readonly (readonly number[])[] };

const marks = ['fromBefore', 'fromAfter', 'fromVersion', 'toBefore', 'toAfter', 'toVersion'] as const;

/** The answer to an append, as short as it can be. */
export function shortened(appended: Appended): Written {
  if ('refused' in appended) return appended;
  const postings = appended.entries.flatMap((entry) => entry.postings);
  return {
    previous: appended.entries[0]?.previous ?? '',
    hashes: appended.entries.map(({ hash }) => hash),
    booked: postings.map((posting) => marks.map((mark) => posting[mark])),
  };
}

/** The whole answer again, from what was asked. */
export function lengthened({ stream, after, entries }: Append, written: Written): Appended {
  if ('refused' in written) return written;
  const { previous, hashes, booked } = written;
  let next = 0;
  return {
    entries: entries.map(({ event, postings, command }, place) => ({
      stream,
      sequence: after + place + 1,
      at: event.at,
      event,
      postings: postings.map((posting) => {
        const found = booked[next++]!;
        return { ...posting, ...Object.fromEntries(marks.map((mark, n) => [mark, found[n]!])) } as BookedPosting;
      }),
      command: command ?? null,
      previous: place === 0 ? previous : hashes[place - 1]!,
      hash: hashes[place]!,
    })),
  };
}

/** A connection to the record: written ahead, and on the disk when a commit returns. */
export function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  return database;
}
