import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type NewEntry, type Store } from '../../../src/store/store.ts';

/** Retries at once. */
export const withoutPause = { pause: async () => {} };

/** Entry with much text, so that a commit has several pages. */
const entry = (number: number): NewEntry => ({
  event: { type: 'Noted', v: 1, at: number, text: `${number} `.repeat(2_000) },
  postings: [{ from: 'p/SGD/external/T1', to: 'p/SGD/terminal/T1.1', amount: 5 }],
  command: { id: `c${number}` },
});

/** Appends entries, then a row of every table, then more entries, each in its own commit. */
async function fill(store: Store): Promise<void> {
  for (let number = 0; number < 3; number++) {
    await store.append({ stream: 'p/table/B1', after: number, entries: [entry(number)] });
  }
  await store.saveSnapshot('p/table/B1', { sequence: 3, version: 2, state: '{}', hash: 'h' });
  await store.putBlob('key', Uint8Array.of(1, 2, 3));
  await store.putValue('names', 'p1', 'first');
  await store.saveCheckpoint({ number: 1, text: 'reached', signature: 'signed' });
  await store.recordHeartbeats(['floor'], 7);
  for (let number = 3; number < 5; number++) {
    await store.append({ stream: 'p/table/B1', after: number, entries: [entry(number)] });
  }
}

/** Two data folders with the same contents: one as after a kill, one as after a normal end. */
export async function leaveFolders(folder: string): Promise<{ readonly killed: string; readonly ended: string }> {
  const [killed, ended] = [`${folder}-killed`, `${folder}-ended`];
  const store = await openSqliteStore(ended);
  await fill(store);
  cpSync(ended, killed, { recursive: true });
  await store.close();
  return { killed, ended };
}

/** Names and hashes of all files of a folder. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).map(
    (name) =>
      `${name} ${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}`,
  );

/** Numbered folders in one, none of which existed before. */
export function copies(root: string) {
  let count = 0;
  /** Path of a folder that does not exist yet. */
  const fresh = (): string => join(root, String(count++));
  /** Copy of a folder without some of its files. */
  const copied = (from: string, without: readonly string[] = []): string => {
    const folder = fresh();
    cpSync(from, folder, { recursive: true });
    for (const name of without) rmSync(join(folder, name));
    return folder;
  };
  return { fresh, copied };
}
