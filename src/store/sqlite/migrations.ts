import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { rollbackJournalPath, shmPath, walPath } from './dataFolder.ts';
import { fsyncFolderOf, fsyncPath } from '../fsync.ts';
import { checkSchemaVersion } from '../schemaVersion.ts';
import { queryTypedRows } from '../typedRows.ts';
import { DamagedStoreError } from '../store.ts';

/**
 * Oldest schema version that this program reads. For an older database `SchemaTooOldError` is thrown, and the database
 * is left unchanged.
 */
const oldestVersion = 7;

/**
 * Migrations in order: the first migration creates the tables of `oldestVersion`, and each later migration raises the
 * schema version by one. Only append to this list.
 */
export const sqliteMigrations: readonly string[] = [
  // The table `entries` keeps its rowid, so that entries lie in append order across all streams and a commit touches
  // few pages. Column `command`: id of the command, in its first entry only. Column `subject`: see `subjectOfEvent`.
  `CREATE TABLE entries (
     stream TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     hash TEXT NOT NULL,
     body TEXT NOT NULL,
     command TEXT,
     subject TEXT,
     PRIMARY KEY (stream, sequence)
   );
   CREATE UNIQUE INDEX entry_of_command ON entries (command) WHERE command IS NOT NULL;
   CREATE INDEX entry_of_subject ON entries (subject) WHERE subject IS NOT NULL;
   CREATE TABLE balances (
     account TEXT PRIMARY KEY,
     amount INTEGER NOT NULL,
     version INTEGER NOT NULL,
     guarded INTEGER NOT NULL,
     CHECK (guarded = 0 OR amount >= 0)
   ) WITHOUT ROWID;
   CREATE TABLE heads (
     stream TEXT PRIMARY KEY,
     sequence INTEGER NOT NULL,
     hash TEXT NOT NULL,
     epoch INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE snapshots (
     stream TEXT PRIMARY KEY,
     sequence INTEGER NOT NULL,
     version INTEGER NOT NULL,
     state TEXT NOT NULL,
     hash TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE blobs (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE heartbeats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE key_values (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (kind, id)
   ) WITHOUT ROWID;
   CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, text TEXT NOT NULL, signature TEXT NOT NULL);
   CREATE TABLE epochs (epoch INTEGER PRIMARY KEY, at INTEGER NOT NULL);`,
];

const newestVersion = oldestVersion + sqliteMigrations.length - 1;

/**
 * Opens a connection with WAL mode and synchronous = FULL: when COMMIT returns, the commit is on disk. `check` runs
 * before the connection changes anything.
 */
export function connectSqlite(file: string, check?: (database: DatabaseSync) => void): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    check?.(database);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates a database that only its owner may read (mode 0600). Atomic: a temporary file is renamed when it is complete.
 */
export function createSqliteDatabase(file: string): void {
  const temporary = `${file}.part`;
  for (const path of [temporary, walPath(temporary), shmPath(temporary), rollbackJournalPath(temporary)])
    rmSync(path, { force: true });
  closeSync(openSync(temporary, 'wx', 0o600));
  const database = connectSqlite(temporary);
  try {
    migrateSqlite(database);
  } finally {
    database.close();
  }
  fsyncPath(temporary, 'r+');
  renameSync(temporary, file);
  fsyncFolderOf(file);
}

export const sqliteMigrationsUpTo = (version: number): readonly string[] =>
  sqliteMigrations.slice(0, version - oldestVersion + 1);

/** Applies the missing migrations one by one, each in its own transaction. */
export function migrateSqlite(database: DatabaseSync, migrations = sqliteMigrations): void {
  const first = Math.max(readSqliteSchemaVersion(database) + 1, oldestVersion);
  for (const [index, statements] of migrations.slice(first - oldestVersion).entries()) {
    database.exec(`BEGIN IMMEDIATE; ${statements} PRAGMA user_version = ${first + index}; COMMIT;`);
  }
}

/**
 * Last epoch that a writer has begun. Epochs are numbered from 1 without gaps; throws `DamagedStoreError` when there is a
 * gap.
 */
export function readLastSqliteEpoch(database: DatabaseSync): number {
  const types = { count: 'number', lowest: 'number', highest: 'number' } as const;
  const [{ count, lowest, highest } = { count: 0, lowest: 1, highest: 0 }] = queryTypedRows<{
    count: number;
    lowest: number;
    highest: number;
  }>('epochs', types, () =>
    database
      .prepare(
        'SELECT count(*) AS count, coalesce(min(epoch), 1) AS lowest, coalesce(max(epoch), 0) AS highest FROM epochs',
      )
      .all(),
  );
  if (lowest === 1 && highest === count) return count;
  throw new DamagedStoreError(
    `The epochs of the event store are not numbered from 1 without gaps: there are ${count}, up to ${highest}.`,
  );
}

export function checkSqliteSchemaVersion(version: number): void {
  checkSchemaVersion('event store', version, { oldest: oldestVersion, newest: newestVersion });
}

const magic = 'SQLite format 3\0';
/**
 * Offsets in the file header of the write version and the read version. Both versions are 1 for a rollback journal and
 * 2 for a WAL. SQLite cannot write a file with a higher write version, and cannot read a file with a higher read
 * version.
 */
const modeOffsets = [18, 19];
const supportedModes = new Set([1, 2]);
const userVersionOffset = 60;

/**
 * Schema version in the header of the database file. If a migration is still in the WAL, the version in the WAL is
 * higher.
 */
export function readSchemaVersionInFileHeader(file: string): number {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header);
  } finally {
    closeSync(handle);
  }
  const version = header.readUInt32BE(userVersionOffset);
  const isDatabase =
    header.toString('latin1', 0, magic.length) === magic &&
    modeOffsets.every((offset) => supportedModes.has(header[offset]!));
  if (!isDatabase || version === 0) throw new DamagedStoreError(`The file ${file} is not an event store.`);
  return version;
}

export const readSqliteSchemaVersion = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
