import { existsSync, mkdirSync } from 'node:fs';
import { type DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { serializeAppend } from '../planAppend.ts';
import { hasDatabase, lockPath, databasePath } from './dataFolder.ts';
import { acquireExclusiveFolderLock } from './folderLock.ts';
import { checkWalFile } from './walCheck.ts';
import { waitLongerThanHeartbeat, throwIfHeartbeatsChange } from './readOnlyStore.ts';
import {
  connectSqlite,
  readLastSqliteEpoch,
  readSchemaVersionInFileHeader,
  createSqliteDatabase,
  migrateSqlite,
  checkSqliteSchemaVersion,
} from './migrations.ts';
import { createSqliteFindBySubject, createSqliteReader, readSqliteHeadsAndBalances } from './queries.ts';
import { restrictDataFolderToOwner } from './filePermissions.ts';
import { DamagedStoreError, type Store, WriterTakenOverError } from '../store.ts';
import { awaitWorkerExit } from './workerShutdown.ts';
import { checkSqliteIntegrity } from './integrityCheck.ts';
import { StoreWriterEndedError, WriteFailedError } from '../failures.ts';
import { type AppendReceipt, decodeAppendReceipt } from '../appendCodec.ts';
import { type WriterReply, type WriterTask, packAppend } from './writerProtocol.ts';

type UnnumberedTask = WriterTask extends infer T ? (T extends WriterTask ? Omit<T, 'number'> : never) : never;

export type SqliteStoreOptions = {
  /** Throws `MissingStoreError` if the folder has no store, instead of creating one. */
  readonly mustExist?: boolean;
  /**
   * Waits longer than the heartbeat interval of a floor, so that a floor that runs on the folder shows itself by a
   * heartbeat.
   */
  readonly pause?: () => Promise<void>;
};

export type SqliteStore = Store & {
  /** Number of WAL frames that an unfinished commit of the last process left behind; SQLite ignores them. */
  readonly torn: number;
};

/**
 * Opens an event store in a data folder, for one process at a time. Reads run in this thread, writes in a worker
 * thread.
 */
export async function openSqliteStore(
  folder: string,
  { mustExist = false, pause = waitLongerThanHeartbeat }: SqliteStoreOptions = {},
): Promise<SqliteStore> {
  const file = databasePath(folder);
  if (hasDatabase(folder, mustExist) && !existsSync(lockPath(folder))) await throwIfHeartbeatsChange(folder, pause);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const folderLock = acquireExclusiveFolderLock(folder);
  try {
    // Another process may have created the database before the lock was acquired.
    if (!hasDatabase(folder, mustExist)) createSqliteDatabase(file);
    const { schemaVersion = readSchemaVersionInFileHeader(file), torn } = checkWalFile(file);
    checkSqliteSchemaVersion(schemaVersion);
    restrictDataFolderToOwner(folder);
    return { ...(await openStore(file, folderLock)), torn };
  } catch (error) {
    folderLock.close();
    throw error;
  }
}

/** Checks and migrates the database, and empties its WAL. The epoch of this writer begins with its first write. */
function openDatabase(file: string): { readonly reader: DatabaseSync; readonly writerEpoch: number } {
  const database = connectSqlite(file, checkSqliteIntegrity);
  try {
    migrateSqlite(database);
    // The WAL is emptied, because SQLite could mistake frames of an unfinished commit for a part of a later commit.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { reader: database, writerEpoch: readLastSqliteEpoch(database) + 1 };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openStore(file: string, folderLock: DatabaseSync): Promise<Store> {
  const { reader, writerEpoch } = openDatabase(file);
  const writer = new Worker(new URL('./writerWorker.ts', import.meta.url), { workerData: { file, writerEpoch } });
  const pending = new Map<number, { resolve: (value: WriterReply['value']) => void; reject: (error: Error) => void }>();
  let number = 0;
  let broken: Error | undefined;

  const ready = Promise.withResolvers<void>();
  writer.on('message', (replies: readonly WriterReply[]) => {
    ready.resolve();
    for (const reply of replies) {
      const request = pending.get(reply.number)!;
      pending.delete(reply.number);
      if (reply.error === undefined) request.resolve(reply.value);
      else request.reject(toError(reply));
    }
  });
  const end = (cause: unknown): void => {
    broken ??= new StoreWriterEndedError('The writer thread of the event store has ended.', { cause });
    ready.reject(broken);
    for (const { reject } of pending.values()) reject(broken);
    pending.clear();
  };
  writer.on('error', (error) => {
    ready.reject(error);
    end(error);
  });
  writer.on('exit', end);

  const send = (task: UnnumberedTask): Promise<WriterReply['value']> => {
    if (broken) return Promise.reject(broken);
    const request = Promise.withResolvers<WriterReply['value']>();
    number += 1;
    pending.set(number, request);
    writer.postMessage({ ...task, number });
    return request.promise;
  };
  try {
    await ready.promise;
  } catch (error) {
    reader.close();
    throw error;
  }

  return {
    ...createSqliteReader(reader),
    findBySubject: createSqliteFindBySubject(reader),
    readHeadsAndBalances: () => readSqliteHeadsAndBalances(file),
    writerEpoch,
    append: async (batch) =>
      decodeAppendReceipt(
        batch,
        (await send({ type: 'append', batch: packAppend(serializeAppend(batch)) })) as AppendReceipt,
      ),
    saveSnapshot: async (stream, snapshot) => void (await send({ type: 'snapshot', stream, snapshot })),
    putBlob: async (id, bytes) => void (await send({ type: 'putBlob', id, bytes })),
    recordHeartbeats: async (names, at) => void (await send({ type: 'heartbeats', names, at })),
    putValue: async (kind, id, value) => void (await send({ type: 'putValue', kind, id, value })),
    putValueIfAbsent: async (kind, id, value) => (await send({ type: 'putValueIfAbsent', kind, id, value })) as string,
    saveCheckpoint: async (checkpoint) => void (await send({ type: 'checkpoint', checkpoint })),
    close: async () => {
      try {
        if (!broken) await send({ type: 'close' });
        await awaitWorkerExit(writer);
      } finally {
        reader.close();
        folderLock.close();
      }
    },
  };
}

function toError({ error, isTakenOver, isDamaged }: WriterReply): Error {
  const message = `The event store cannot be written: ${error}`;
  if (isTakenOver) return new WriterTakenOverError(message);
  return isDamaged ? new DamagedStoreError(message) : new WriteFailedError(message);
}
