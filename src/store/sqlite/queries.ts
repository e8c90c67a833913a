import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type Account, isGuarded } from '../../ledger/accounts.ts';
import { type EntryRow, genesisHash, entryFrom, verifyNext, untouched } from '../hashChain.ts';
import { epochIn, isIndexed, hasCheckpoints } from './migrations.ts';
import { type FullReader } from '../storeExport.ts';
import { type Kinds, exact, rowsOf } from '../typedRows.ts';
import {
  type Balance,
  type StoredCheckpoint,
  DamagedEntry,
  DamagedRecord,
  type StreamHead,
  type CommandPosition,
  type StoreReader,
  type Snapshot,
  type HeadsAndBalances,
  type Store,
  usualMost,
} from '../store.ts';

type Rows<Found> = (...values: (string | number)[]) => Found[];

/** What a table holds, or those rows of it. */
function rowsIn<Found extends object>(
  database: DatabaseSync,
  table: string,
  kinds: Kinds<Found>,
  where: string,
): Rows<Found> {
  const statement = database.prepare(`SELECT ${Object.keys(kinds).join(', ')} FROM ${table} ${where}`);
  return (...values) => rowsOf(table, kinds, () => statement.all(...values));
}

type HeadRow = { readonly stream: string } & StreamHead;
const headKinds: Kinds<HeadRow> = { stream: 'text', sequence: 'number', hash: 'text', epoch: 'number' };
const headIn = ({ stream, ...head }: HeadRow): readonly [string, StreamHead] => [stream, head];

type BalanceRow = { readonly account: Account; readonly guarded: number } & Balance;
const balanceKinds: Kinds<BalanceRow> = { account: 'text', guarded: 'number', amount: 'number', version: 'number' };

function balanceIn({ account, guarded, ...held }: BalanceRow): readonly [Account, Balance] {
  const due = isGuarded(account) ? 1 : 0;
  if (guarded !== due) throw new DamagedRecord(`The account ${account} is not guarded as it must be.`);
  return [account, held];
}

/** What can be read of a record through a connection to it. */
export function sqliteQueries(database: DatabaseSync): StoreReader {
  const columns = `stream, sequence, hash, body, command${isIndexed(database) ? ', subject' : ''}`;
  const entriesOf = database.prepare(
    `SELECT ${columns} FROM entries WHERE stream = ? AND sequence >= ? ORDER BY sequence LIMIT ?`,
  );
  const commandsOf = database.prepare(
    'SELECT command AS id, stream, sequence FROM entries WHERE command IN (SELECT value FROM json_each(?))',
  );
  // From one stream to the next, past all entries of it.
  const streamsOf = database.prepare(
    `WITH RECURSIVE found (stream) AS (
       SELECT min(stream) FROM entries
       UNION ALL
       SELECT (SELECT min(stream) FROM entries WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL
     )
     SELECT stream FROM found WHERE stream IS NOT NULL`,
  );
  const rows = <Found extends object>(table: string, kinds: Kinds<Found>, where = ''): Rows<Found> =>
    rowsIn(database, table, kinds, where);
  const headsOf = rows('heads', headKinds);
  const balanceOf = rows<Balance>('balances', { amount: 'number', version: 'number' }, 'WHERE account = ?');
  const balancesOf = rows('balances', balanceKinds);
  const snapshotOf = rows<Snapshot>(
    'snapshots',
    { sequence: 'number', form: 'number', state: 'text', hash: 'text' },
    'WHERE stream = ?',
  );
  const snapshotsOf = rows<{ stream: string }>('snapshots', { stream: 'text' });
  const sealedOf = rows<{ bytes: Uint8Array }>('sealed', { bytes: 'bytes' }, 'WHERE id = ?');
  const sealsOf = rows<{ id: string }>('sealed', { id: 'text' });
  const beatsOf = rows<{ name: string; at: number }>('beats', { name: 'text', at: 'number' });
  const signed = hasCheckpoints(database) ? signedIn(database) : unsigned;
  const asideKinds = { id: 'text', value: 'text' } as const;
  const asideOf = rows<{ id: string; value: string }>('aside', asideKinds, 'WHERE kind = ?');
  const asidesOf = rows<{ id: string; value: string }>(
    'aside',
    asideKinds,
    'WHERE kind = ? AND id IN (SELECT value FROM json_each(?))',
  );

  const hashOf = database.prepare('SELECT hash FROM entries WHERE stream = ? AND sequence = ?');
  const hashAt = (stream: string, sequence: number): string => String(hashOf.get(stream, sequence)?.['hash'] ?? '');

  return {
    read: async function* (stream, after = 0, atOnce = 1000) {
      let previous = after === 0 ? genesisHash : hashAt(stream, after);
      for (let from = after; ;) {
        // Whoever begins at the first entry also finds what stands before it.
        const least = from === 0 ? leastOfAll : from + 1;
        const found = exact('entries', () => entriesOf.all(stream, least, atOnce)) as EntryRow[];
        if (found.length === 0) return;
        yield found.map((row, place) => {
          if (row.sequence < 1) throw new DamagedEntry(stream, row.sequence, 'stands before the first');
          if (row.sequence !== from + place + 1) throw new DamagedEntry(stream, from + place + 1, 'is missing');
          const entry = verifyNext(row, previous);
          previous = entry.hash;
          return entry;
        });
        from += found.length;
      }
    },
    streams: async () =>
      rowsOf<{ stream: string }>('entries', { stream: 'text' }, () => streamsOf.all()).map(({ stream }) => stream),
    heads: async () => new Map(headsOf().map(headIn)),
    balance: async (account) => ({ ...(balanceOf(account)[0] ?? untouched) }),
    balances: async () => new Map(balancesOf().map(balanceIn)),
    findCommands: async (ids) => {
      const kinds = { id: 'text', stream: 'text', sequence: 'number' } as const;
      const known = rowsOf<{ id: string } & CommandPosition>('entries', kinds, () =>
        commandsOf.all(JSON.stringify(ids)),
      );
      return new Map(known.map(({ id, ...place }) => [id, place]));
    },
    snapshot: async (stream) => {
      const [known] = snapshotOf(stream);
      return known && { ...known };
    },
    snapshots: async () => snapshotsOf().map(({ stream }) => stream),
    blob: async (id) => {
      const [known] = sealedOf(id);
      return known && new Uint8Array(known.bytes);
    },
    blobIds: async () => sealsOf().map(({ id }) => id),
    heartbeats: async () => new Map(beatsOf().map(({ name, at }) => [name, at])),
    ...signed,
    listValues: async (kind, ids) => {
      const found = ids === undefined ? asideOf(kind) : asidesOf(kind, JSON.stringify(ids));
      return new Map(found.map(({ id, value }) => [id, value]));
    },
    close: async () => database.close(),
  };
}

