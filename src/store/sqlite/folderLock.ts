import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { lockPath } from './dataFolder.ts';
import { UnusableStoreError } from '../store.ts';

export class DataFolderInUseError extends Error {}

const sqliteBusy = 5;
const sqliteNotADatabase = 26;

/**
 * Acquires the exclusive lock of a data folder. The operating system releases the lock when the process ends, also by
 * a crash.
 */
export function acquireExclusiveFolderLock(folder: string): DatabaseSync {
  const file = lockPath(folder);
  // An existing file is opened by SQLite alone: if this process closed another handle of the file, it would drop all
  // its POSIX locks on the file.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // Without write permission, SQLite would get only a shared lock.
  accessSync(file, constants.W_OK);
  return acquire(folder, new DatabaseSync(file, { timeout: 0 }), 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
}

/**
 * Acquires the shared lock of readers, which keeps writers out. Does not create the lock file; undefined when it is
 * missing.
 */
export function acquireSharedFolderLock(folder: string): DatabaseSync | undefined {
  const file = lockPath(folder);
  if (!existsSync(file)) return undefined;
  return acquire(folder, new DatabaseSync(file, { readOnly: true, timeout: 0 }), 'BEGIN; SELECT 1 FROM sqlite_schema;');
}

function acquire(folder: string, database: DatabaseSync, sql: string): DatabaseSync {
  try {
    database.exec(sql);
    return database;
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === sqliteBusy) throw dataFolderInUseError(folder);
    if (errcode !== sqliteNotADatabase) throw error;
    throw new UnusableStoreError(
      `The file ${lockPath(folder)} is not a lock file; make sure that no program uses the folder, then delete the file.`,
    );
  }
}

export const dataFolderInUseError = (folder: string): DataFolderInUseError =>
  new DataFolderInUseError(`Another program uses the data folder ${folder}; stop it first, or name another folder.`);
