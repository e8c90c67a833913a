import { setImmediate } from 'node:timers/promises';
import { type Store, type StoredEntry } from './store.ts';

/** So many entries are read at once; in between whatever else waits comes first. */
export const pageSize = 100;

/** All entries about something, the newest first. */
export async function allAbout(store: Pick<Store, 'findBySubject'>, subject: string): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (;;) {
    const last = found.at(-1);
    const entries = await store.findBySubject(subject, { most: pageSize, ...(last && { before: last }) });
    found.push(...entries);
    await setImmediate();
    if (entries.length < pageSize) return found;
  }
}