/** So many streams or accounts are told at once of where a record stands: some milliseconds' work. */
const partLength = 1000;

/** Where a record stands, part by part, by a connection of its own: what is written meanwhile is not in it. */
export async function* sqliteHeadsAndBalances(file: string): AsyncGenerator<HeadsAndBalances> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    database.exec('BEGIN');
    const headsFrom = rowsIn(database, 'heads', headKinds, 'WHERE stream > ? ORDER BY stream LIMIT ?');
    for (let found, last = ''; (found = headsFrom(last, partLength)).length > 0; last = found.at(-1)!.stream) {
      yield { heads: found.map(headIn), balances: [] };
      await setImmediate();
    }
    const balancesFrom = rowsIn(database, 'balances', balanceKinds, 'WHERE account > ? ORDER BY account LIMIT ?');
    for (let found, last = ''; (found = balancesFrom(last, partLength)).length > 0; last = found.at(-1)!.account) {
      yield { heads: [], balances: found.map(balanceIn) };
      await setImmediate();
    }
  } finally {
    database.close();
  }
}

/** Entries by what they are about. They lie in the order in which they were written, whatever their stream. */
export function aboutIn(database: DatabaseSync): Store['findBySubject'] {
  const statement = (where: string, order: 'ASC' | 'DESC') =>
    database.prepare(
      `SELECT stream, sequence, hash, body, command, subject FROM entries WHERE subject = ? ${where} ORDER BY rowid ${order} LIMIT ?`,
    );
  const place = '(SELECT rowid FROM entries WHERE stream = ? AND sequence = ? AND subject = ?)';
  const newest = statement('', 'DESC');
  const backwards = statement(`AND rowid < ${place}`, 'DESC');
  const onwards = statement(`AND rowid > ${place}`, 'ASC');
  return async (subject, { before, after, most = usualMost } = {}) => {
    const from = before ?? after;
    const rows = exact('entries', () =>
      from === undefined
        ? newest.all(subject, most)
        : (before ? backwards : onwards).all(subject, from.stream, from.sequence, subject, most),
    ) as EntryRow[];
    return rows.map(entryFrom);
  };
}

/** So many rows are read at once by whoever wants all of them. */
const rowsAtOnce = 500;

/** All entries in the order in which they were written, whatever their stream, as they lie there. */
async function* entriesIn(database: DatabaseSync): AsyncGenerator<readonly EntryRow[]> {
  const next = database.prepare(
    'SELECT rowid AS place, stream, sequence, hash, body, command FROM entries WHERE rowid > ? ORDER BY rowid LIMIT ?',
  );
  for (let last = 0; ;) {
    const found = exact('entries', () => next.all(last, rowsAtOnce)) as (EntryRow & { readonly place: number })[];
    if (found.length === 0) return;
    yield found.map(({ place, ...row }) => {
      last = place;
      return row;
    });
  }
}

/** All of a record through a connection that sees it as of one moment. */
export const sqliteFullReader = (database: DatabaseSync): FullReader => ({
  ...sqliteQueries(database),
  entries: () => entriesIn(database),
  kinds: async () =>
    rowsIn<{ kind: string }>(database, 'aside', { kind: 'text' }, 'GROUP BY kind ORDER BY kind')().map(
      ({ kind }) => kind,
    ),
});

/** The least number that a database can hold. */
const leastOfAll = -(2n ** 63n);

type Signed = Pick<StoreReader, 'checkpoints' | 'epoch'>;

/** So many checkpoints are read at once. */
const atOnce = 1000;

function signedIn(database: DatabaseSync): Signed {
  const kinds = { number: 'number', text: 'text', signature: 'text' } as const;
  const checkpointsOf = database.prepare(
    'SELECT number, text, signature FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?',
  );
  return {
    checkpoints: async function* (after = 0) {
      for (let from = after; ;) {
        const least = from === 0 ? leastOfAll : from;
        const found = rowsOf<StoredCheckpoint>('checkpoints', kinds, () => checkpointsOf.all(least, atOnce));
        if (found.length === 0) return;
        yield found.map((one, place) => {
          if (one.number !== from + place + 1) throw new DamagedRecord(`Checkpoint ${from + place + 1} is missing.`);
          return { ...one };
        });
        from += found.length;
      }
    },
    epoch: async () => epochIn(database),
  };
}

/** A record of a form before that has neither. */
const unsigned: Signed = { checkpoints: async function* () {}, epoch: async () => 0 };
