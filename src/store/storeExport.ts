import { type Account, isGuarded } from '../ledger/accounts.ts';
import { type EntryRow, entryFrom, subjectOf } from './hashChain.ts';
import { type StoreReader } from './store.ts';

// A whole record as rows, table by table: what every store can give and be filled with. What a store can work out by itself
// is not in it.

/** What is needed of a record to give all of it. */
export type FullReader = StoreReader & {
  /** All entries in the order in which they were written, whatever their stream, some at a time. */
  readonly entries: () => AsyncIterable<readonly EntryRow[]>;
  /** All kinds of what is kept beside the chain. */
  readonly kinds: () => Promise<readonly string[]>;
};

export type Value = string | number | null | Uint8Array;

/** What each column of a table holds; only a command may be none. */
export const tables = {
  entries: { stream: 'text', sequence: 'number', hash: 'text', body: 'text', command: 'text or none' },
  heads: { stream: 'text', sequence: 'number', hash: 'text', epoch: 'number' },
  balances: { account: 'text', amount: 'number', version: 'number' },
  snapshots: { stream: 'text', sequence: 'number', form: 'number', state: 'text', hash: 'text' },
  sealed: { id: 'text', bytes: 'bytes' },
  beats: { name: 'text', at: 'number' },
  aside: { kind: 'text', id: 'text', value: 'text' },
  checkpoints: { number: 'number', text: 'text', signature: 'text' },
  epochs: { epoch: 'number' },
} as const;

export type TableName = keyof typeof tables;

/** Some rows of a table, by its columns. */
export type ExportChunk = { readonly table: TableName; readonly rows: readonly (readonly Value[])[] };

/** A whole record, part by part. */
export async function* exportChunks(from: FullReader): AsyncGenerator<ExportChunk> {
  for await (const rows of from.entries()) {
    yield {
      table: 'entries',
      rows: rows.map((row) => {
        // One that is not as it was written goes nowhere.
        entryFrom(row);
        return [row.stream, row.sequence, row.hash, row.body, row.command];
      }),
    };
  }
  const heads = [...(await from.heads())];
  yield {
    table: 'heads',
    rows: heads.map(([stream, { sequence, hash, epoch }]) => [stream, sequence, hash, epoch]),
  };
  yield {
    table: 'balances',
    rows: Array.from(await from.balances(), ([account, { amount, version }]) => [account, amount, version]),
  };
  for (const stream of await from.snapshots()) {
    const { sequence, form, state, hash } = (await from.snapshot(stream))!;
    yield { table: 'snapshots', rows: [[stream, sequence, form, state, hash]] };
  }
  for (const id of await from.blobIds()) yield { table: 'sealed', rows: [[id, (await from.blob(id))!]] };
  yield { table: 'beats', rows: [...(await from.heartbeats())] };
  for (const kind of await from.kinds()) {
    yield { table: 'aside', rows: Array.from(await from.listValues(kind), ([id, value]) => [kind, id, value]) };
  }
  for await (const some of from.checkpoints()) {
    yield { table: 'checkpoints', rows: some.map(({ number, text, signature }) => [number, text, signature]) };
  }
  // Whoever took over a stream and wrote nothing has begun no epoch, and ended the earlier ones of that stream all the same.
  const epochs = heads.reduce((most, [, { epoch }]) => Math.max(most, epoch), await from.epoch());
  yield { table: 'epochs', rows: Array.from({ length: epochs }, (_, place) => [place + 1]) };
}

/** How much went from one place to another. */
export type Counted = { readonly streams: number; readonly entries: number; readonly accounts: number };

/** Counts the parts that go by. */
export function counter(): { readonly add: (part: ExportChunk) => void; readonly counted: () => Counted } {
  const counts = new Map<TableName, number>();
  const count = (table: TableName): number => counts.get(table) ?? 0;
  return {
    add: ({ table, rows }) => void counts.set(table, count(table) + rows.length),
    counted: () => ({ streams: count('heads'), entries: count('entries'), accounts: count('balances') }),
  };
}

/** Gives each part with what a store works out by itself: by what an entry is found, and whether an account is guarded. */
export async function filled(
  parts: AsyncIterable<ExportChunk>,
  put: (table: TableName, columns: readonly string[], rows: ExportChunk['rows']) => void | Promise<void>,
): Promise<Counted> {
  const { add, counted } = counter();
  for await (const part of parts) {
    const { table, rows } = part;
    add(part);
    const more = added[table];
    const columns = [...Object.keys(tables[table]), ...(more?.columns ?? [])];
    await put(table, columns, more ? rows.map((row) => [...row, ...more.of(row)]) : rows);
  }
  return counted();
}

type Added = { readonly columns: readonly string[]; readonly of: (row: readonly Value[]) => readonly Value[] };

const added: { readonly [table in TableName]?: Added } = {
  entries: {
    columns: ['subject'],
    of: ([stream, sequence, hash, body, command]) => [
      subjectOf(entryFrom({ stream, sequence, hash, body, command } as EntryRow).event),
    ],
  },
  balances: { columns: ['guarded'], of: ([account]) => [isGuarded(account as Account) ? 1 : 0] },
  epochs: { columns: ['at'], of: () => [0] },
};
