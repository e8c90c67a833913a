import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { hasRecord, journalOf, logOf, recordIn, sharedOf, sizeOf } from './dataFolder.ts';
import { DataInUse, inUse, shareLock } from './folderLock.ts';
import { readWal } from './walCheck.ts';
import { sqliteSchemaVersion, formOf, refuseOther } from './migrations.ts';
import { type FullReader } from '../storeExport.ts';
import { sqliteQueries, sqliteFullReader } from './queries.ts';
import { exact } from '../typedRows.ts';
import { type StoreReader } from '../store.ts';
import { checkIntegrity } from './integrityCheck.ts';

/** A record for one who only looks. */
export type ReadOnlyStore = FullReader & {
  /** Where it is read: its folder, or a copy that is gone when this is closed. */
  readonly folder: string;
  /** Frames in the log of a commit that was not finished; nothing of it counts. */
  readonly torn: number;
};

/** A floor beats every second. */
export const overBeat = (): Promise<void> => setTimeout(2_500);

/** The record in a folder, for one who only looks: not a byte of the folder changes, and nobody writes to it meanwhile. */
export async function openReadOnly(folder: string, pause = overBeat): Promise<ReadOnlyStore> {
  hasRecord(folder, true);
  const record = recordIn(folder);
  const lock = shareLock(folder);
  let copy: string | undefined;
  const done = (): void => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
    lock?.close();
  };
  try {
    if (lock === undefined && existsSync(sharedOf(record))) await refuseAlive(folder, pause);
    const { form = formOf(record), torn } = readWal(record);
    refuseOther(form);
    if (!isReadAsItLies(record)) fill((copy = mkdtempSync(join(tmpdir(), 'punto-copy-'))), record);
    const database = connection(copy ?? folder);
    const reader = readingWhole(database);
    const close = async (): Promise<void> => {
      await reader.close();
      done();
    };
    return { ...reader, folder: copy ?? folder, torn, close };
  } catch (error) {
    done();
    throw error;
  }
}

function readingWhole(database: DatabaseSync): FullReader {
  try {
    checkIntegrity(database);
    return sqliteFullReader(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same while a floor may be running on the folder: as of one moment, and nobody waits for it. */
export async function openLiveSnapshot(folder: string, pause = overBeat): Promise<FullReader> {
  try {
    return await openReadOnly(folder, pause);
  } catch (error) {
    if (!(error instanceof DataInUse)) throw error;
  }
  const database = new DatabaseSync(recordIn(folder), { readOnly: true, timeout: 10_000 });
  try {
    database.exec('BEGIN');
    refuseOther(sqliteSchemaVersion(database));
  } catch (error) {
    database.close();
    throw error;
  }
  return readingWhole(database);
}

/** The record in a folder that somebody else holds, or sees to it that nobody writes to. */
export const sqliteReader = (folder: string): StoreReader => sqliteQueries(connection(folder));

/** Refuses a record without its lock while somebody beats in it, and one of another form. */
export async function refuseAlive(folder: string, pause: () => Promise<void>): Promise<void> {
  const before = beatsIn(folder);
  if (before.length === 0) return;
  await pause();
  if (!isDeepStrictEqual(before, beatsIn(folder))) throw inUse(folder);
}

function beatsIn(folder: string): readonly unknown[] {
  const database = connection(folder);
  try {
    refuseOther(sqliteSchemaVersion(database));
    return exact('beats', () => database.prepare('SELECT name, at FROM beats').all());
  } finally {
    database.close();
  }
}

/** Whether a record has all beside it that is needed to read it without writing. */
function isReadAsItLies(record: string): boolean {
  return !sizeOf(journalOf(record)) && (isWithoutLog(record) || existsSync(sharedOf(record)));
}

const isWithoutLog = (record: string): boolean => !sizeOf(logOf(record));

/** Without a log the file is all there is; with one, what those who write share is looked at, and never changed. */
function connection(folder: string): DatabaseSync {
  const record = recordIn(folder);
  const url = pathToFileURL(record);
  if (isReadAsItLies(record)) url.search = isWithoutLog(record) ? 'immutable=1' : 'readonly_shm=1';
  return new DatabaseSync(url, { readOnly: true, timeout: 10_000 });
}

/** Copies a record with its log into another folder, where it may be written to and becomes one file. */
function fill(folder: string, record: string): void {
  for (const file of [record, logOf(record), journalOf(record)]) {
    if (!existsSync(file)) continue;
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
  }
  const database = new DatabaseSync(recordIn(folder));
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}
