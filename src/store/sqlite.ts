import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Account, isGuarded } from '../ledger/accounts.ts';
import { type Row, entryFrom, prepared, untouched } from './chain.ts';
import { openRecord, refuseOther } from './migrations.ts';
import { type Kinds, exact, rowsOf } from './rows.ts';
import {
  type Balance,
  DamagedEntry,
  DamagedRecord,
  type Head,
  type KnownCommand,
  type Reader,
  type Snapshot,
  type Store,
} from './store.ts';
import { RecordLost, WriteFailed } from './trouble.ts';
import { type Answer, type Task, type Written, lengthened, packed } from './writing.ts';

export class DataInUse extends Error {}

const recordIn = (folder: string): string => join(folder, 'record.sqlite');

type Unnumbered = Task extends infer T ? (T extends Task ? Omit<T, 'number'> : never) : never;

/** The record in a folder. One program at a time; reading is done here, writing in a thread of its own. */
export async function sqliteStore(folder: string): Promise<Store> {
  // Nothing is left behind in a folder whose record is not ours to read.
  refuseOther(recordIn(folder));
  mkdirSync(folder, { recursive: true });
  const lock = lockOf(folder);
  try {
    return await openIn(folder, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function openIn(folder: string, lock: DatabaseSync): Promise<Store> {
  const file = recordIn(folder);
  const reader = openRecord(file);
  const writer = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file } });
  const pending = new Map<number, { resolve: (value: Written | undefined) => void; reject: (error: Error) => void }>();
  let number = 0;
  let broken: Error | undefined;

  const ready = Promise.withResolvers<void>();
  writer.on('message', (answers: readonly Answer[]) => {
    ready.resolve();
    for (const answer of answers) {
      const asked = pending.get(answer.number)!;
      pending.delete(answer.number);
      if (answer.error === undefined) asked.resolve(answer.value);
      else {
        const message = `The record cannot be written: ${answer.error}`;
        asked.reject(answer.damaged ? new DamagedRecord(message) : new WriteFailed(message));
      }
    }
  });
  const end = (cause: unknown): void => {
    broken ??= new RecordLost('What writes the record has ended.', { cause });
    for (const { reject } of pending.values()) reject(broken);
    pending.clear();
  };
  writer.on('error', (error) => {
    ready.reject(error);
    end(error);
  });
  writer.on('exit', end);

  const ask = (what: Unnumbered): Promise<Written | undefined> => {
    if (broken) return Promise.reject(broken);
    const asked = Promise.withResolvers<Written | undefined>();
    number += 1;
    pending.set(number, asked);
    writer.postMessage({ ...what, number });
    return asked.promise;
  };
  await ready.promise;

  return {
    ...reading(reader),
    append: async (batch) => lengthened(batch, (await ask({ type: 'append', batch: packed(prepared(batch)) }))!),
    saveSnapshot: async (stream, snapshot) => void (await ask({ type: 'snapshot', stream, snapshot })),
    seal: async (id, bytes) => void (await ask({ type: 'seal', id, bytes })),
    beat: async (names, at) => void (await ask({ type: 'beat', names, at })),
    putAside: async (kind, id, value) => void (await ask({ type: 'aside', kind, id, value })),
    close: async () => {
      if (!broken) await ask({ type: 'close' });
      await writer.terminate();
      reader.close();
      lock.close();
    },
  };
}

/** The record in a folder, for one who only looks. Whoever holds the folder sees to it that nobody writes meanwhile. */
export const sqliteReader = (folder: string): Reader =>
  reading(new DatabaseSync(recordIn(folder), { readOnly: true, timeout: 10_000 }));

