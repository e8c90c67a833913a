import { type Account, isGuarded } from '../../ledger/accounts.ts';
import { type EntryRow, genesisHash, parseEntry, verifyNext } from '../hashChain.ts';
import { emptyBalance } from '../planAppend.ts';
import { type FullReader } from '../storeExport.ts';
import { type ColumnTypes, typedRows } from '../typedRows.ts';
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
  defaultMaxEntries,
} from '../store.ts';
import { type PgRow, type Statement } from './connection.ts';

/** Asks the database, by one connection or another. */
export type RunStatement = (statement: Statement, values?: readonly unknown[]) => Promise<readonly PgRow[]>;

const statement = (name: string, text: string): Statement => ({ name, text });

const readEntries = statement(
  'entries',
  `SELECT stream, sequence, hash, body, command, subject FROM entries
   WHERE stream = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3`,
);
const readFrom = statement(
  'entries-from',
  `SELECT entries.stream, entries.sequence, hash, body, command, subject
   FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS places (stream, sequence, place)
   CROSS JOIN LATERAL (
     SELECT * FROM entries WHERE entries.stream = places.stream AND entries.sequence >= places.sequence
     ORDER BY entries.sequence LIMIT $3
   ) AS entries
   ORDER BY places.place, entries.sequence`,
);
const readHash = statement('hash', 'SELECT hash FROM entries WHERE stream = $1 AND sequence = $2');
// From one stream to the next, past all entries of it.
const readStreams = statement(
  'streams',
  `WITH RECURSIVE found (stream) AS (
     SELECT min(stream) FROM entries
     UNION ALL
     SELECT (SELECT min(stream) FROM entries WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL
   )
   SELECT stream FROM found WHERE stream IS NOT NULL`,
);
const readHeads = statement('heads', 'SELECT stream, sequence, hash, epoch FROM heads');
const readHeadsFrom = statement('heads-from', `${readHeads.text} WHERE stream > $1 ORDER BY stream LIMIT $2`);
const readBalance = statement('balance', 'SELECT amount, version FROM balances WHERE account = $1');
const readBalances = statement('balances', 'SELECT account, guarded, amount, version FROM balances');
const readBalancesFrom = statement(
  'balances-from',
  `${readBalances.text} WHERE account > $1 ORDER BY account LIMIT $2`,
);
const readCommands = statement(
  'commands',
  'SELECT command AS id, stream, sequence FROM entries WHERE command = ANY ($1::text[])',
);
const readSnapshot = statement('snapshot', 'SELECT sequence, form, state, hash FROM snapshots WHERE stream = $1');
const readSnapshots = statement('snapshots', 'SELECT stream FROM snapshots ORDER BY stream');
const readSealed = statement('sealed', 'SELECT bytes FROM sealed WHERE id = $1');
const readSeals = statement('seals', 'SELECT id FROM sealed ORDER BY id');
const readBeats = statement('beats', 'SELECT name, at FROM beats');
const readCheckpoints = statement(
  'checkpoints',
  'SELECT number, text, signature FROM checkpoints WHERE number > $1 ORDER BY number LIMIT $2',
);
const readEpoch = statement('epoch', 'SELECT coalesce(max(epoch), 0) AS epoch FROM epochs WHERE begun');
const readAside = statement('aside', 'SELECT id, value FROM aside WHERE kind = $1');
const readAsides = statement('asides', 'SELECT id, value FROM aside WHERE kind = $1 AND id = ANY($2::text[])');

const readKinds = statement('kinds', 'SELECT DISTINCT kind FROM aside ORDER BY kind');
// Sorted once, since no index has them in this order.
const beginAll = statement(
  'all',
  `DECLARE whole NO SCROLL CURSOR FOR
   SELECT stream, sequence, hash, body, command, subject FROM entries ORDER BY place`,
);
const nextOfAll = statement('all-next', 'FETCH 500 FROM whole');
const endAll = statement('all-end', 'CLOSE whole');

const aboutText = (where: string, order: 'ASC' | 'DESC', most: string): string =>
  `SELECT stream, sequence, hash, body, command, subject FROM entries
   WHERE subject = $1 ${where} ORDER BY place ${order} LIMIT ${most}`;
