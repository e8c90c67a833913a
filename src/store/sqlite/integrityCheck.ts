import { DatabaseSync } from 'node:sqlite';
import { readSqliteSchemaVersion, migrateSqlite, sqliteMigrationsUpTo } from './migrations.ts';
import { queryOrThrowDamaged } from '../typedRows.ts';
import { DamagedStoreError } from '../store.ts';

/**
 * Checks the pages of a database, and that its tables and indexes are those of its schema version. Throws
 * `DamagedStoreError`.
 */
export function checkSqliteIntegrity(database: DatabaseSync): void {
  const [first] = queryOrThrowDamaged('sqlite_schema', () => database.prepare('PRAGMA integrity_check(1)').all());
  const result = first?.['integrity_check'];
  if (result !== 'ok')
    throw new DamagedStoreError(`The database file of the event store is damaged (${JSON.stringify(result)}).`);
  const expected = expectedSchema(readSqliteSchemaVersion(database));
  const actual = readSchema(database);
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    if (expected.get(name) !== actual.get(name))
      throw new DamagedStoreError(`The event store does not have the expected schema: check ${name}.`);
  }
}

function expectedSchema(version: number): ReadonlyMap<string, string> {
  const database = new DatabaseSync(':memory:');
  try {
    migrateSqlite(database, sqliteMigrationsUpTo(version));
    return readSchema(database);
  } finally {
    database.close();
  }
}

/** SQL statement of every table and index, by type and name. */
const readSchema = (database: DatabaseSync): ReadonlyMap<string, string> =>
  new Map(
    queryOrThrowDamaged('sqlite_schema', () =>
      database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all(),
    ).map(({ type, name, tbl_name: table, sql }) => [
      `the ${String(type)} ${String(name)}`,
      JSON.stringify([table, sql]),
    ]),
  );
