import { DamagedRecord } from './store.ts';

// SQLite keeps any value in any column: what it gives is looked at before it is believed.

/** What a column holds. */
type Kind = 'text' | 'number' | 'bytes';
export type Kinds<Row> = { readonly [Column in keyof Row]: Kind };

/** The rows that a query finds in a table, if each column holds what was ever written there. */
export function rowsOf<Row extends object>(table: string, kinds: Kinds<Row>, query: () => readonly unknown[]): Row[] {
  const rows = exact(table, query) as { readonly [column: string]: unknown }[];
  for (const row of rows) {
    const wrong = Object.entries<Kind>(kinds).find(([column, kind]) => !isOf(kind, row[column]));
    if (wrong) throw new DamagedRecord(`The table ${table} holds, as ${wrong[0]}, what is no ${wrong[1]}.`);
  }
  return rows as Row[];
}

/** What SQLite says of a schema that it cannot read, of pages that are not what they must be, of a file that is no database. */
const corrupt = new Set([1, 11, 26]);

/** What a query gives; a number that cannot be told exactly was never written. */
export function exact<Found>(table: string, query: () => Found): Found {
  try {
    return query();
  } catch (error) {
    const { code, errcode = 0, message } = error as NodeJS.ErrnoException & { readonly errcode?: number };
    if (corrupt.has(errcode & 0xff)) {
      throw new DamagedRecord(`The table ${table} cannot be read (${JSON.stringify(message)}).`);
    }
    if (code !== 'ERR_OUT_OF_RANGE') throw error;
    throw new DamagedRecord(`The table ${table} holds a number that is too large to be told exactly.`);
  }
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return Number.isSafeInteger(value);
    case 'bytes':
      return value instanceof Uint8Array;
  }
}
