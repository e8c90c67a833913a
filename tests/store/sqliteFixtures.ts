import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type NewEntry, type Store } from '../../src/store/store.ts';

/** Nobody is waited for. */
export const withoutPause = { pause: async () => {} };

/** An entry with some text, so that commits are several pages. */
const entry = (number: number): NewEntry => ({
  event: { type: 'Noted', v: 1, at: number, text: `${number} `.repeat(2_000) },
  postings: [{ from: 'p/SGD/external/T1', to: 'p/SGD/terminal/T1.1', amount: 5 }],
  command: { id: `c${number}` },
});

/** Entries, something of every table, and more entries, each in a commit of its own. */
async function fill(store: Store): Promise<void> {
  for (let number = 0; number < 3; number++) {
    await store.append({ stream: 'p/table/B1', after: number, entries: [entry(number)] });
  }
  await store.saveSnapshot('p/table/B1', { sequence: 3, version: 2, state: '{}', hash: 'h' });
  await store.putBlob('key', Uint8Array.of(1, 2, 3));
  await store.putValue('names', 'p1', 'first');
  await store.checkpoint({ number: 1, text: 'reached', signature: 'signed' });
  await store.recordHeartbeats(['floor'], 7);
  for (let number = 3; number < 5; number++) {
    await store.append({ stream: 'p/table/B1', after: number, entries: [entry(number)] });
  }
}

/** A record with something in it, as one leaves it who is killed, and the same as one leaves it who ends well. */
export async function leaveFolders(folder: string): Promise<{ readonly killed: string; readonly ended: string }> {
  const [killed, ended] = [`${folder}-killed`, `${folder}-ended`];
  const store = await sqliteStore(ended);
  await fill(store);
  cpSync(ended, killed, { recursive: true });
  await store.close();
  return { killed, ended };
}

/** All files of a folder with what is in them. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).map(
    (name) =>
      `${name} ${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}`,
  );

/** Numbered folders in one, none of which was there before. */
export function copies(root: string) {
  let count = 0;
  /** A folder that is not there yet. */
  const fresh = (): string => join(root, String(count++));
  /** A folder like another one but for some files, to be changed. */
  const copied = (from: string, without: readonly string[] = []): string => {
    const folder = fresh();
    cpSync(from, folder, { recursive: true });
    for (const name of without) rmSync(join(folder, name));
    return folder;
  };
  return { fresh, copied };
}