const placeText = '(SELECT place FROM entries WHERE stream = $2 AND sequence = $3 AND subject = $1)';
const readNewest = statement('about', aboutText('', 'DESC', '$2'));
const readBefore = statement('about-before', aboutText(`AND place < ${placeText}`, 'DESC', '$4'));
const readAfter = statement('about-after', aboutText(`AND place > ${placeText}`, 'ASC', '$4'));

type HeadRow = { readonly stream: string } & StreamHead;
const headKinds: ColumnTypes<HeadRow> = { stream: 'text', sequence: 'number', hash: 'text', epoch: 'number' };
const headIn = ({ stream, ...head }: HeadRow): readonly [string, StreamHead] => [stream, head];

type BalanceRow = { readonly account: Account; readonly guarded: number } & Balance;
const balanceKinds: ColumnTypes<BalanceRow> = {
  account: 'text',
  guarded: 'number',
  amount: 'number',
  version: 'number',
};

function balanceIn({ account, guarded, ...held }: BalanceRow): readonly [Account, Balance] {
  if (guarded !== (isGuarded(account) ? 1 : 0)) {
    throw new DamagedRecord(`The account ${account} is not guarded as it must be.`);
  }
  return [account, held];
}

/** The rows of a table, if each number in them can be told exactly, and each column holds what was ever written there. */
function rowsIn<Found extends object>(table: string, kinds: ColumnTypes<Found>, rows: readonly PgRow[]): Found[] {
  if (rows.some((row) => Object.values(row).some((value) => typeof value === 'bigint'))) {
    throw new DamagedRecord(`The table ${table} holds a number that is too large to be told exactly.`);
  }
  return typedRows(table, kinds, () => rows);
}

/** So many streams, accounts or checkpoints are read at once. */
const partLength = 1000;

/** The least number that a database can hold. */
const leastOfAll = String(-(2n ** 63n));

const entryKinds = { stream: 'text', sequence: 'number', hash: 'text', body: 'text' } as const;
const entryRows = (rows: readonly PgRow[]): EntryRow[] => rowsIn<EntryRow>('entries', entryKinds as never, rows);

