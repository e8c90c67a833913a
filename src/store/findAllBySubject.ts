import { setImmediate } from 'node:timers/promises';
import { type Store, type StoredEntry } from './store.ts';

/** So many entries are read at once; in between whatever else waits comes first. */
export const atOnce = 100;

/** All entries about something, the newest first. */
export async function allAbout(store: Pick<Store, 'about'>, subject: string): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (;;) {
    const last = found.at(-1);
    const entries = await store.about(subject, { most: atOnce, ...(last && { before: last }) });
    found.push(...entries);
    await setImmediate();
    if (entries.length < atOnce) return found;
  }
}
