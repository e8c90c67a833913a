import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { DataFolderInUseError } from '../../../src/store/sqlite/folderLock.ts';
import { openSqliteReadOnly } from '../../../src/store/sqlite/readOnlyStore.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { DamagedStoreError, MissingStoreError, type StoreReader } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../temporary.ts';
import { withoutPause, copies, filesIn, leaveFolders } from './sqliteFixtures.ts';

const root = temporaryFolder('looking');

let killed: string;
let ended: string;
beforeAll(async () => {
  ({ killed, ended } = await leaveFolders(join(root, 'made')));
});

const { copied } = copies(root);

/** Contents of a store. */
async function contentsOf(reader: StoreReader): Promise<unknown> {
  const contents: unknown[] = [
    await reader.heads(),
    await reader.balances(),
    await reader.heartbeats(),
    await reader.blobIds(),
  ];
  for (const stream of await reader.streams()) for await (const chunk of reader.read(stream)) contents.push(...chunk);
  for await (const chunk of reader.checkpoints()) contents.push(...chunk);
  return [...contents, await reader.listValues('names'), await reader.snapshot('p/table/B1')];
}

test.each([
  ['was closed', () => copied(ended), true],
  ['was killed', () => copied(killed), true],
  ['was killed, and has lost its shared memory file', () => copied(killed, ['record.sqlite-shm']), false],
  ['has no lock', () => copied(ended, ['lock.sqlite']), true],
] as const)('a store that %s is read without changing a byte', async (_, folderOf, isRead) => {
  const folder = folderOf();
  const before = filesIn(folder);
  const reader = await openSqliteReadOnly(folder, withoutPause.pause);
  expect(reader.folder === folder).toBe(isRead);
  const [contents, epoch] = [await contentsOf(reader), await reader.epoch()];
  await reader.close();
  expect(filesIn(folder)).toEqual(before);
  expect(existsSync(reader.folder)).toBe(isRead);
  const store = await openSqliteStore(folder, withoutPause);
  expect(await contentsOf(store)).toEqual(contents);
  expect(epoch).toBe(store.writerEpoch - 1);
  await store.close();
});

test('readers share the folder lock, and a writer excludes readers and other writers', async () => {
  const folder = copied(ended);
  const [one, other] = [await openSqliteReadOnly(folder), await openSqliteReadOnly(folder)];
  await expect(openSqliteStore(folder)).rejects.toThrow(DataFolderInUseError);
  await one.close();
  await expect(openSqliteStore(folder)).rejects.toThrow(DataFolderInUseError);
  await other.close();
  const store = await openSqliteStore(folder);
  await expect(openSqliteReadOnly(folder)).rejects.toThrow(DataFolderInUseError);
  rmSync(join(folder, 'lock.sqlite'));
  await expect(openSqliteReadOnly(folder, () => store.recordHeartbeats(['floor'], 8))).rejects.toThrow(
    DataFolderInUseError,
  );
  await store.close();
});

test('a read-only open refuses what a writing open refuses', async () => {
  await expect(openSqliteReadOnly(copied(ended, ['record.sqlite']))).rejects.toThrow(MissingStoreError);
  await expect(openSqliteReadOnly(copied(killed, ['record.sqlite']))).rejects.toThrow(
    /record\.sqlite-wal is left over from an event store/,
  );
  const folder = copied(ended);
  cpSync(join(killed, 'lock.sqlite'), join(folder, 'record.sqlite'));
  await expect(openSqliteReadOnly(folder)).rejects.toThrow(MissingStoreError);
  cpSync(new URL(import.meta.url), join(folder, 'record.sqlite'));
  await expect(openSqliteReadOnly(folder)).rejects.toThrow(DamagedStoreError);
});
