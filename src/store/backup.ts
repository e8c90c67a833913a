import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '../base/schema.ts';
import { fsyncPath } from './sqlite/dataFolder.ts';
import { NewerRecord } from './sqlite/migrations.ts';
import { type Counted, type ExportChunk, type TableName, type Value, counter, tables } from './storeExport.ts';

// A whole record in one file, whatever store it came from: a line on what it is, a line a row, and at last the digest of
// all bytes before that. The digest tells a file that was cut or has changed; whether the record in it is true its chains
// and signatures tell.

/** The form of the file that is written, and the newest that is read. */
const newest = 1;

/** A file that is no backup, or not the one that was written. */
export class DamagedBackup extends Error {}

/** What a backup says of itself. */
type Said = {
  readonly property: string;
  /** When it was taken, by the clock of the machine that took it. */
  readonly at: number;
};

export type Backup = Said & {
  /** What is in it. */
  readonly parts: () => AsyncGenerator<ExportChunk>;
};

/** The last line is a digest and nothing else. */
const digestForm = /^sha256:[0-9a-f]{64}\n$/;
const digestLength = 72;

/** Rows go to the file, and come from it, in parts of so many. */
const atOnce = 500;

/** Writes a backup, for its owner's eyes only. It comes into its place as a whole. */
export async function writeBackup(
  file: string,
  { property, at }: Said,
  parts: AsyncIterable<ExportChunk>,
): Promise<Counted & { readonly digest: string }> {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    const written = await writeAll(part, { punto: 'backup', form: newest, property, at }, parts);
    renameSync(part, file);
    // Windows has no such thing as a folder that is written out by itself.
    if (process.platform !== 'win32') fsyncPath(dirname(file), 'r');
    return written;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

async function writeAll(
  file: string,
  head: object,
  parts: AsyncIterable<ExportChunk>,
): Promise<Counted & { readonly digest: string }> {
  const hash = createHash('sha256');
  const { add, counted } = counter();
  const handle = await open(file, 'wx', 0o600);
  try {
    const write = async (text: string): Promise<void> => {
      hash.update(text);
      await handle.appendFile(text);
    };
    await write(`${JSON.stringify(head)}\n`);
    for await (const part of parts) {
      const { table, rows } = part;
      add(part);
      for (let from = 0; from < rows.length; from += atOnce) {
        const lines = rows.slice(from, from + atOnce).map((row) => `${JSON.stringify([table, ...row.map(told)])}\n`);
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

const told = (value: Value): Exclude<Value, Uint8Array> =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** A backup that is as it was written; one that is not, or that this program does not read, is refused. */
export async function readBackup(file: string): Promise<Backup> {
  const length = statSync(file).size - digestLength;
  const digest = length > 0 ? endOf(file, length) : '';
  const said = saidIn(length > 0 ? await firstOf(linesIn(file, length)) : '');
  if (said === undefined) throw new DamagedBackup(`The file ${file} does not begin as a backup does; name another.`);
  if (said.form > newest) {
    throw new NewerRecord(
      `The backup is of form ${said.form} and this program knows forms up to ${newest}; use the newer program.`,
    );
  }
  if (!digestForm.test(digest)) {
    throw new DamagedBackup(`The backup ${file} is cut short; take another copy of it, or another backup.`);
  }
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file, { end: length - 1 })) hash.update(bytes as Buffer);
  if (digest !== `sha256:${hash.digest('hex')}\n`) {
    throw new DamagedBackup(`The backup ${file} is not as it was written; take another copy of it, or another backup.`);
  }
  return { property: said.property, at: said.at, parts: () => partsIn(file, length) };
}

function endOf(file: string, from: number): string {
  const bytes = Buffer.alloc(digestLength);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, bytes, 0, digestLength, from);
  } finally {
    closeSync(opened);
  }
  return bytes.toString('latin1');
}

/** The lines of a file up to a length. */
async function* linesIn(file: string, length: number): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of createReadStream(file, { end: length - 1, encoding: 'utf8' })) {
    const lines = `${rest}${text as string}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

async function firstOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  return '';
}

function saidIn(line: string): (Said & { readonly form: number }) | undefined {
  const said = parsed(line);
  if (!isObject(said) || said['punto'] !== 'backup') return undefined;
  const { form, property, at } = said;
  const isWhole = typeof form === 'number' && typeof property === 'string' && typeof at === 'number';
  return isWhole ? { form, property, at } : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* partsIn(file: string, length: number): AsyncGenerator<ExportChunk> {
  const lines = linesIn(file, length);
  await lines.next();
  let number = 1;
  let table: TableName | undefined;
  let rows: (readonly Value[])[] = [];
  for await (const line of lines) {
    number += 1;
    const row = rowIn(line);
    if (row === undefined) throw new DamagedBackup(`Line ${number} of the backup ${file} is no row of a record.`);
    if (table !== undefined && (row.table !== table || rows.length === atOnce)) {
      yield { table, rows };
      rows = [];
    }
    ({ table } = row);
    rows.push(row.values);
  }
  if (table !== undefined) yield { table, rows };
}

/** A row as it was written, if each of its columns holds what it must. */
function rowIn(line: string): { readonly table: TableName; readonly values: readonly Value[] } | undefined {
  const found = parsed(line);
  if (!Array.isArray(found)) return undefined;
  const [name, ...values] = found as readonly unknown[];
  if (typeof name !== 'string' || !Object.hasOwn(tables, name)) return undefined;
  const table = name as TableName;
  const kinds: readonly string[] = Object.values(tables[table]);
  if (values.length !== kinds.length || !kinds.every((kind, place) => isOf(kind, values[place]))) return undefined;
  return {
    table,
    values: kinds.map((kind, place) =>
      kind === 'bytes' ? Buffer.from(values[place] as string, 'base64') : (values[place] as Value),
    ),
  };
}

function isOf(kind: string, value: unknown): boolean {
  if (kind === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' || (kind === 'text or none' && value === null);
}
