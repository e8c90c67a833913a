import { type Account, isNonNegativeAccount } from '../../ledger/accounts.ts';
import { type EntryRow, genesisHash, parseAndVerifyEntry, parseAndVerifyNextEntry } from '../hashChain.ts';
import { emptyBalance } from '../planAppend.ts';
import { type WholeStoreReader } from '../storeExport.ts';
import { wrongBalanceGuardError } from '../failures.ts';
import { type ColumnTypes, queryTypedRows } from '../typedRows.ts';
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
import { type PgRow, type PreparedStatement } from './connection.ts';

export type RunQuery = (statement: PreparedStatement, values?: readonly unknown[]) => Promise<readonly PgRow[]>;

const prepare = (name: string, text: string): PreparedStatement => ({ name, text });

const readEntries = prepare(
  'entries',
  `SELECT stream, sequence, hash, body, command, subject FROM entries
   WHERE stream = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3`,
);
const readEntriesOfMany = prepare(
  'entries-from',
  `SELECT entries.stream, entries.sequence, hash, body, command, subject
   FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS positions (stream, sequence, number)
   CROSS JOIN LATERAL (
     SELECT * FROM entries WHERE entries.stream = positions.stream AND entries.sequence >= positions.sequence
     ORDER BY entries.sequence LIMIT $3
   ) AS entries
   ORDER BY positions.number, entries.sequence`,
);
const readHash = prepare('hash', 'SELECT hash FROM entries WHERE stream = $1 AND sequence = $2');
// Loose index scan: jumps from stream to stream instead of reading all entries.
const readStreams = prepare(
  'streams',
  `WITH RECURSIVE found (stream) AS (
     SELECT min(stream) FROM entries
     UNION ALL
     SELECT (SELECT min(stream) FROM entries WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL
   )
   SELECT stream FROM found WHERE stream IS NOT NULL`,
);
const readHeads = prepare('heads', 'SELECT stream, sequence, hash, epoch FROM heads');
const readHeadsFrom = prepare('heads-from', `${readHeads.text} WHERE stream > $1 ORDER BY stream LIMIT $2`);
const readBalance = prepare('balance', 'SELECT amount, version FROM balances WHERE account = $1');
const readBalances = prepare('balances', 'SELECT account, guarded, amount, version FROM balances');
const readBalancesFrom = prepare('balances-from', `${readBalances.text} WHERE account > $1 ORDER BY account LIMIT $2`);
const readCommands = prepare(
  'commands',
  'SELECT command AS id, stream, sequence FROM entries WHERE command = ANY ($1::text[])',
);
const readSnapshot = prepare('snapshot', 'SELECT sequence, version, state, hash FROM snapshots WHERE stream = $1');
const readSnapshots = prepare('snapshots', 'SELECT stream FROM snapshots ORDER BY stream');
const readBlob = prepare('blobs', 'SELECT bytes FROM blobs WHERE id = $1');
const readBlobIds = prepare('blob_ids', 'SELECT id FROM blobs ORDER BY id');
const readHeartbeats = prepare('heartbeats', 'SELECT name, at FROM heartbeats');
const readCheckpoints = prepare(
  'checkpoints',
  'SELECT number, text, signature FROM checkpoints WHERE number > $1 ORDER BY number LIMIT $2',
);
const readEpoch = prepare('epoch', 'SELECT coalesce(max(epoch), 0) AS epoch FROM epochs WHERE begun');
const readValues = prepare('key_values', 'SELECT id, value FROM key_values WHERE kind = $1');
const readValuesById = prepare(
  'key_values_by_id',
  'SELECT id, value FROM key_values WHERE kind = $1 AND id = ANY($2::text[])',
);

const readKinds = prepare('key_value_kinds', 'SELECT DISTINCT kind FROM key_values ORDER BY kind');
// No index has the order of `append_order`, so PostgreSQL must sort all entries. One cursor reads all of them, so that
// they are sorted only once.
const openEntryCursor = prepare(
  'all',
  `DECLARE whole NO SCROLL CURSOR FOR
   SELECT stream, sequence, hash, body, command, subject FROM entries ORDER BY append_order`,
);
const fetchEntries = prepare('all-next', 'FETCH 500 FROM whole');
const closeEntryCursor = prepare('all-end', 'CLOSE whole');

