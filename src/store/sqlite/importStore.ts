import { mkdirSync, renameSync, rmSync, rmdirSync } from 'node:fs';
import { type DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { recordIn, fsyncPath } from './dataFolder.ts';
import { openReadOnly } from './readOnlyStore.ts';
import { connect, makeRecord } from './migrations.ts';
import { type Counted, type ExportChunk, type Value, filled } from '../storeExport.ts';
import { type StoreReader } from '../store.ts';

/**
 * Fills a folder that is empty, or not there yet, with a whole record: all of it, or nothing. It is made beside the folder
 * and takes its place as a whole; what is there is shown before that, and whoever finds fault with it throws.
 */
export async function fillFolder(
  folder: string,
  parts: AsyncIterable<ExportChunk>,
  check: (record: StoreReader) => Promise<void>,
): Promise<Counted> {
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  try {
    mkdirSync(part, { recursive: true, mode: 0o700 });
    const counted = await fill(recordIn(part), parts);
    const record = await openReadOnly(part);
    try {
      await check(record);
    } finally {
      await record.close();
    }
    takePlace(part, folder);
    return counted;
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

async function fill(file: string, parts: AsyncIterable<ExportChunk>): Promise<Counted> {
  makeRecord(file);
  const database = connect(file);
  try {
    database.exec('BEGIN IMMEDIATE');
    const counted = await filled(parts, (table, columns, rows) => putInto(database, table, columns, rows));
    database.exec('COMMIT');
    return counted;
  } finally {
    database.close();
  }
}

function putInto(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): void {
  const marks = columns.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
  for (const row of rows) insert.run(...row);
}

/** An empty folder gives way; one that holds something does not, whenever that came there. */
function takePlace(part: string, folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(part, folder);
  // Windows has no such thing as a folder that is written out by itself.
  if (process.platform !== 'win32') fsyncPath(dirname(folder), 'r');
}
