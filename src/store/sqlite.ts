import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Account, isGuarded } from '../ledger/accounts.ts';
import { type Row, entryFrom, prepared, untouched } from './chain.ts';
import { openRecord } from './migrations.ts';
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
import { type Answer, type Task, type Written, lengthened, packed } from './writing.ts';

export class DataInUse extends Error {}

type Unnumbered = Task extends infer T ? (T extends Task ? Omit<T, 'number'> : never) : never;

/** The record in a folder. One program at a time; reading is done here, writing in a thread of its own. */
export async function sqliteStore(folder: string): Promise<Store> {
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
  const file = join(folder, 'record.sqlite');
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
      else asked.reject(new Error(`The record cannot be written: ${answer.error}`));
    }
  });
  writer.on('error', (error) => {
    broken = error;
    ready.reject(error);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  });

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
      await ask({ type: 'close' });
      await writer.terminate();
      reader.close();
      lock.close();
    },
  };
}

/** The record in a folder, for one who only looks. Whoever holds the folder sees to it that nobody writes meanwhile. */
export const sqliteReader = (folder: string): Reader =>
  reading(new DatabaseSync(join(folder, 'record.sqlite'), { readOnly: true, timeout: 10_000 }));

function reading(database: DatabaseSync): Reader {
  const entriesOf = database.prepare(
    'SELECT stream, sequence, hash, body, command FROM entries WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?',
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
  const get = (sql: string): ((...values: string[]) => unknown) => {
    const statement = database.prepare(sql);
    return (...values) => statement.get(...values);
  };
  const all = (sql: string): ((...values: string[]) => readonly unknown[]) => {
    const statement = database.prepare(sql);
    return (...values) => statement.all(...values);
  };
  const headsOf = all('SELECT stream, sequence, hash, epoch FROM heads');
  const balanceOf = get('SELECT amount, version FROM balances WHERE account = ?');
  const balancesOf = all('SELECT account, amount, version, guarded FROM balances');
  const snapshotOf = get('SELECT sequence, form, state, hash FROM snapshots WHERE stream = ?');
  const sealedOf = get('SELECT bytes FROM sealed WHERE id = ?');
  const beatOf = get('SELECT at FROM beats WHERE name = ?');
  const asideOf = all('SELECT id, value FROM aside WHERE kind = ?');

  return {
    read: async function* (stream, after = 0, atOnce = 1000) {
      for (let from = after; ;) {
        const rows = entriesOf.all(stream, from, atOnce) as Row[];
        if (rows.length === 0) return;
        yield rows.map((row, place) => {
          if (row.sequence !== from + place + 1) throw new DamagedEntry(stream, from + place + 1, 'is missing');
          return entryFrom(row);
        });
        from += rows.length;
      }
    },
    streams: async () => streamsOf.all().map(({ stream }) => stream as string),
    heads: async () =>
      new Map((headsOf() as ({ stream: string } & Head)[]).map(({ stream, ...head }) => [stream, head])),
    balance: async (account) => ({ ...((balanceOf(account) as Balance | undefined) ?? untouched) }),
    balances: async () =>
      new Map(
        (balancesOf() as ({ account: Account; guarded: number } & Balance)[]).map(
          ({ account, guarded, ...balance }) => {
            const due = isGuarded(account) ? 1 : 0;
            if (guarded !== due) throw new DamagedRecord(`The account ${account} is not guarded as it must be.`);
            return [account, balance];
          },
        ),
      ),
    commands: async (ids) => {
      const rows = commandsOf.all(JSON.stringify(ids)) as ({ id: string } & KnownCommand)[];
      return new Map(rows.map(({ id, ...known }) => [id, known]));
    },
    snapshot: async (stream) => {
      const known = snapshotOf(stream) as Snapshot | undefined;
      return known && { ...known };
    },
    sealed: async (id) => {
      const known = sealedOf(id) as { bytes: Uint8Array } | undefined;
      return known && new Uint8Array(known.bytes);
    },
    lastBeat: async (name) => (beatOf(name) as { at: number } | undefined)?.at,
    aside: async (kind) =>
      new Map((asideOf(kind) as { id: string; value: string }[]).map(({ id, value }) => [id, value])),
    close: async () => database.close(),
  };
}

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
