import { mkdirSync, renameSync, rmSync, rmdirSync } from 'node:fs';
import { type DatabaseSync } from 'node:sqlite';
import { databasePath } from './dataFolder.ts';
import { fsyncFolderOf } from '../fsync.ts';
import { openSqliteReadOnly } from './readOnlyStore.ts';
import { connectSqlite, createSqliteDatabase } from './migrations.ts';
import { type ExportCounts, type ExportChunk, type ColumnValue, insertExportChunks } from '../storeExport.ts';
import { type StoreReader } from '../store.ts';

/**
 * Imports a whole event store into an empty or missing folder. Atomic: the store is built in a temporary folder, which
 * is renamed at the end. `check` reads the imported store before the rename, and may throw to reject it.
 */
export async function importIntoFolder(
  folder: string,
  chunks: AsyncIterable<ExportChunk>,
  check: (reader: StoreReader) => Promise<void>,
): Promise<ExportCounts> {
  const temporary = `${folder}.part`;
  try {
    const counts = await importAndCheck(temporary, chunks, check);
    moveIntoPlace(temporary, folder);
    return counts;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Imports a whole event store into a temporary folder, calls `check`, and removes the folder. */
export async function checkImportInTemporaryFolder(
  temporary: string,
  chunks: AsyncIterable<ExportChunk>,
  check: (reader: StoreReader) => Promise<void>,
): Promise<void> {
  try {
    await importAndCheck(temporary, chunks, check);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function importAndCheck(
  folder: string,
  chunks: AsyncIterable<ExportChunk>,
  check: (reader: StoreReader) => Promise<void>,
): Promise<ExportCounts> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const counts = await importInto(databasePath(folder), chunks);
  const reader = await openSqliteReadOnly(folder);
  try {
    await check(reader);
  } finally {
    await reader.close();
  }
  return counts;
}

async function importInto(file: string, chunks: AsyncIterable<ExportChunk>): Promise<ExportCounts> {
  createSqliteDatabase(file);
  const database = connectSqlite(file);
  try {
    database.exec('BEGIN IMMEDIATE');
    const counts = await insertExportChunks(chunks, (table, columns, rows) =>
      insertRows(database, table, columns, rows),
    );
    database.exec('COMMIT');
    return counts;
  } finally {
    database.close();
  }
}

function insertRows(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly ColumnValue[])[],
): void {
  const placeholders = columns.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`);
  for (const row of rows) insert.run(...row);
}

/** Renames the temporary folder. Throws when the target folder exists and is not empty. */
function moveIntoPlace(temporary: string, folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(temporary, folder);
  fsyncFolderOf(folder);
}
