import { quoteForMessage } from '../../base/refusal.ts';
import { SchemaTooOldError, checkSchemaVersion } from '../schemaVersion.ts';
import { DamagedStoreError, MissingStoreError, UnusableStoreError } from '../store.ts';
import { type ConnectionSettings, redactedUrl } from './connectionUrl.ts';
import { SqlError, type PgConnection } from './connection.ts';

/**
 * Migrations in order: the first migration creates the tables of `oldestVersion`, and each later migration raises the
 * schema version by one. Only append to this list. Names use COLLATE "C", so that their order does not depend on the
 * locale of the database.
 */
export const postgresMigrations: readonly string[] = [
  // Column `append_order`: order of entries across all streams. Table `epochs`: one row per writer, whose first write sets
  // `begun`.
  `CREATE TABLE entries (
     stream text COLLATE "C" NOT NULL,
     sequence bigint NOT NULL,
     hash text NOT NULL,
     body text NOT NULL,
     command text COLLATE "C",
     subject text COLLATE "C",
     append_order bigint GENERATED ALWAYS AS IDENTITY,
     PRIMARY KEY (stream, sequence)
   );
   CREATE UNIQUE INDEX entry_of_command ON entries (command) WHERE command IS NOT NULL;
   CREATE INDEX entry_of_subject ON entries (subject, append_order) WHERE subject IS NOT NULL;
   CREATE TABLE balances (
     account text COLLATE "C" PRIMARY KEY,
     amount bigint NOT NULL,
     version bigint NOT NULL,
     guarded integer NOT NULL,
     CHECK (guarded = 0 OR amount >= 0)
   );
   CREATE TABLE heads (
     stream text COLLATE "C" PRIMARY KEY,
     sequence bigint NOT NULL,
     hash text NOT NULL,
     epoch bigint NOT NULL
   );
   CREATE TABLE snapshots (
     stream text COLLATE "C" PRIMARY KEY,
     sequence bigint NOT NULL,
     version bigint NOT NULL,
     state text NOT NULL,
     hash text NOT NULL
   );
   CREATE TABLE blobs (id text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
   CREATE TABLE heartbeats (name text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
   CREATE TABLE key_values (
     kind text COLLATE "C" NOT NULL,
     id text COLLATE "C" NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (kind, id)
   );
   CREATE TABLE checkpoints (number bigint PRIMARY KEY, text text NOT NULL, signature text NOT NULL);
   CREATE TABLE epochs (epoch bigint PRIMARY KEY, at bigint NOT NULL, begun boolean NOT NULL, confirmations bigint NOT NULL);
   CREATE TABLE nodes (
     node text COLLATE "C" PRIMARY KEY,
     browser_url text NOT NULL,
     node_url text NOT NULL,
     joined_at timestamptz NOT NULL,
     last_seen_at timestamptz NOT NULL,
     may_lead boolean NOT NULL,
     stage text NOT NULL
   );
   CREATE TABLE leases (
     name text COLLATE "C" PRIMARY KEY,
     node text COLLATE "C" NOT NULL,
     since timestamptz NOT NULL,
     until timestamptz NOT NULL,
     epoch bigint NOT NULL DEFAULT 0
   );`,
];

/** Schema version that the first migration creates. */
const oldestVersion = 7;
const newestVersion = oldestVersion + postgresMigrations.length - 1;

/** Name of the table of applied migrations: one row per schema version. */
const versionsTable = 'punto_schema';
/** Name of the table of applied migrations up to schema 4. */
const formerVersionsTable = 'punto_forms';

/** Lists the names of all tables in the database schema, also of those that the user may not read. */
const listTables = `SELECT relname::text AS name FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p') ORDER BY relname`;

/**
 * Reads the schema version, 0 for an empty database. Throws when the database contains tables of another program, or a
 * version that this program does not read.
 */
export async function readPostgresSchemaVersion(
  connection: PgConnection,
  address: ConnectionSettings,
): Promise<number> {
  const names = (await connection.query(listTables)).map(({ name }) => String(name));
  const [first] = names;
  if (first === undefined) return 0;
  const older = new SchemaTooOldError(
    `The event store in ${redactedUrl(address)} is older than schema ${oldestVersion}; name another database, or use the program that wrote it.`,
  );
  if (names.includes(formerVersionsTable)) throw older;
  if (!names.includes(versionsTable)) {
    throw new UnusableStoreError(
      `The database ${redactedUrl(address)} contains tables of another program, such as ${quoteForMessage(first)}; use an empty database.`,
    );
  }
  const [row] = await connection.query(
    `SELECT coalesce(max(version), 0) AS version, count(*) AS count FROM ${versionsTable}`,
  );
  const { version, count } = row as { version: number; count: number };
  checkSchemaVersion('event store', version, { newest: newestVersion });
  if (version > 0 && version < oldestVersion) throw older;
  if (count !== version - oldestVersion + 1) {
    throw new DamagedStoreError(
      `The schema versions in the database are not numbered without gaps from ${oldestVersion} on.`,
    );
  }
  return version;
}

/**
 * SQLSTATE codes of errors that a node gets when another node creates the tables at the same time: unique violation,
 * duplicate table, duplicate object, deadlock.
 */
const concurrentCreation: ReadonlySet<string> = new Set(['23505', '42P07', '42710', '40P01']);

/** Creates or migrates the store. Several nodes may do so at once. */
export async function migratePostgres(
  connection: PgConnection,
  address: ConnectionSettings,
  mustExist: boolean,
  timeoutMs: number,
): Promise<void> {
  for (;;) {
    const version = await readPostgresSchemaVersion(connection, address);
    if (version === newestVersion) return;
    if (version === 0 && mustExist) {
      throw new MissingStoreError(`There is no event store in the database ${redactedUrl(address)}.`);
    }
    try {
      await connection.transaction('BEGIN', () => migrate(connection, version), timeoutMs);
    } catch (error) {
      if (!(error instanceof SqlError) || !concurrentCreation.has(error.state)) throw error;
    }
  }
}

export const migrateWithinTransaction = async (
  connection: PgConnection,
  address: ConnectionSettings,
  migrations = postgresMigrations,
): Promise<void> => migrate(connection, await readPostgresSchemaVersion(connection, address), migrations);

async function migrate(connection: PgConnection, version: number, migrations = postgresMigrations): Promise<void> {
  if (version === 0)
    await connection.query(`CREATE TABLE ${versionsTable} (version integer PRIMARY KEY, at timestamptz NOT NULL)`);
  const first = Math.max(version + 1, oldestVersion);
  for (const [index, statements] of migrations.slice(first - oldestVersion).entries()) {
    // Another node that migrates at the same time waits here, then fails with a unique violation.
    await connection.query(`INSERT INTO ${versionsTable} (version, at) VALUES (${first + index}, now())`);
    await connection.query(statements);
  }
}
