import { type ExportCounts, type ExportChunk, type ExportTableName, insertExportChunks } from '../storeExport.ts';
import { type StoreReader, UnusableStoreError } from '../store.ts';
import { type ConnectionSettings, parseConnectionUrl, redactedUrl } from './connectionUrl.ts';
import { toStoreFailure } from './sqlFailures.ts';
import { connectToPrimary } from './hostSelection.ts';
import { type PgConnection } from './connection.ts';
import { createPostgresReader } from './queries.ts';
import { migrateWithinTransaction } from './migrations.ts';

/** Timeout of each statement and of the commit, in milliseconds: one hour. */
const timeoutMs = 3_600_000;

const rowsPerInsert = 1000;

/**
 * Imports a whole event store into an empty database, in one transaction that also creates the tables. `check` reads
 * the imported store before the commit, and may throw to reject it.
 */
export async function importIntoDatabase(
  url: string,
  chunks: AsyncIterable<ExportChunk>,
  check: (reader: StoreReader) => Promise<void> = async () => {},
): Promise<ExportCounts> {
  const address = parseConnectionUrl(url);
  let connection: PgConnection | undefined;
  try {
    const opened = (connection = await connectToPrimary(address, { timeoutMs: 10_000, check: async () => undefined }));
    const work = async (): Promise<ExportCounts> => {
      const counts = await importInto(opened, address, chunks);
      await check({
        ...createPostgresReader((statement, values) => opened.query(statement, values, timeoutMs)),
        close: async () => {},
      });
      return counts;
    };
    return await opened.transaction('BEGIN', work, timeoutMs);
  } catch (error) {
    throw toStoreFailure(error);
  } finally {
    await connection?.close();
  }
}

async function importInto(
  connection: PgConnection,
  address: ConnectionSettings,
  chunks: AsyncIterable<ExportChunk>,
): Promise<ExportCounts> {
  await migrateWithinTransaction(connection, address);
  // With this lock, another node that opens the store waits for the end of the import.
  await connection.query('LOCK TABLE epochs IN EXCLUSIVE MODE');
  if ((await connection.query('SELECT 1 FROM epochs UNION ALL SELECT 1 FROM entries LIMIT 1')).length > 0) {
    throw new UnusableStoreError(
      `The database ${redactedUrl(address)} already contains an event store; use an empty database.`,
    );
  }
  return insertExportChunks(chunks, async (table, columns, rows) => {
    const { names, values } = constantColumns[table] ?? { names: '', values: '' };
    const lists = columns.map((column, index) => `$${index + 1}::${columnTypes[column] ?? 'text'}[]`).join(', ');
    for (let from = 0; from < rows.length; from += rowsPerInsert) {
      const page = rows.slice(from, from + rowsPerInsert);
      await connection.query(
        `INSERT INTO ${table} (${columns.join(', ')}${names}) SELECT *${values} FROM unnest(${lists})`,
        columns.map((_, index) => page.map((row) => toParameter(row[index]))),
        timeoutMs,
      );
    }
  });
}

const toParameter = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

/** SQL types of the columns that are not text. */
const columnTypes: { readonly [column: string]: string } = {
  sequence: 'bigint',
  epoch: 'bigint',
  amount: 'bigint',
  version: 'bigint',
  guarded: 'integer',
  bytes: 'bytea',
  at: 'bigint',
  number: 'bigint',
};

/** Columns that an export does not contain, with the values that an import gives them. */
const constantColumns: { readonly [table in ExportTableName]?: { readonly names: string; readonly values: string } } = {
  epochs: { names: ', begun, confirmations', values: ', true, 0' },
};
