import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type Account, isNonNegativeAccount } from '../../ledger/accounts.ts';
import { type EntryRow, genesisHash, parseAndVerifyEntry, parseAndVerifyNextEntry } from '../hashChain.ts';
import { emptyBalance } from '../planAppend.ts';
import { readLastSqliteEpoch } from './migrations.ts';
import { type WholeStoreReader } from '../storeExport.ts';
import { wrongBalanceGuardError } from '../failures.ts';
import { type ColumnTypes, queryOrThrowDamaged, queryTypedRows } from '../typedRows.ts';
import {
  type Balance,
  type StoredCheckpoint,
  DamagedEntryError,
  DamagedStoreError,
  type StreamHead,
  type CommandPosition,
  type StoreReader,
  type Snapshot,
  type HeadsAndBalancesChunk,
  type Store,
  defaultSubjectQueryLimit,
} from '../store.ts';

type RowQuery<Row> = (...values: (string | number)[]) => Row[];

function prepareRows<Row extends object>(
  database: DatabaseSync,
  table: string,
  types: ColumnTypes<Row>,
  where: string,
): RowQuery<Row> {
  const statement = database.prepare(`SELECT ${Object.keys(types).join(', ')} FROM ${table} ${where}`);
  return (...values) => queryTypedRows(table, types, () => statement.all(...values));
}

type HeadRow = { readonly stream: string } & StreamHead;
const headTypes: ColumnTypes<HeadRow> = { stream: 'text', sequence: 'number', hash: 'text', epoch: 'number' };
const toHead = ({ stream, ...head }: HeadRow): readonly [string, StreamHead] => [stream, head];

type BalanceRow = { readonly account: Account; readonly guarded: number } & Balance;
const balanceTypes: ColumnTypes<BalanceRow> = {
  account: 'text',
  guarded: 'number',
  amount: 'number',
  version: 'number',
};

function toBalance({ account, guarded, ...balance }: BalanceRow): readonly [Account, Balance] {
  const expected = isNonNegativeAccount(account) ? 1 : 0;
  if (guarded !== expected) throw wrongBalanceGuardError(account, guarded, expected);
  return [account, balance];
}