const bySubject = (where: string, order: 'ASC' | 'DESC', limit: string): string =>
  `SELECT stream, sequence, hash, body, command, subject FROM entries
   WHERE subject = $1 ${where} ORDER BY append_order ${order} LIMIT ${limit}`;
const appendOrderOf = '(SELECT append_order FROM entries WHERE stream = $2 AND sequence = $3 AND subject = $1)';
const readNewest = prepare('about', bySubject('', 'DESC', '$2'));
const readOlder = prepare('about-before', bySubject(`AND append_order < ${appendOrderOf}`, 'DESC', '$4'));
const readNewer = prepare('about-after', bySubject(`AND append_order > ${appendOrderOf}`, 'ASC', '$4'));

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

/**
 * Checks the column types of rows. Throws `DamagedStoreError` for a wrong type. Also throws it for a BigInt, which is a
 * number too large to be exact: the store never writes such a number.
 */
function checkedRows<Row extends object>(table: string, types: ColumnTypes<Row>, rows: readonly PgRow[]): Row[] {
  if (rows.some((row) => Object.values(row).some((value) => typeof value === 'bigint'))) {
    throw new DamagedStoreError(`The database table ${table} contains a number that is too large to be exact.`);
  }
  return queryTypedRows(table, types, () => rows);
}

const pageSize = 1000;

const minBigint = String(-(2n ** 63n));

const entryTypes = { stream: 'text', sequence: 'number', hash: 'text', body: 'text' } as const;
const entryRows = (rows: readonly PgRow[]): EntryRow[] => checkedRows<EntryRow>('entries', entryTypes as never, rows);

