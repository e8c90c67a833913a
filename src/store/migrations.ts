import { type DatabaseSync } from 'node:sqlite';

/** Each brings a record from the version of its place to the next. Only ever added to. */
const migrations: readonly string[] = [
  `CREATE TABLE entries (
     stream TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     hash TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (stream, sequence)
   ) WITHOUT ROWID;
   CREATE TABLE commands (
     id TEXT PRIMARY KEY,
     stream TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     hash TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE balances (
     account TEXT PRIMARY KEY,
     amount INTEGER NOT NULL,
     version INTEGER NOT NULL,
     guarded INTEGER NOT NULL,
     CHECK (guarded = 0 OR amount >= 0)
   ) WITHOUT ROWID;
   CREATE TABLE snapshots (stream TEXT PRIMARY KEY, sequence INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE sealed (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE beats (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);`,
];

export class NewerRecord extends Error {}

/** Brings a record up to date, step by step. One that a newer program has written is left as it is. */
export function migrate(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length) {
    throw new NewerRecord(
      `The record is of version ${version} and this program knows versions up to ${migrations.length}; use the newer program.`,
    );
  }
  for (let next = version; next < migrations.length; next++) {
    database.exec(`BEGIN IMMEDIATE; ${migrations[next]!} PRAGMA user_version = ${next + 1}; COMMIT;`);
  }
}