export function createSqliteReader(database: DatabaseSync): StoreReader {
  const selectEntries = database.prepare(
    `SELECT stream, sequence, hash, body, command, subject FROM entries WHERE stream = ? AND sequence >= ? ORDER BY sequence LIMIT ?`,
  );
  const selectCommands = database.prepare(
    'SELECT command AS id, stream, sequence FROM entries WHERE command IN (SELECT value FROM json_each(?))',
  );
  // Loose index scan: jumps from stream to stream instead of reading all entries.
  const selectStreams = database.prepare(
    `WITH RECURSIVE found (stream) AS (
       SELECT min(stream) FROM entries
       UNION ALL
       SELECT (SELECT min(stream) FROM entries WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL
     )
     SELECT stream FROM found WHERE stream IS NOT NULL`,
  );
  const rows = <Row extends object>(table: string, types: ColumnTypes<Row>, where = ''): RowQuery<Row> =>
    prepareRows(database, table, types, where);
  const selectHeads = rows('heads', headTypes);
  const selectBalance = rows<Balance>('balances', { amount: 'number', version: 'number' }, 'WHERE account = ?');
  const selectBalances = rows('balances', balanceTypes);
  const selectSnapshot = rows<Snapshot>(
    'snapshots',
    { sequence: 'number', version: 'number', state: 'text', hash: 'text' },
    'WHERE stream = ?',
  );
  const selectSnapshots = rows<{ stream: string }>('snapshots', { stream: 'text' });
  const selectBlob = rows<{ bytes: Uint8Array }>('blobs', { bytes: 'bytes' }, 'WHERE id = ?');
  const selectBlobIds = rows<{ id: string }>('blobs', { id: 'text' });
  const selectHeartbeats = rows<{ name: string; at: number }>('heartbeats', { name: 'text', at: 'number' });
  const checkpointQueries = checkpointQueriesIn(database);
  const valueTypes = { id: 'text', value: 'text' } as const;
  const selectValues = rows<{ id: string; value: string }>('key_values', valueTypes, 'WHERE kind = ?');
  const selectValuesById = rows<{ id: string; value: string }>(
    'key_values',
    valueTypes,
    'WHERE kind = ? AND id IN (SELECT value FROM json_each(?))',
  );

  const selectHash = database.prepare('SELECT hash FROM entries WHERE stream = ? AND sequence = ?');
  const hashAt = (stream: string, sequence: number): string => String(selectHash.get(stream, sequence)?.['hash'] ?? '');

  return {
    read: async function* (stream, after = 0, pageSize = 1000) {
      let previous = after === 0 ? genesisHash : hashAt(stream, after);
      for (let from = after; ;) {
        // The first query has no lower bound, so that damaged entries with a sequence below 1 are found too.
        const lowest = from === 0 ? minSqliteInteger : from + 1;
        const found = queryOrThrowDamaged('entries', () => selectEntries.all(stream, lowest, pageSize)) as EntryRow[];
        if (found.length === 0) return;
        yield found.map((row, index) => {
          if (row.sequence < 1) throw new DamagedEntryError(stream, row.sequence, 'has a sequence below 1');
          if (row.sequence !== from + index + 1) throw new DamagedEntryError(stream, from + index + 1, 'is missing');
          const entry = parseAndVerifyNextEntry(row, previous);
          previous = entry.hash;
          return entry;
        });
        from += found.length;
      }
    },
    streams: async () =>
      queryTypedRows<{ stream: string }>('entries', { stream: 'text' }, () => selectStreams.all()).map(
        ({ stream }) => stream,
      ),
    heads: async () => new Map(selectHeads().map(toHead)),
    balance: async (account) => ({ ...(selectBalance(account)[0] ?? emptyBalance) }),
    balances: async () => new Map(selectBalances().map(toBalance)),
    findCommands: async (ids) => {
      const types = { id: 'text', stream: 'text', sequence: 'number' } as const;
      const found = queryTypedRows<{ id: string } & CommandPosition>('entries', types, () =>
        selectCommands.all(JSON.stringify(ids)),
      );
      return new Map(found.map(({ id, ...position }) => [id, position]));
    },
    snapshot: async (stream) => {
      const [snapshot] = selectSnapshot(stream);
      return snapshot && { ...snapshot };
    },
    snapshots: async () => selectSnapshots().map(({ stream }) => stream),
    blob: async (id) => {
      const [row] = selectBlob(id);
      return row && new Uint8Array(row.bytes);
    },
    blobIds: async () => selectBlobIds().map(({ id }) => id),
    heartbeats: async () => new Map(selectHeartbeats().map(({ name, at }) => [name, at])),
    ...checkpointQueries,
    listValues: async (kind, ids) => {
      const found = ids === undefined ? selectValues(kind) : selectValuesById(kind, JSON.stringify(ids));
      return new Map(found.map(({ id, value }) => [id, value]));
    },
    close: async () => database.close(),
  };
}

/** Maximum number of streams or accounts in one chunk: a few milliseconds of work. */
const chunkSize = 1000;

/** Reads all heads, then all balances, as of one moment: in a read transaction of its own. */
export async function* readSqliteHeadsAndBalances(file: string): AsyncGenerator<HeadsAndBalancesChunk> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    database.exec('BEGIN');
    const selectHeadsAfter = prepareRows(database, 'heads', headTypes, 'WHERE stream > ? ORDER BY stream LIMIT ?');
    for (let found, last = ''; (found = selectHeadsAfter(last, chunkSize)).length > 0; last = found.at(-1)!.stream) {
      yield { heads: found.map(toHead), balances: [] };
      await setImmediate();
    }
    const selectBalancesAfter = prepareRows(
      database,
      'balances',
      balanceTypes,
      'WHERE account > ? ORDER BY account LIMIT ?',
    );
    for (
      let found, last = '';
      (found = selectBalancesAfter(last, chunkSize)).length > 0;
      last = found.at(-1)!.account
    ) {
      yield { heads: [], balances: found.map(toBalance) };
      await setImmediate();
    }
  } finally {
    database.close();
  }
}

