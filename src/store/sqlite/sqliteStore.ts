import { existsSync, mkdirSync } from 'node:fs';
import { type DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { prepared } from '../hashChain.ts';
import { hasRecord, lockIn, recordIn } from './dataFolder.ts';
import { lock } from './folderLock.ts';
import { readWal } from './walCheck.ts';
import { overBeat, refuseAlive } from './readOnlyStore.ts';
import { connect, epochIn, formOf, makeRecord, migrateSqlite, refuseOther } from './migrations.ts';
import { aboutIn, sqliteQueries, sqliteHeadsAndBalances } from './queries.ts';
import { keepToOwner } from './filePermissions.ts';
import { DamagedRecord, type Store, TakenOver } from '../store.ts';
import { untilEnded } from './workerShutdown.ts';
import { checkIntegrity } from './integrityCheck.ts';
import { RecordLost, WriteFailed } from '../failures.ts';
import { type WriterReply, type WriterTask, type AppendReceipt, decodeReceipt, packed } from '../appendCodec.ts';

type Unnumbered = WriterTask extends infer T ? (T extends WriterTask ? Omit<T, 'number'> : never) : never;

export type SqliteOptions = {
  /** Whether there must be a record, for instance because its key is there. */
  readonly mustExist?: boolean;
  /** Lets so much time pass that a floor on the folder beats again. */
  readonly pause?: () => Promise<void>;
};

/** A record in a folder, held by this program. */
export type SqliteStore = Store & {
  /** Frames in the log of a commit that was not finished when the last program on it ended; nothing of it counts. */
  readonly torn: number;
};

/** The record in a folder. One program at a time; reading is done here, writing in a thread of its own. */
export async function sqliteStore(
  folder: string,
  { mustExist = false, pause = overBeat }: SqliteOptions = {},
): Promise<SqliteStore> {
  const file = recordIn(folder);
  if (hasRecord(folder, mustExist) && !existsSync(lockIn(folder))) await refuseAlive(folder, pause);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lockHeld = lock(folder);
  try {
    // Somebody may have made one before the lock was had.
    if (!hasRecord(folder, mustExist)) makeRecord(file);
    const { form = formOf(file), torn } = readWal(file);
    refuseOther(form);
    keepToOwner(folder);
    return { ...(await openIn(file, lockHeld)), torn };
  } catch (error) {
    lockHeld.close();
    throw error;
  }
}

/** A connection to a record that is whole, brought to the newest form, with an empty log; its next epoch begins with what is written first. */
function openWhole(file: string): { readonly reader: DatabaseSync; readonly held: number } {
  const database = connect(file, checkIntegrity);
  try {
    migrateSqlite(database);
    // What an unfinished commit left in the log could be taken for a part of a later one.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { reader: database, held: epochIn(database) + 1 };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openIn(file: string, lockHeld: DatabaseSync): Promise<Store> {
  const { reader, held } = openWhole(file);
  const writer = new Worker(new URL('./writerWorker.ts', import.meta.url), { workerData: { file, held } });
  const pending = new Map<number, { resolve: (value: WriterReply['value']) => void; reject: (error: Error) => void }>();
  let number = 0;
  let broken: Error | undefined;

  const ready = Promise.withResolvers<void>();
  writer.on('message', (answers: readonly WriterReply[]) => {
    ready.resolve();
    for (const answer of answers) {
      const asked = pending.get(answer.number)!;
      pending.delete(answer.number);
      if (answer.error === undefined) asked.resolve(answer.value);
      else asked.reject(failureOf(answer));
    }
  });
  const end = (cause: unknown): void => {
    broken ??= new RecordLost('What writes the record has ended.', { cause });
    ready.reject(broken);
    for (const { reject } of pending.values()) reject(broken);
    pending.clear();
  };
  writer.on('error', (error) => {
    ready.reject(error);
    end(error);
  });
  writer.on('exit', end);

  const ask = (what: Unnumbered): Promise<WriterReply['value']> => {
    if (broken) return Promise.reject(broken);
    const asked = Promise.withResolvers<WriterReply['value']>();
    number += 1;
    pending.set(number, asked);
    writer.postMessage({ ...what, number });
    return asked.promise;
  };
  try {
    await ready.promise;
  } catch (error) {
    reader.close();
    throw error;
  }

  return {
    ...sqliteQueries(reader),
    findBySubject: aboutIn(reader),
    readHeadsAndBalances: () => sqliteHeadsAndBalances(file),
    writerEpoch: held,
    append: async (batch) =>
      decodeReceipt(batch, (await ask({ type: 'append', batch: packed(prepared(batch)) })) as AppendReceipt),
    saveSnapshot: async (stream, snapshot) => void (await ask({ type: 'snapshot', stream, snapshot })),
    putBlob: async (id, bytes) => void (await ask({ type: 'seal', id, bytes })),
    recordHeartbeats: async (names, at) => void (await ask({ type: 'beat', names, at })),
    putValue: async (kind, id, value) => void (await ask({ type: 'aside', kind, id, value })),
    putValueIfAbsent: async (kind, id, value) => (await ask({ type: 'claim', kind, id, value })) as string,
    checkpoint: async (checkpoint) => void (await ask({ type: 'checkpoint', checkpoint })),
    close: async () => {
      try {
        if (!broken) await ask({ type: 'close' });
        await untilEnded(writer);
      } finally {
        reader.close();
        lockHeld.close();
      }
    },
  };
}

function failureOf({ error, isTakenOver, damaged }: WriterReply): Error {
  const message = `The record cannot be written: ${error}`;
  if (isTakenOver) return new TakenOver(message);
  return damaged ? new DamagedRecord(message) : new WriteFailed(message);
}
