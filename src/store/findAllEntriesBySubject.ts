import { setImmediate } from 'node:timers/promises';
import { type Store, type StoredEntry } from './store.ts';

/** Entries per page. Other work of the process runs between two pages. */
export const subjectPageSize = 100;

/** Reads all entries about a subject, page by page, newest first. */
export async function findAllEntriesBySubject(
  store: Pick<Store, 'findBySubject'>,
  subject: string,
): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (;;) {
    const last = found.at(-1);
    const entries = await store.findBySubject(subject, {
      maxEntries: subjectPageSize,
      ...(last && { before: last }),
    });
    found.push(...entries);
    await setImmediate();
    if (entries.length < subjectPageSize) return found;
  }
}
