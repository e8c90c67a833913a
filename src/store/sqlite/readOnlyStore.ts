import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { hasDatabase, rollbackJournalPath, walPath, databasePath, shmPath, fileSize } from './dataFolder.ts';
import { DataFolderInUseError, dataFolderInUseError, acquireSharedFolderLock } from './folderLock.ts';
import { checkWalFile } from './walCheck.ts';
import { readSqliteSchemaVersion, readSchemaVersionInFileHeader, checkSqliteSchemaVersion } from './migrations.ts';
import { type WholeStoreReader } from '../storeExport.ts';
import { createSqliteReader, createSqliteWholeStoreReader } from './queries.ts';
import { queryOrThrowDamaged } from '../typedRows.ts';
import { type StoreReader } from '../store.ts';
import { checkSqliteIntegrity } from './integrityCheck.ts';

export type ReadOnlyStore = WholeStoreReader & {
  /** The folder that is read: the data folder, or a temporary copy, which `close` deletes. */
  readonly folder: string;
  /** Number of WAL frames that an unfinished commit left behind; SQLite ignores them. */
  readonly torn: number;
};

/** Waits 2.5 s, longer than the heartbeat interval of a running floor (1 s). */
export const waitLongerThanHeartbeat = (): Promise<void> => setTimeout(2_500);

/**
 * Opens a data folder to read it, without a change to any byte of the folder. A shared lock keeps writers out, if the
 * folder has a lock file. Throws `DataFolderInUseError` when a floor runs on the folder.
 */
export async function openSqliteReadOnly(folder: string, pause = waitLongerThanHeartbeat): Promise<ReadOnlyStore> {
  hasDatabase(folder, true);
  const database = databasePath(folder);
  const lock = acquireSharedFolderLock(folder);
  let copy: string | undefined;
  const release = (): void => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
    lock?.close();
  };
  try {
    if (lock === undefined && existsSync(shmPath(database))) await throwIfHeartbeatsChange(folder, pause);
    const { schemaVersion = readSchemaVersionInFileHeader(database), torn } = checkWalFile(database);
    checkSqliteSchemaVersion(schemaVersion);
    if (!isReadableInPlace(database)) copyDatabase((copy = mkdtempSync(join(tmpdir(), 'punto-copy-'))), database);
    const connection = openConnection(copy ?? folder);
    const reader = checkedReader(connection);
    const close = async (): Promise<void> => {
      await reader.close();
      release();
    };
    return { ...reader, folder: copy ?? folder, torn, close };
  } catch (error) {
    release();
    throw error;
  }
}

function checkedReader(database: DatabaseSync): WholeStoreReader {
  try {
    checkSqliteIntegrity(database);
    return createSqliteWholeStoreReader(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a data folder to read it as of one moment. A running floor may write meanwhile. If no floor runs, a shared
 * lock keeps writers out.
 */
export async function openReaderOfRunningFloor(
  folder: string,
  pause = waitLongerThanHeartbeat,
): Promise<WholeStoreReader> {
  try {
    return await openSqliteReadOnly(folder, pause);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
  }
  const database = new DatabaseSync(databasePath(folder), { readOnly: true, timeout: 10_000 });
  try {
    database.exec('BEGIN');
    checkSqliteSchemaVersion(readSqliteSchemaVersion(database));
  } catch (error) {
    database.close();
    throw error;
  }
  return checkedReader(database);
}

/** Opens a reader of a data folder that the caller has locked. */
export const openReaderOfLockedFolder = (folder: string): StoreReader => createSqliteReader(openConnection(folder));

/**
 * Throws `DataFolderInUseError` when the heartbeats of a folder without a lock file change during `pause`, because then a floor
 * runs on the folder.
 */
export async function throwIfHeartbeatsChange(folder: string, pause: () => Promise<void>): Promise<void> {
  const before = readHeartbeats(folder);
  if (before.length === 0) return;
  await pause();
  if (!isDeepStrictEqual(before, readHeartbeats(folder))) throw dataFolderInUseError(folder);
}

function readHeartbeats(folder: string): readonly unknown[] {
  const database = openConnection(folder);
  try {
    checkSqliteSchemaVersion(readSqliteSchemaVersion(database));
    return queryOrThrowDamaged('heartbeats', () => database.prepare('SELECT name, at FROM heartbeats').all());
  } finally {
    database.close();
  }
}

/** True when SQLite can read the database without a write to the folder. */
function isReadableInPlace(database: string): boolean {
  return !fileSize(rollbackJournalPath(database)) && (hasNoWal(database) || existsSync(shmPath(database)));
}

const hasNoWal = (database: string): boolean => !fileSize(walPath(database));

/**
 * Opens a read-only connection. A database without a WAL is complete and is opened as immutable. For a database with a
 * WAL, the shared memory file is read, but not written.
 */
function openConnection(folder: string): DatabaseSync {
  const database = databasePath(folder);
  const url = pathToFileURL(database);
  if (isReadableInPlace(database)) url.search = hasNoWal(database) ? 'immutable=1' : 'readonly_shm=1';
  return new DatabaseSync(url, { readOnly: true, timeout: 10_000 });
}

/** Copies the database with its WAL or rollback journal, which SQLite applies to the copy. */
function copyDatabase(folder: string, database: string): void {
  for (const file of [database, walPath(database), rollbackJournalPath(database)]) {
    if (!existsSync(file)) continue;
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
  }
  const connection = new DatabaseSync(databasePath(folder));
  try {
    connection.exec('PRAGMA journal_mode = DELETE');
  } finally {
    connection.close();
  }
}
