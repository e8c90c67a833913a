import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { journalOf, logOf, fsyncPath, sharedOf } from './dataFolder.ts';
import { rowsOf } from '../typedRows.ts';
import { DamagedRecord } from '../store.ts';

/** The form of the first record that this program reads; the one before it is left as it is. */
const first = 2;

/** Makes a record of the first form; each further one brings a record of the form before it to the next. Only ever added to. */
const migrations: readonly string[] = [
  // Entries lie in the order in which they were written, whatever their stream, so that a commit touches few pages. The
  // first entry of a command bears its id.
  `CREATE TABLE entries (
     stream TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     hash TEXT NOT NULL,
     body TEXT NOT NULL,
     command TEXT,
     PRIMARY KEY (stream, sequence)
   );
   CREATE UNIQUE INDEX entry_of_command ON entries (command) WHERE command IS NOT NULL;
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
     form INTEGER NOT NULL,
     state TEXT NOT NULL,
     hash TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE sealed (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE beats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE aside (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (kind, id)
   ) WITHOUT ROWID;`,
  `CREATE TABLE checkpoints (number INTEGER PRIMARY KEY, text TEXT NOT NULL, signature TEXT NOT NULL);
   CREATE TABLE epochs (epoch INTEGER PRIMARY KEY, at INTEGER NOT NULL);`,
  // What an entry is found by, so that nobody reads a whole record for the rounds of one session. What is no entry is left
  // to whoever reads it.
  `ALTER TABLE entries ADD COLUMN subject TEXT;
   UPDATE entries
   SET subject = json_extract(body, iif(json_extract(body, '$.event.type') = 'SlipSet', '$.event.terminal', '$.event.round'))
   WHERE typeof(body) = 'text' AND json_valid(body);
   CREATE INDEX entry_of_subject ON entries (subject) WHERE subject IS NOT NULL;`,
];

/** The first form with checkpoints and epochs, and the first in which entries are found by what they are about. */
const signed = 3;
const indexed = 4;

const newest = first + migrations.length - 1;

export class NewerRecord extends Error {}

export class OlderRecord extends Error {}

/** A connection to the record: written ahead, and on the disk when a commit returns. It may be looked at before. */
export function connect(file: string, look?: (database: DatabaseSync) => void): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    look?.(database);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes a new record. It comes into its place as a whole, for its owner's eyes only. */
export function makeRecord(file: string): void {
  const part = `${file}.part`;
  for (const left of [part, logOf(part), sharedOf(part), journalOf(part)]) rmSync(left, { force: true });
  closeSync(openSync(part, 'wx', 0o600));
  const database = connect(part);
  try {
    migrateSqlite(database, newest);
  } finally {
    database.close();
  }
  fsyncPath(part, 'r+');
  renameSync(part, file);
  // Windows has no such thing as a folder that is written out by itself.
  if (process.platform !== 'win32') fsyncPath(dirname(file), 'r');
}

/** Brings a record, step by step, to a form; to the newest unless one is named. */
export function migrateSqlite(database: DatabaseSync, form = newest): void {
  for (let next = Math.max(sqliteSchemaVersion(database) + 1, first); next <= form; next++) {
    database.exec(`BEGIN IMMEDIATE; ${migrations[next - first]!} PRAGMA user_version = ${next}; COMMIT;`);
  }
}

/** How often a record was opened and written to: its epochs count from 1 on, and none is left out. */
export function epochIn(database: DatabaseSync): number {
  const kinds = { count: 'number', least: 'number', most: 'number' } as const;
  const [{ count, least, most } = { count: 0, least: 1, most: 0 }] = rowsOf<{
    count: number;
    least: number;
    most: number;
  }>('epochs', kinds, () =>
    database
      .prepare(
        'SELECT count(*) AS count, coalesce(min(epoch), 1) AS least, coalesce(max(epoch), 0) AS most FROM epochs',
      )
      .all(),
  );
  if (least === 1 && most === count) return count;
  throw new DamagedRecord(`The epochs of the record do not count from 1 on: there are ${count}, up to ${most}.`);
}

/** Whether a record is of a form that has checkpoints and epochs. */
export const hasCheckpoints = (database: DatabaseSync): boolean => sqliteSchemaVersion(database) >= signed;

/** Whether a record is of a form in which entries are found by what they are about. */
export const isIndexed = (database: DatabaseSync): boolean => sqliteSchemaVersion(database) >= indexed;

/** Refuses a record of a form that this program does not read, and leaves it as it is. */
export function refuseOther(form: number): void {
  if (form > newest) {
    throw new NewerRecord(
      `The record is of form ${form} and this program knows forms up to ${newest}; use the newer program.`,
    );
  }
  if (form < first) {
    throw new OlderRecord(
      `The record is of form ${form}, and this program reads forms from ${first} on; name another folder, or use the program that wrote it.`,
    );
  }
}

const magic = 'SQLite format 3\0';
/** Where the head of a database tells how it is written, 1 or 2; with more it could be read and not written. */
const modesAt = [18, 19];
const modes = new Set([1, 2]);
/** Where it tells its form. */
const formAt = 60;

/** The form of a record by the head of its file; what was written ahead may tell another. */
export function formOf(file: string): number {
  const head = Buffer.alloc(100);
  const open = openSync(file, 'r');
  try {
    readSync(open, head);
  } finally {
    closeSync(open);
  }
  const form = head.readUInt32BE(formAt);
  const isRecord = head.toString('latin1', 0, magic.length) === magic && modesAt.every((at) => modes.has(head[at]!));
  if (!isRecord || form === 0) throw new DamagedRecord(`The file ${file} does not begin as a record does.`);
  return form;
}

export const sqliteSchemaVersion = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
