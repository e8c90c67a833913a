import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { DamagedBackupError, readBackup, writeBackup } from '../../src/store/backup.ts';
import { importIntoFolder } from '../../src/store/sqlite/importStore.ts';
import { openReaderOfRunningFloor, openSqliteReadOnly } from '../../src/store/sqlite/readOnlyStore.ts';
import { SchemaTooNewError } from '../../src/store/schemaVersion.ts';
import { type ExportChunk, type WholeStoreReader, exportStore } from '../../src/store/storeExport.ts';
import { importIntoDatabase } from '../../src/store/postgres/importStore.ts';
import { openPostgresWholeStoreReader } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { DamagedStoreError, MissingStoreError } from '../../src/store/store.ts';
import { temporaryFolder } from '../temporary.ts';
import { databases, server } from './postgres/databases.ts';
import { leaveFolders } from './sqlite/sqliteFixtures.ts';

const root = temporaryFolder('backups');

const info = { property: 'p', at: 5 };
const noCheck = async (): Promise<void> => {};
let source: string;
let file: string;
let written: Awaited<ReturnType<typeof writeBackup>>;

/** All rows of a store by table, independent of chunks. */
async function rowsOfStore(
  chunks: AsyncIterable<ExportChunk>,
): Promise<{ readonly [table: string]: readonly unknown[] }> {
  const all: { [table: string]: unknown[] } = {};
  for await (const { table, rows } of chunks) {
    // Bytes are compared as such, from either kind of store.
    (all[table] ??= []).push(
      ...rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value))),
    );
  }
  return all;
}

async function rowsOfDatabase(store: Promise<WholeStoreReader>): Promise<Awaited<ReturnType<typeof rowsOfStore>>> {
  const found = await store;
  try {
    return await rowsOfStore(exportStore(found));
  } finally {
    await found.close();
  }
}

beforeAll(async () => {
  ({ ended: source } = await leaveFolders(join(root, 'made')));
  file = join(root, 'made.backup');
  const store = await openSqliteReadOnly(source);
  written = await writeBackup(file, info, exportStore(store));
  await store.close();
});

test('a backup holds every row of the store with mode 0600 and ends with the digest of all lines before', async () => {
  const all = await rowsOfDatabase(openSqliteReadOnly(source));
  expect(Object.keys(all)).toHaveLength(9);
  expect(Object.values(all).every((rows) => rows.length > 0)).toBe(true);
  const { chunks, ...head } = await readBackup(file);
  expect(head).toEqual(info);
  expect(await rowsOfStore(chunks())).toEqual(all);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
  const digest = createHash('sha256').update(lines.slice(0, -1).join('')).digest('hex');
  expect(lines.at(-1)).toBe(`sha256:${digest}\n`);
  expect(written).toEqual({ streams: 1, entries: 5, accounts: 2, digest: `sha256:${digest}` });
});

test('a backup of a folder in use is as of one moment', async () => {
  const folder = join(root, 'busy');
  const store = await openSqliteStore(folder);
  const note = (number: number) =>
    store.append({
      stream: 'p/table/B1',
      after: number,
      entries: [
        {
          event: { type: 'Noted', v: 1, at: number },
          postings: [{ from: 'p/SGD/external/T1', to: 'p/SGD/terminal/T1.1', amount: 5 }],
          command: { id: `c${number}` },
        },
      ],
    });
  await note(0);
  const snapshot = await openReaderOfRunningFloor(folder);
  const all = await rowsOfStore(
    (async function* () {
      for await (const chunk of exportStore(snapshot)) {
        await note((await store.heads()).get('p/table/B1')!.sequence);
        yield chunk;
      }
    })(),
  );
  await snapshot.close();
  expect(all['entries']).toHaveLength(1);
  expect(all['heads']).toMatchObject([['p/table/B1', 1, expect.any(String), expect.any(Number)]]);
  expect(all['balances']).toContainEqual(['p/SGD/terminal/T1.1', 5, 1]);
  expect((await store.heads()).get('p/table/B1')!.sequence).toBeGreaterThan(5);
  await store.close();
});

test('a backup keeps the epoch of a stream that was raised without a write', async () => {
  const store = await openSqliteReadOnly(source);
  const raised = new Map(Array.from(await store.heads(), ([stream, head]) => [stream, { ...head, epoch: 9 }]));
  const { epochs } = await rowsOfStore(exportStore({ ...store, heads: async () => raised }));
  await store.close();
  expect(epochs).toHaveLength(9);
});

