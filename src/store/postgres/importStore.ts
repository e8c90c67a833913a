import { type ExportCounts, type ExportChunk, type TableName, importChunks } from '../storeExport.ts';
import { type StoreReader, UnusableData } from '../store.ts';
import { type Address, parseConnectionUrl, redactedUrl } from './connectionUrl.ts';
import { toFailure } from './retryWrite.ts';
import { connectToPrimary } from './hostSelection.ts';
import { type PgConnection } from './connection.ts';
import { postgresQueries } from './queries.ts';
import { makeWithin } from './migrations.ts';

/** So long a step of it may take, and the commit of all of it, in milliseconds. */
const longest = 3_600_000;

/** So many rows go at once. */
const atOnce = 1000;

/**
 * Fills an empty database with a whole record: all of it, or nothing, not even tables. What is there is shown before it
 * counts; whoever finds fault with it throws.
 */
export async function fillDatabase(
  text: string,
  parts: AsyncIterable<ExportChunk>,
  check: (record: StoreReader) => Promise<void> = async () => {},
): Promise<ExportCounts> {
  const address = parseConnectionUrl(text);
  let link: PgConnection | undefined;
  try {
    const own = (link = await connectToPrimary(address, { patience: 10_000, check: async () => undefined }));
    const work = async (): Promise<ExportCounts> => {
      const counted = await fill(own, address, parts);
      await check({
        ...postgresQueries((statement, values) => own.ask(statement, values, longest)),
        close: async () => {},
      });
      return counted;
    };
    return await own.together('BEGIN', work, longest);
  } catch (error) {
    throw toFailure(error);
  } finally {
    await link?.close();
  }
}

async function fill(link: PgConnection, address: Address, parts: AsyncIterable<ExportChunk>): Promise<ExportCounts> {
  await makeWithin(link, address);
  // Whoever opens it meanwhile waits until it is there.
  await link.ask('LOCK TABLE epochs IN EXCLUSIVE MODE');
  if ((await link.ask('SELECT 1 FROM epochs UNION ALL SELECT 1 FROM entries LIMIT 1')).length > 0) {
    throw new UnusableData(`The database ${redactedUrl(address)} holds a record already; name an empty one.`);
  }
  return importChunks(parts, async (table, columns, rows) => {
    const { names, values } = given[table] ?? { names: '', values: '' };
    const lists = columns.map((column, place) => `$${place + 1}::${types[column] ?? 'text'}[]`).join(', ');
    for (let at = 0; at < rows.length; at += atOnce) {
      const part = rows.slice(at, at + atOnce);
      await link.ask(
        `INSERT INTO ${table} (${columns.join(', ')}${names}) SELECT *${values} FROM unnest(${lists})`,
        columns.map((_, place) => part.map((row) => told(row[place]))),
        longest,
      );
    }
  });
}

const told = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

/** What a column holds, where that is no text. */
const types: { readonly [column: string]: string } = {
  sequence: 'bigint',
  epoch: 'bigint',
  amount: 'bigint',
  version: 'bigint',
  guarded: 'integer',
  form: 'bigint',
  bytes: 'bytea',
  at: 'bigint',
  number: 'bigint',
};

/** What every row of a table has in a database besides. */
const given: { readonly [table in TableName]?: { readonly names: string; readonly values: string } } = {
  epochs: { names: ', begun, seen', values: ', true, 0' },
};