/** What can be read of a record by asking its database. */
export function postgresQueries(ask: RunStatement): Omit<StoreReader, 'close'> & Pick<Store, 'findBySubject'> {
  const rows = async <Found extends object>(
    table: string,
    kinds: ColumnTypes<Found>,
    what: Statement,
    ...values: readonly unknown[]
  ): Promise<Found[]> => rowsIn(table, kinds, await ask(what, values));

  return {
    read: async function* (stream, after = 0, atOnce = 1000) {
      const [before] =
        after === 0 ? [] : await rows<{ hash: string }>('entries', { hash: 'text' }, readHash, stream, after);
      let previous = after === 0 ? genesisHash : before?.hash;
      for (let from = after; ;) {
        // Whoever begins at the first entry also finds what stands before it.
        const least = from === 0 ? leastOfAll : from + 1;
        const found = entryRows(await ask(readEntries, [stream, least, atOnce]));
        if (found.length === 0) return;
        yield found.map((row, place) => {
          if (row.sequence < 1) throw new DamagedEntry(stream, row.sequence, 'stands before the first');
          if (row.sequence !== from + place + 1) throw new DamagedEntry(stream, from + place + 1, 'is missing');
          const entry = verifyNext(row, previous ?? '');
          previous = entry.hash;
          return entry;
        });
        from += found.length;
      }
    },
    readMany: async function* (places, most) {
      for (let part = 0; part < places.length; part += partLength) {
        const some = places.slice(part, part + partLength);
        const found = entryRows(
          await ask(readFrom, [some.map(({ stream }) => stream), some.map(({ sequence }) => sequence), most]),
        );
        const byStream = Map.groupBy(found, ({ stream }) => stream);
        for (const { stream, sequence } of some) {
          const there = byStream.get(stream) ?? [];
          const wrong = there.findIndex((row, place) => row.sequence !== sequence + place);
          if (wrong >= 0) throw new DamagedEntry(stream, sequence + wrong, 'is missing');
        }
        yield found.map(parseEntry);
      }
    },
    findBySubject: async (subject, { before, after, maxEntries = defaultMaxEntries } = {}) => {
      const from = before ?? after;
      const found =
        from === undefined
          ? await ask(readNewest, [subject, maxEntries])
          : await ask(before ? readBefore : readAfter, [subject, from.stream, from.sequence, maxEntries]);
      return entryRows(found).map(parseEntry);
    },
    streams: async () =>
      (await rows<{ stream: string }>('entries', { stream: 'text' }, readStreams)).map(({ stream }) => stream),
    heads: async () => new Map((await rows('heads', headKinds, readHeads)).map(headIn)),
    balance: async (account) => {
      const [held] = await rows<Balance>('balances', { amount: 'number', version: 'number' }, readBalance, account);
      return held ?? emptyBalance;
    },
    balances: async () => new Map((await rows('balances', balanceKinds, readBalances)).map(balanceIn)),
    findCommands: async (ids) => {
      const kinds = { id: 'text', stream: 'text', sequence: 'number' } as const;
      const known = await rows<{ id: string } & CommandPosition>('entries', kinds, readCommands, ids);
      return new Map(known.map(({ id, ...place }) => [id, place]));
    },
    snapshot: async (stream) => {
      const kinds = { sequence: 'number', form: 'number', state: 'text', hash: 'text' } as const;
      return (await rows<Snapshot>('snapshots', kinds, readSnapshot, stream))[0];
    },
    snapshots: async () =>
      (await rows<{ stream: string }>('snapshots', { stream: 'text' }, readSnapshots)).map(({ stream }) => stream),
    blob: async (id) => {
      const [known] = await rows<{ bytes: Uint8Array }>('sealed', { bytes: 'bytes' }, readSealed, id);
      return known && new Uint8Array(known.bytes);
    },
    blobIds: async () => (await rows<{ id: string }>('sealed', { id: 'text' }, readSeals)).map(({ id }) => id),
    heartbeats: async () => {
      const kinds = { name: 'text', at: 'number' } as const;
      return new Map(
        (await rows<{ name: string; at: number }>('beats', kinds, readBeats)).map(({ name, at }) => [name, at]),
      );
    },
    checkpoints: async function* (after = 0) {
      const kinds = { number: 'number', text: 'text', signature: 'text' } as const;
      for (let from = after; ;) {
        const least = from === 0 ? leastOfAll : from;
        const found = await rows<StoredCheckpoint>('checkpoints', kinds, readCheckpoints, least, partLength);
        if (found.length === 0) return;
        const wrong = found.findIndex(({ number }, place) => number !== from + place + 1);
        if (wrong >= 0) throw new DamagedRecord(`Checkpoint ${from + wrong + 1} is missing.`);
        yield found;
        from += found.length;
      }
    },
    epoch: async () => (await rows<{ epoch: number }>('epochs', { epoch: 'number' }, readEpoch))[0]!.epoch,
    listValues: async (kind, ids) => {
      const kinds = { id: 'text', value: 'text' } as const;
      const found = await (ids === undefined
        ? rows<{ id: string; value: string }>('aside', kinds, readAside, kind)
        : rows<{ id: string; value: string }>('aside', kinds, readAsides, kind, ids));
      return new Map(found.map(({ id, value }) => [id, value]));
    },
  };
}

/** All of a record, by one connection that sees it as of one moment. */
export const postgresFullReader = (ask: RunStatement): Pick<FullReader, 'entries' | 'kinds'> => ({
  entries: async function* () {
    await ask(beginAll);
    for (let rows; (rows = entryRows(await ask(nextOfAll))).length > 0;) yield rows;
    await ask(endAll);
  },
  kinds: async () => rowsIn<{ kind: string }>('aside', { kind: 'text' }, await ask(readKinds)).map(({ kind }) => kind),
});

/** Where a record stands, part by part, by one connection that sees all of it as of one moment. */
export async function* postgresHeadsAndBalances(ask: RunStatement): AsyncGenerator<HeadsAndBalances> {
  const part = async <Found extends object>(table: string, kinds: ColumnTypes<Found>, what: Statement, last: string) =>
    rowsIn(table, kinds, await ask(what, [last, partLength]));
  for (let found, last = ''; (found = await part('heads', headKinds, readHeadsFrom, last)).length > 0;) {
    last = found.at(-1)!.stream;
    yield { heads: found.map(headIn), balances: [] };
  }
  for (let found, last = ''; (found = await part('balances', balanceKinds, readBalancesFrom, last)).length > 0;) {
    last = found.at(-1)!.account;
    yield { heads: [], balances: found.map(balanceIn) };
  }
}