test('a restore refuses a file that is truncated, changed, no backup or of a newer version', async () => {
  const text = readFileSync(file, 'utf8');
  const wrong = join(root, 'wrong.backup');
  const failure = async (content: string | Buffer): Promise<unknown> => {
    writeFileSync(wrong, content);
    return readBackup(wrong).catch((error: unknown) => error);
  };
  for (const cut of [1, 40, 72, 73, text.length >> 1]) {
    expect(await failure(text.slice(0, -cut))).toEqual(
      new DamagedBackupError(`The backup ${wrong} is truncated; use another copy, or another backup.`),
    );
  }
  const bytes = Buffer.from(text);
  for (const offset of [100, bytes.length >> 1, bytes.length - 80, bytes.length - 5]) {
    const changed = Buffer.from(bytes);
    changed[offset] = changed[offset] === 0x31 ? 0x32 : 0x31;
    expect(await failure(changed)).toMatchObject({ message: expect.stringContaining('was changed or damaged') });
  }
  for (const none of ['', '{}\n', 'x'.repeat(1_000), text.replace('"backup"', '"export"')]) {
    expect(await failure(none)).toMatchObject({ message: expect.stringContaining('is not a backup') });
  }
  expect(await failure(text.replace('"version":1', '"version":2'))).toEqual(
    new SchemaTooNewError('The backup has schema 2, and this program reads schemas up to 1; use a newer program.'),
  );
});

test('a restore refuses a row with wrong column types even when the digest is right', async () => {
  const wrong = join(root, 'rows.backup');
  for (const row of [
    '["chips",1]',
    '["heartbeats","floor"]',
    '["heartbeats","floor",1.5]',
    '["heads",null,1,"",1]',
    '{}',
    'x',
  ]) {
    const text = `${JSON.stringify({ punto: 'backup', version: 1, ...info })}\n${row}\n`;
    writeFileSync(wrong, `${text}sha256:${createHash('sha256').update(text).digest('hex')}\n`);
    const { chunks } = await readBackup(wrong);
    await expect(rowsOfStore(chunks()), row).rejects.toThrow(
      `Line 2 of the backup ${wrong} is not a row of an event store; use another copy, or another backup.`,
    );
  }
});

test('a failed backup leaves no file behind', async () => {
  const half = join(root, 'half.backup');
  const failing = async function* (): AsyncGenerator<ExportChunk> {
    yield { table: 'heartbeats', rows: [['floor', 1]] };
    throw new Error('gone');
  };
  await expect(writeBackup(half, info, failing())).rejects.toThrow('gone');
  expect(readdirSync(root).filter((name) => name.startsWith('half'))).toEqual([]);
});

test('an import into a folder is atomic and refuses a folder that is not empty', async () => {
  const all = await rowsOfDatabase(openSqliteReadOnly(source));
  const { chunks } = await readBackup(file);
  const folder = join(root, 'filled');
  mkdirSync(folder);
  expect(await importIntoFolder(folder, chunks(), noCheck)).toEqual({ streams: 1, entries: 5, accounts: 2 });
  expect(await rowsOfDatabase(openSqliteReadOnly(folder))).toEqual(all);
  // The restored store is usable like any other.
  const store = await openSqliteStore(folder, { mustExist: true });
  expect(store.writerEpoch).toBe((await store.epoch()) + 1);
  expect(await store.findBySubject('r1')).toEqual([]);
  await store.close();

  await expect(importIntoFolder(folder, chunks(), noCheck)).rejects.toThrow('ENOTEMPTY');
  const other = join(root, 'unfilled');
  const objects = async (): Promise<void> => {
    throw new DamagedStoreError('No.');
  };
  await expect(importIntoFolder(other, chunks(), objects)).rejects.toThrow('No.');
  expect([other, `${other}.part`, `${folder}.part`].filter((path) => existsSync(path))).toEqual([]);
});

describe('import into a database', () => {
  const { createDatabase } = databases('backup');
  const addressOf = (database: string): string => `${server}/${database}`;

  test('is atomic, tables included, and a backup of it equals the source', async () => {
    const all = await rowsOfDatabase(openSqliteReadOnly(source));
    const { chunks } = await readBackup(file);
    const address = addressOf(await createDatabase());
    const objects = async (): Promise<void> => {
      throw new DamagedStoreError('No.');
    };
    await expect(importIntoDatabase(address, chunks(), objects)).rejects.toThrow('No.');
    await expect(openPostgresWholeStoreReader(address)).rejects.toThrow(MissingStoreError);
    await importIntoDatabase(address, chunks(), async (snapshot) => {
      expect((await snapshot.heads()).size).toBe(1);
    });
    expect(await rowsOfDatabase(openPostgresWholeStoreReader(address))).toEqual(all);
    await expect(importIntoDatabase(address, chunks())).rejects.toThrow(
      'already contains an event store; use an empty database.',
    );

    const [again, folder] = [join(root, 'again.backup'), join(root, 'back')];
    const reader = await openPostgresWholeStoreReader(address);
    await writeBackup(again, info, exportStore(reader));
    await reader.close();
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(file, 'utf8'));
    await importIntoFolder(folder, (await readBackup(again)).chunks(), noCheck);
    expect(await rowsOfDatabase(openSqliteReadOnly(folder))).toEqual(all);
  });
});
