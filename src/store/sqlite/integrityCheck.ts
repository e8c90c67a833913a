import { DatabaseSync } from 'node:sqlite';
import { sqliteSchemaVersion, migrateSqlite } from './migrations.ts';
import { exact } from '../typedRows.ts';
import { DamagedRecord } from '../store.ts';

/** Refuses a record whose pages do not hang together, or that is not made as a record of its form is. */
export function checkIntegrity(database: DatabaseSync): void {
  const [first] = exact('sqlite_schema', () => database.prepare('PRAGMA integrity_check(1)').all());
  const found = first?.['integrity_check'];
  if (found !== 'ok') throw new DamagedRecord(`The record does not hang together (${JSON.stringify(found)}).`);
  const due = schemaDue(sqliteSchemaVersion(database));
  const kept = schemaIn(database);
  for (const name of new Set([...due.keys(), ...kept.keys()])) {
    if (due.get(name) !== kept.get(name)) throw new DamagedRecord(`The record is not made as it must be: see ${name}.`);
  }
}

function schemaDue(form: number): ReadonlyMap<string, string> {
  const database = new DatabaseSync(':memory:');
  try {
    migrateSqlite(database, form);
    return schemaIn(database);
  } finally {
    database.close();
  }
}

/** Tables, indexes and whatever else there is, each by what it is called, with how it was made. */
const schemaIn = (database: DatabaseSync): ReadonlyMap<string, string> =>
  new Map(
    exact('sqlite_schema', () => database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()).map(
      ({ type, name, tbl_name: table, sql }) => [`the ${String(type)} ${String(name)}`, JSON.stringify([table, sql])],
    ),
  );
