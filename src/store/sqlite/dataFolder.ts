import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MissingStoreError } from '../store.ts';

export const databasePath = (folder: string): string => join(folder, 'record.sqlite');

/** Path of the write-ahead log (WAL), which contains the commits that are not in the database file yet. */
export const walPath = (database: string): string => `${database}-wal`;

/** Path of the shared memory of the open connections. The file contains nothing durable. */
export const shmPath = (database: string): string => `${database}-shm`;

/** Path of the rollback journal, which SQLite uses while the database is not in WAL mode. */
export const rollbackJournalPath = (database: string): string => `${database}-journal`;

export const lockPath = (folder: string): string => join(folder, 'lock.sqlite');

/** Size of a file in bytes; undefined when there is no such file. */
export const fileSize = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/**
 * True when the folder has a database. Without a database, throws `MissingStoreError` if `mustExist` is set. Also
 * throws it if a left-over file shows that the folder had a database before.
 */
export function hasDatabase(folder: string, mustExist: boolean): boolean {
  const file = databasePath(folder);
  const size = fileSize(file);
  if (size !== undefined && size > 0) return true;
  const problem = size === 0 ? `The event store ${file} is empty` : `There is no event store in ${folder}`;
  const leftover = [walPath(file), shmPath(file), rollbackJournalPath(file)].find(
    (path) => fileSize(path) !== undefined,
  );
  if (leftover !== undefined)
    throw new MissingStoreError(`${problem}, but ${leftover} is left over from an event store.`);
  // A new database file gets its name only when it is complete, so an empty file has lost its contents.
  if (mustExist || size === 0) throw new MissingStoreError(`${problem}.`);
  return false;
}