function reading(database: DatabaseSync): Reader {
  const entriesOf = database.prepare(
    'SELECT stream, sequence, hash, body, command FROM entries WHERE stream = ? AND sequence >= ? ORDER BY sequence LIMIT ?',
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
  const rows = <Found extends object>(
    table: string,
    kinds: Kinds<Found>,
    where = '',
  ): ((...values: string[]) => Found[]) => {
    const statement = database.prepare(`SELECT ${Object.keys(kinds).join(', ')} FROM ${table} ${where}`);
    return (...values) => rowsOf(table, kinds, () => statement.all(...values));
  };
  const headsOf = rows<{ stream: string } & Head>('heads', {
    stream: 'text',
    sequence: 'number',
    hash: 'text',
    epoch: 'number',
  });
  const balance = { amount: 'number', version: 'number' } as const;
  const balanceOf = rows<Balance>('balances', balance, 'WHERE account = ?');
  const balancesOf = rows<{ account: Account; guarded: number } & Balance>('balances', {
    account: 'text',
    guarded: 'number',
    ...balance,
  });
  const snapshotOf = rows<Snapshot>(
    'snapshots',
    { sequence: 'number', form: 'number', state: 'text', hash: 'text' },
    'WHERE stream = ?',
  );
  const snapshotsOf = rows<{ stream: string }>('snapshots', { stream: 'text' });
  const sealedOf = rows<{ bytes: Uint8Array }>('sealed', { bytes: 'bytes' }, 'WHERE id = ?');
  const beatOf = rows<{ at: number }>('beats', { at: 'number' }, 'WHERE name = ?');
  const asideOf = rows<{ id: string; value: string }>('aside', { id: 'text', value: 'text' }, 'WHERE kind = ?');

  return {
    read: async function* (stream, after = 0, atOnce = 1000) {
      for (let from = after; ;) {
        // Whoever begins at the first entry also finds what stands before it.
        const least = from === 0 ? leastOfAll : from + 1;
        const found = exact('entries', () => entriesOf.all(stream, least, atOnce)) as Row[];
        if (found.length === 0) return;
        yield found.map((row, place) => {
          if (row.sequence < 1) throw new DamagedEntry(stream, row.sequence, 'stands before the first');
          if (row.sequence !== from + place + 1) throw new DamagedEntry(stream, from + place + 1, 'is missing');
          return entryFrom(row);
        });
        from += found.length;
      }
    },
    streams: async () =>
      rowsOf<{ stream: string }>('entries', { stream: 'text' }, () => streamsOf.all()).map(({ stream }) => stream),
    heads: async () => new Map(headsOf().map(({ stream, ...head }) => [stream, head])),
    balance: async (account) => ({ ...(balanceOf(account)[0] ?? untouched) }),
    balances: async () =>
      new Map(
        balancesOf().map(({ account, guarded, ...held }) => {
          const due = isGuarded(account) ? 1 : 0;
          if (guarded !== due) throw new DamagedRecord(`The account ${account} is not guarded as it must be.`);
          return [account, held];
        }),
      ),
    commands: async (ids) => {
      const kinds = { id: 'text', stream: 'text', sequence: 'number' } as const;
      const known = rowsOf<{ id: string } & KnownCommand>('entries', kinds, () => commandsOf.all(JSON.stringify(ids)));
      return new Map(known.map(({ id, ...place }) => [id, place]));
    },
    snapshot: async (stream) => {
      const [known] = snapshotOf(stream);
      return known && { ...known };
    },
    snapshots: async () => snapshotsOf().map(({ stream }) => stream),
    sealed: async (id) => {
      const [known] = sealedOf(id);
      return known && new Uint8Array(known.bytes);
    },
    lastBeat: async (name) => beatOf(name)[0]?.at,
    aside: async (kind) => new Map(asideOf(kind).map(({ id, value }) => [id, value])),
    close: async () => database.close(),
  };
}

/** The least number that a database can hold. */
const leastOfAll = -(2n ** 63n);

/** What SQLite says when somebody else holds a file. */
const busy = 5;

/** Held as long as this program lives, and let go of by the system however it ends. */
function lockOf(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new DataInUse(`Another program runs on the data folder ${folder}; stop it first, or name another folder.`);
  }
  return lock;
}
