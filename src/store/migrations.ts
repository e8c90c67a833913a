import { DatabaseSync } from 'node:sqlite';

/** Each brings a record from the version of its place to the next. Only ever added to. */
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
   CREATE TABLE heads (stream TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE snapshots (
     stream TEXT PRIMARY KEY,
     sequence INTEGER NOT NULL,
     state TEXT NOT NULL,
     hash TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE sealed (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE beats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;`,
];

export class NewerRecord extends Error {}

/** A connection to the record, brought up to date: written ahead, and on the disk when a commit returns. */
export function openRecord(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    // Looked at before anything else: a record that a newer program has written is left as it is.
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > migrations.length) {
      throw new NewerRecord(
        `The record is of version ${version} and this program knows versions up to ${migrations.length}; use the newer program.`,
      );
    }
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    for (let next = version; next < migrations.length; next++) {
      database.exec(`BEGIN IMMEDIATE; ${migrations[next]!} PRAGMA user_version = ${next + 1}; COMMIT;`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