export function createPostgresReader(query: RunQuery): Omit<StoreReader, 'close'> & Pick<Store, 'findBySubject'> {
  const rows = async <Row extends object>(
    table: string,
    types: ColumnTypes<Row>,
    statement: PreparedStatement,
    ...values: readonly unknown[]
  ): Promise<Row[]> => checkedRows(table, types, await query(statement, values));

  return {
    read: async function* (stream, after = 0, entriesPerPage = 1000) {
      const [before] =
        after === 0 ? [] : await rows<{ hash: string }>('entries', { hash: 'text' }, readHash, stream, after);
      let previous = after === 0 ? genesisHash : before?.hash;
      for (let from = after; ;) {
        // The first query has no lower bound, so that damaged entries with a sequence below 1 are found too.
        const lowest = from === 0 ? minBigint : from + 1;
        const found = entryRows(await query(readEntries, [stream, lowest, entriesPerPage]));
        if (found.length === 0) return;
        yield found.map((row, index) => {
          if (row.sequence < 1) throw new DamagedEntryError(stream, row.sequence, 'has a sequence below 1');
          if (row.sequence !== from + index + 1) throw new DamagedEntryError(stream, from + index + 1, 'is missing');
          const entry = parseAndVerifyNextEntry(row, previous ?? '');
          previous = entry.hash;
          return entry;
        });
        from += found.length;
      }
    },
    readMany: async function* (positions, maxEntries) {
      for (let from = 0; from < positions.length; from += pageSize) {
        const page = positions.slice(from, from + pageSize);
        const found = entryRows(
          await query(readEntriesOfMany, [
            page.map(({ stream }) => stream),
            page.map(({ sequence }) => sequence),
            maxEntries,
          ]),
        );
        const byStream = Map.groupBy(found, ({ stream }) => stream);
        for (const { stream, sequence } of page) {
          const rowsOfStream = byStream.get(stream) ?? [];
          const gap = rowsOfStream.findIndex((row, index) => row.sequence !== sequence + index);
          if (gap >= 0) throw new DamagedEntryError(stream, sequence + gap, 'is missing');
        }
        yield found.map(parseAndVerifyEntry);
      }
    },
    findBySubject: async (subject, { before, after, maxEntries = defaultSubjectQueryLimit } = {}) => {
      const from = before ?? after;
      const found =
        from === undefined
          ? await query(readNewest, [subject, maxEntries])
          : await query(before ? readOlder : readNewer, [subject, from.stream, from.sequence, maxEntries]);
      return entryRows(found).map(parseAndVerifyEntry);
    },
    streams: async () =>
      (await rows<{ stream: string }>('entries', { stream: 'text' }, readStreams)).map(({ stream }) => stream),
    heads: async () => new Map((await rows('heads', headTypes, readHeads)).map(toHead)),
    balance: async (account) => {
      const [balance] = await rows<Balance>('balances', { amount: 'number', version: 'number' }, readBalance, account);
      return balance ?? emptyBalance;
    },
    balances: async () => new Map((await rows('balances', balanceTypes, readBalances)).map(toBalance)),
    findCommands: async (ids) => {
      const types = { id: 'text', stream: 'text', sequence: 'number' } as const;
      const found = await rows<{ id: string } & CommandPosition>('entries', types, readCommands, ids);
      return new Map(found.map(({ id, ...position }) => [id, position]));
    },
    snapshot: async (stream) => {
      const types = { sequence: 'number', version: 'number', state: 'text', hash: 'text' } as const;
      return (await rows<Snapshot>('snapshots', types, readSnapshot, stream))[0];
    },
    snapshots: async () =>
      (await rows<{ stream: string }>('snapshots', { stream: 'text' }, readSnapshots)).map(({ stream }) => stream),
    blob: async (id) => {
      const [row] = await rows<{ bytes: Uint8Array }>('blobs', { bytes: 'bytes' }, readBlob, id);
      return row && new Uint8Array(row.bytes);
    },
    blobIds: async () => (await rows<{ id: string }>('blobs', { id: 'text' }, readBlobIds)).map(({ id }) => id),
    heartbeats: async () => {
      const types = { name: 'text', at: 'number' } as const;
      return new Map(
        (await rows<{ name: string; at: number }>('heartbeats', types, readHeartbeats)).map(({ name, at }) => [
          name,
          at,
        ]),
      );
    },
    checkpoints: async function* (after = 0) {
      const types = { number: 'number', text: 'text', signature: 'text' } as const;
      for (let from = after; ;) {
        const lowest = from === 0 ? minBigint : from;
        const found = await rows<StoredCheckpoint>('checkpoints', types, readCheckpoints, lowest, pageSize);
        if (found.length === 0) return;
        const gap = found.findIndex(({ number }, index) => number !== from + index + 1);
        if (gap >= 0) throw new DamagedStoreError(`Checkpoint ${from + gap + 1} is missing.`);
        yield found;
        from += found.length;
      }
    },
    epoch: async () => (await rows<{ epoch: number }>('epochs', { epoch: 'number' }, readEpoch))[0]!.epoch,
    listValues: async (kind, ids) => {
      const types = { id: 'text', value: 'text' } as const;
      const found = await (ids === undefined
        ? rows<{ id: string; value: string }>('key_values', types, readValues, kind)
        : rows<{ id: string; value: string }>('key_values', types, readValuesById, kind, ids));
      return new Map(found.map(({ id, value }) => [id, value]));
    },
  };
}

/** Queries that only an export needs. Run them on one connection in a repeatable-read transaction. */
export const createPostgresExportReader = (query: RunQuery): Pick<WholeStoreReader, 'entries' | 'kinds'> => ({
  entries: async function* () {
    await query(openEntryCursor);
    for (let rows; (rows = entryRows(await query(fetchEntries))).length > 0;) yield rows;
    await query(closeEntryCursor);
  },
  kinds: async () =>
    checkedRows<{ kind: string }>('key_values', { kind: 'text' }, await query(readKinds)).map(({ kind }) => kind),
});

/**
 * Reads all heads, then all balances. Precondition: `query` runs on one connection in a repeatable-read transaction, so
 * that heads and balances are of the same moment.
 */
export async function* readPostgresHeadsAndBalances(query: RunQuery): AsyncGenerator<HeadsAndBalancesChunk> {
  const readPage = async <Row extends object>(
    table: string,
    types: ColumnTypes<Row>,
    statement: PreparedStatement,
    last: string,
  ) => checkedRows(table, types, await query(statement, [last, pageSize]));
  for (let found, last = ''; (found = await readPage('heads', headTypes, readHeadsFrom, last)).length > 0;) {
    last = found.at(-1)!.stream;
    yield { heads: found.map(toHead), balances: [] };
  }
  for (let found, last = ''; (found = await readPage('balances', balanceTypes, readBalancesFrom, last)).length > 0;) {
    last = found.at(-1)!.account;
    yield { heads: [], balances: found.map(toBalance) };
  }
}
