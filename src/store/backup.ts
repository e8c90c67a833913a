import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isObject } from '../base/schema.ts';
import { fsyncFolderOf } from './fsync.ts';
import { checkSchemaVersion } from './schemaVersion.ts';
import {
  type ExportCounts,
  type ExportChunk,
  type ExportTableName,
  type ColumnValue,
  createExportCounter,
  columnsByExportTable,
} from './storeExport.ts';

// Backup: a whole event store in one file, in the same format for SQLite and PostgreSQL. The file has a header line,
// one line per row, and a last line with the SHA-256 of all bytes before it. The digest detects truncated and changed
// files, but is no signature: hash chains and checkpoints prove the contents.

/** Version of the backup format that this program writes. The program reads this version and older versions. */
const newestVersion = 1;

/** Error: the file is not a backup, is truncated, or was changed. */
export class DamagedBackupError extends Error {}

type BackupInfo = {
  readonly property: string;
  /** Milliseconds since 1970, by the clock of the machine that made the backup. */
  readonly at: number;
};

/** A backup whose digest is verified. `chunks` reads its rows and throws `DamagedBackupError` at a line that is no row. */
export type Backup = BackupInfo & {
  readonly chunks: () => AsyncGenerator<ExportChunk>;
};

/** The last line contains the digest and nothing else. `digestLength` is the length of this line in bytes. */
const digestPattern = /^sha256:[0-9a-f]{64}\n$/;
const digestLength = 72;

const rowsPerChunk = 500;

/**
 * Writes a backup file that only its owner may read (mode 0600). Atomic: a temporary file is renamed when it is
 * complete. Before the rename, `check` reads the temporary file (`part`), and may throw to reject the backup.
 */
export async function writeBackup(
  file: string,
  { property, at }: BackupInfo,
  chunks: AsyncIterable<ExportChunk>,
  check: (part: string) => Promise<void> = async () => {},
): Promise<ExportCounts & { readonly digest: string }> {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    const summary = await writeAll(part, { punto: 'backup', version: newestVersion, property, at }, chunks);
    await check(part);
    renameSync(part, file);
    fsyncFolderOf(file);
    return summary;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

async function writeAll(
  file: string,
  head: object,
  chunks: AsyncIterable<ExportChunk>,
): Promise<ExportCounts & { readonly digest: string }> {
  const hash = createHash('sha256');
  const { add, counts: counted } = createExportCounter();
  const handle = await open(file, 'wx', 0o600);
  try {
    const write = async (text: string): Promise<void> => {
      hash.update(text);
      await handle.appendFile(text);
    };
    await write(`${JSON.stringify(head)}\n`);
    for await (const chunk of chunks) {
      const { table, rows } = chunk;
      add(chunk);
      for (let from = 0; from < rows.length; from += rowsPerChunk) {
        const lines = rows
          .slice(from, from + rowsPerChunk)
          .map((row) => `${JSON.stringify([table, ...row.map(jsonValue)])}\n`);
        await write(lines.join(''));
      }
    }
    const digest = `sha256:${hash.digest('hex')}`;
    await handle.appendFile(`${digest}\n`);
    await handle.sync();
    return { ...counted(), digest };
  } finally {
    await handle.close();
  }
}

const jsonValue = (value: ColumnValue): Exclude<ColumnValue, Uint8Array> =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** Opens a backup after its version and digest are checked. Throws `DamagedBackupError` or `SchemaTooNewError`. */
export async function readBackup(file: string): Promise<Backup> {
  const length = statSync(file).size - digestLength;
  const digest = length > 0 ? readDigest(file, length) : '';
  const header = parseHeader(length > 0 ? await firstLine(linesIn(file, length)) : '');
  if (header === undefined) throw new DamagedBackupError(`The file ${file} is not a backup; name another file.`);
  checkSchemaVersion('backup', header.version, { newest: newestVersion });
  if (!digestPattern.test(digest)) {
    throw new DamagedBackupError(`The backup ${file} is truncated; use another copy, or another backup.`);
  }
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file, { end: length - 1 })) hash.update(bytes as Buffer);
  if (digest !== `sha256:${hash.digest('hex')}\n`) {
    throw new DamagedBackupError(`The backup ${file} was changed or damaged; use another copy, or another backup.`);
  }
  return { property: header.property, at: header.at, chunks: () => readChunks(file, length) };
}

function readDigest(file: string, from: number): string {
  const bytes = Buffer.alloc(digestLength);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, bytes, 0, digestLength, from);
  } finally {
    closeSync(handle);
  }
  return bytes.toString('latin1');
}

async function* linesIn(file: string, length: number): AsyncGenerator<string, void> {
  let partialLine = '';
  for await (const text of createReadStream(file, { end: length - 1, encoding: 'utf8' })) {
    const lines = `${partialLine}${text as string}`.split('\n');
    partialLine = lines.pop()!;
    yield* lines;
  }
}

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  return '';
}

function parseHeader(line: string): (BackupInfo & { readonly version: number }) | undefined {
  const header = parseJson(line);
  if (!isObject(header) || header['punto'] !== 'backup') return undefined;
  const { version, property, at } = header;
  const isComplete = typeof version === 'number' && typeof property === 'string' && typeof at === 'number';
  return isComplete ? { version, property, at } : undefined;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* readChunks(file: string, length: number): AsyncGenerator<ExportChunk> {
  const lines = linesIn(file, length);
  await lines.next();
  let lineNumber = 1;
  let table: ExportTableName | undefined;
  let rows: (readonly ColumnValue[])[] = [];
  for await (const line of lines) {
    lineNumber += 1;
    const row = parseRow(line);
    if (row === undefined)
      throw new DamagedBackupError(
        `Line ${lineNumber} of the backup ${file} is not a row of an event store; use another copy, or another backup.`,
      );
    if (table !== undefined && (row.table !== table || rows.length === rowsPerChunk)) {
      yield { table, rows };
      rows = [];
    }
    ({ table } = row);
    rows.push(row.values);
  }
  if (table !== undefined) yield { table, rows };
}

/** Parses a row; undefined when the line is no row of a table, or when a column has the wrong type. */
function parseRow(
  line: string,
): { readonly table: ExportTableName; readonly values: readonly ColumnValue[] } | undefined {
  const row = parseJson(line);
  if (!Array.isArray(row)) return undefined;
  const [name, ...values] = row as readonly unknown[];
  if (typeof name !== 'string' || !Object.hasOwn(columnsByExportTable, name)) return undefined;
  const table = name as ExportTableName;
  const types: readonly string[] = Object.values(columnsByExportTable[table]);
  if (values.length !== types.length || !types.every((type, index) => hasType(type, values[index]))) return undefined;
  return {
    table,
    values: types.map((type, index) =>
      type === 'bytes' ? Buffer.from(values[index] as string, 'base64') : (values[index] as ColumnValue),
    ),
  };
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' || (type === 'text or none' && value === null);
}
