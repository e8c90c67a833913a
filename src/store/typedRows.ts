import { DamagedStoreError } from './store.ts';

// Checks of the column types of stored rows. SQLite accepts any value in any column, so a damaged database can contain
// values of other types.

type ColumnType = 'text' | 'number' | 'bytes';
export type ColumnTypes<Row> = { readonly [Column in keyof Row]: ColumnType };

/** Runs a query and checks the column types of its rows. Throws `DamagedStoreError` if a value has the wrong type. */
export function queryTypedRows<Row extends object>(
  table: string,
  types: ColumnTypes<Row>,
  query: () => readonly unknown[],
): Row[] {
  const rows = queryOrThrowDamaged(table, query) as { readonly [column: string]: unknown }[];
  for (const row of rows) {
    const wrong = Object.entries<ColumnType>(types).find(([column, type]) => !hasType(type, row[column]));
    if (wrong)
      throw new DamagedStoreError(
        `The column ${wrong[0]} of the database table ${table} contains a value that is not of the type ${wrong[1]}.`,
      );
  }
  return rows as Row[];
}

/** SQLite result codes for a damaged database: SQLITE_ERROR (unreadable schema), SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptionCodes = new Set([1, 11, 26]);

/** Runs a query. Throws `DamagedStoreError` when the table is damaged or a number in it is too large to be exact. */
export function queryOrThrowDamaged<Result>(table: string, query: () => Result): Result {
  try {
    return query();
  } catch (error) {
    const { code, errcode = 0, message } = error as NodeJS.ErrnoException & { readonly errcode?: number };
    if (corruptionCodes.has(errcode & 0xff)) {
      throw new DamagedStoreError(`The database table ${table} cannot be read (${JSON.stringify(message)}).`);
    }
    if (code !== 'ERR_OUT_OF_RANGE') throw error;
    throw new DamagedStoreError(`The database table ${table} contains a number that is too large to be exact.`);
  }
}

function hasType(type: ColumnType, value: unknown): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return Number.isSafeInteger(value);
    case 'bytes':
      return value instanceof Uint8Array;
  }
}