/** Creates `findBySubject`. The rowid of an entry gives the append order across all streams. */
export function createSqliteFindBySubject(database: DatabaseSync): Store['findBySubject'] {
  const prepare = (where: string, order: 'ASC' | 'DESC') =>
    database.prepare(
      `SELECT stream, sequence, hash, body, command, subject FROM entries WHERE subject = ? ${where} ORDER BY rowid ${order} LIMIT ?`,
    );
  const rowidOfPosition = '(SELECT rowid FROM entries WHERE stream = ? AND sequence = ? AND subject = ?)';
  const newest = prepare('', 'DESC');
  const older = prepare(`AND rowid < ${rowidOfPosition}`, 'DESC');
  const newer = prepare(`AND rowid > ${rowidOfPosition}`, 'ASC');
  return async (subject, { before, after, maxEntries = defaultSubjectQueryLimit } = {}) => {
    const from = before ?? after;
    const rows = queryOrThrowDamaged('entries', () =>
      from === undefined
        ? newest.all(subject, maxEntries)
        : (before ? older : newer).all(subject, from.stream, from.sequence, subject, maxEntries),
    ) as EntryRow[];
    return rows.map(parseAndVerifyEntry);
  };
}

const entriesPerChunk = 500;

/** Reads all entries of all streams in append order, without verification. */
async function* entriesInOrder(database: DatabaseSync): AsyncGenerator<readonly EntryRow[]> {
  const selectNext = database.prepare(
    'SELECT rowid AS position, stream, sequence, hash, body, command FROM entries WHERE rowid > ? ORDER BY rowid LIMIT ?',
  );
  for (let last = 0; ;) {
    const found = queryOrThrowDamaged('entries', () => selectNext.all(last, entriesPerChunk)) as (EntryRow & {
      readonly position: number;
    })[];
    if (found.length === 0) return;
    yield found.map(({ position, ...row }) => {
      last = position;
      return row;
    });
  }
}

/**
 * Creates a reader of the whole store. Its reads show the same moment only if the connection is in a read transaction.
 */
export const createSqliteWholeStoreReader = (database: DatabaseSync): WholeStoreReader => ({
  ...createSqliteReader(database),
  entries: () => entriesInOrder(database),
  kinds: async () =>
    prepareRows<{ kind: string }>(database, 'key_values', { kind: 'text' }, 'GROUP BY kind ORDER BY kind')().map(
      ({ kind }) => kind,
    ),
});

const minSqliteInteger = -(2n ** 63n);

type CheckpointQueries = Pick<StoreReader, 'checkpoints' | 'epoch'>;

const checkpointsPerPage = 1000;

function checkpointQueriesIn(database: DatabaseSync): CheckpointQueries {
  const types = { number: 'number', text: 'text', signature: 'text' } as const;
  const selectCheckpoints = database.prepare(
    'SELECT number, text, signature FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?',
  );
  return {
    checkpoints: async function* (after = 0) {
      for (let from = after; ;) {
        const lowest = from === 0 ? minSqliteInteger : from;
        const found = queryTypedRows<StoredCheckpoint>('checkpoints', types, () =>
          selectCheckpoints.all(lowest, checkpointsPerPage),
        );
        if (found.length === 0) return;
        yield found.map((checkpoint, index) => {
          if (checkpoint.number !== from + index + 1)
            throw new DamagedStoreError(`Checkpoint ${from + index + 1} is missing.`);
          return { ...checkpoint };
        });
        from += found.length;
      }
    },
    epoch: async () => readLastSqliteEpoch(database),
  };
}
