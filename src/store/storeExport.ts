import { type Account, isNonNegativeAccount } from '../ledger/accounts.ts';
import { type EntryRow, parseAndVerifyEntry, subjectOfEvent } from './hashChain.ts';
import { type StoreReader } from './store.ts';

// Export of a whole event store as rows, table by table, for backups. The SQLite and PostgreSQL stores export and
// import these rows. Columns that can be derived from other columns are left out.

export type WholeStoreReader = StoreReader & {
  /** All entries of all streams in append order, in pages. */
  readonly entries: () => AsyncIterable<readonly EntryRow[]>;
  readonly kinds: () => Promise<readonly string[]>;
};

export type ColumnValue = string | number | null | Uint8Array;

/** Columns of each exported table, with their types. */
export const columnsByExportTable = {
  entries: { stream: 'text', sequence: 'number', hash: 'text', body: 'text', command: 'text or none' },
  heads: { stream: 'text', sequence: 'number', hash: 'text', epoch: 'number' },
  balances: { account: 'text', amount: 'number', version: 'number' },
  snapshots: { stream: 'text', sequence: 'number', version: 'number', state: 'text', hash: 'text' },
  blobs: { id: 'text', bytes: 'bytes' },
  heartbeats: { name: 'text', at: 'number' },
  key_values: { kind: 'text', id: 'text', value: 'text' },
  checkpoints: { number: 'number', text: 'text', signature: 'text' },
  epochs: { epoch: 'number' },
} as const;

export type ExportTableName = keyof typeof columnsByExportTable;

export type ExportChunk = { readonly table: ExportTableName; readonly rows: readonly (readonly ColumnValue[])[] };

export async function* exportStore(reader: WholeStoreReader): AsyncGenerator<ExportChunk> {
  for await (const rows of reader.entries()) {
    yield {
      table: 'entries',
      rows: rows.map((row) => {
        // Throws when the entry is damaged, so that no backup contains it.
        parseAndVerifyEntry(row);
        return [row.stream, row.sequence, row.hash, row.body, row.command];
      }),
    };
  }
  const heads = [...(await reader.heads())];
  yield {
    table: 'heads',
    rows: heads.map(([stream, { sequence, hash, epoch }]) => [stream, sequence, hash, epoch]),
  };
  yield {
    table: 'balances',
    rows: Array.from(await reader.balances(), ([account, { amount, version }]) => [account, amount, version]),
  };
  for (const stream of await reader.snapshots()) {
    const { sequence, version, state, hash } = (await reader.snapshot(stream))!;
    yield { table: 'snapshots', rows: [[stream, sequence, version, state, hash]] };
  }
  for (const id of await reader.blobIds()) yield { table: 'blobs', rows: [[id, (await reader.blob(id))!]] };
  yield { table: 'heartbeats', rows: [...(await reader.heartbeats())] };
  for (const kind of await reader.kinds()) {
    yield { table: 'key_values', rows: Array.from(await reader.listValues(kind), ([id, value]) => [kind, id, value]) };
  }
  for await (const checkpoints of reader.checkpoints()) {
    yield { table: 'checkpoints', rows: checkpoints.map(({ number, text, signature }) => [number, text, signature]) };
  }
  // A leader that takes over a stream raises the fencing epoch of that stream before its first write. So a fencing
  // epoch may be higher than the last writer epoch. The export contains all epochs up to the highest of both kinds.
  const lastEpoch = heads.reduce((highest, [, { epoch }]) => Math.max(highest, epoch), await reader.epoch());
  yield { table: 'epochs', rows: Array.from({ length: lastEpoch }, (_, index) => [index + 1]) };
}

export type ExportCounts = { readonly streams: number; readonly entries: number; readonly accounts: number };

export function createExportCounter(): {
  readonly add: (chunk: ExportChunk) => void;
  readonly counts: () => ExportCounts;
} {
  const counts = new Map<ExportTableName, number>();
  const count = (table: ExportTableName): number => counts.get(table) ?? 0;
  return {
    add: ({ table, rows }) => void counts.set(table, count(table) + rows.length),
    counts: () => ({ streams: count('heads'), entries: count('entries'), accounts: count('balances') }),
  };
}

/**
 * Inserts each chunk with its derived columns: `subject` of an entry, `guarded` of a balance, and `at` of an epoch
 * (always 0).
 */
export async function insertExportChunks(
  chunks: AsyncIterable<ExportChunk>,
  insert: (table: ExportTableName, columns: readonly string[], rows: ExportChunk['rows']) => void | Promise<void>,
): Promise<ExportCounts> {
  const { add, counts: counted } = createExportCounter();
  for await (const chunk of chunks) {
    const { table, rows } = chunk;
    add(chunk);
    const derived = derivedColumns[table];
    const columns = [...Object.keys(columnsByExportTable[table]), ...(derived?.columns ?? [])];
    await insert(table, columns, derived ? rows.map((row) => [...row, ...derived.values(row)]) : rows);
  }
  return counted();
}

type DerivedColumns = {
  readonly columns: readonly string[];
  readonly values: (row: readonly ColumnValue[]) => readonly ColumnValue[];
};

const derivedColumns: { readonly [table in ExportTableName]?: DerivedColumns } = {
  entries: {
    columns: ['subject'],
    values: ([stream, sequence, hash, body, command]) => [
      subjectOfEvent(parseAndVerifyEntry({ stream, sequence, hash, body, command } as EntryRow).event),
    ],
  },
  balances: { columns: ['guarded'], values: ([account]) => [isNonNegativeAccount(account as Account) ? 1 : 0] },
  epochs: { columns: ['at'], values: () => [0] },
};
