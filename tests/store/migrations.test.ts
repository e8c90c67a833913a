import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { connectToPrimary } from '../../src/store/postgres/hostSelection.ts';
import { parseConnectionUrl } from '../../src/store/postgres/connectionUrl.ts';
import { migrateWithinTransaction, postgresMigrations } from '../../src/store/postgres/migrations.ts';
import { migrateSqlite, sqliteMigrations, readSqliteSchemaVersion } from '../../src/store/sqlite/migrations.ts';
import { temporaryFolder } from '../temporary.ts';
import { databases, server } from './postgres/databases.ts';

// The example of a later schema: a column is added, and what was stored before stays.

const addColumn = "ALTER TABLE heartbeats ADD COLUMN node TEXT NOT NULL DEFAULT '';";
const addColumnAndFail = `${addColumn} INSERT INTO missing_table VALUES (1);`;

const folder = temporaryFolder('migrations');
let database: DatabaseSync | undefined;
afterAll(() => database?.close());

test('a SQLite store is migrated by the steps that it lacks, and a step that fails changes nothing', () => {
  const file = join(folder, 'store.sqlite');
  database = new DatabaseSync(file);
  migrateSqlite(database);
  const version = readSqliteSchemaVersion(database);
  database.exec("INSERT INTO heartbeats VALUES ('floor', 7)");

  expect(() => migrateSqlite(database!, [...sqliteMigrations, addColumnAndFail])).toThrow('missing_table');
  database.close();
  database = new DatabaseSync(file);
  expect(readSqliteSchemaVersion(database)).toBe(version);
  expect(database.prepare('SELECT * FROM heartbeats').all()).toEqual([{ name: 'floor', at: 7 }]);

  for (let run = 0; run < 2; run++) migrateSqlite(database, [...sqliteMigrations, addColumn]);
  expect(readSqliteSchemaVersion(database)).toBe(version + 1);
  expect(database.prepare('SELECT * FROM heartbeats').all()).toEqual([{ name: 'floor', at: 7, node: '' }]);
});

const { createDatabase } = databases('migrations');

test('a PostgreSQL store is migrated by the steps that it lacks, and a step that fails changes nothing', async () => {
  const address = parseConnectionUrl(`${server}/${await createDatabase()}`);
  const timeoutMs = 10_000;
  const connection = await connectToPrimary(address, { timeoutMs, check: async () => undefined });
  const migrate = (migrations?: readonly string[]) =>
    connection.transaction('BEGIN', () => migrateWithinTransaction(connection, address, migrations), timeoutMs);
  const versions = async () =>
    (await connection.query('SELECT version FROM punto_schema ORDER BY version')).map(({ version }) => Number(version));
  await migrate();
  const before = await versions();
  await connection.query("INSERT INTO heartbeats VALUES ('floor', 7)");

  await expect(migrate([...postgresMigrations, addColumnAndFail])).rejects.toThrow('missing_table');
  expect(await versions()).toEqual(before);

  await migrate([...postgresMigrations, addColumn]);
  expect(await versions()).toEqual([...before, before.at(-1)! + 1]);
  expect(await connection.query('SELECT * FROM heartbeats')).toEqual([{ name: 'floor', at: 7, node: '' }]);
  await connection.close();
});
