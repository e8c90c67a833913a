import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { DataFolderInUseError } from '../../../src/store/sqlite/folderLock.ts';
import { restrictDataFolderToOwner } from '../../../src/store/sqlite/filePermissions.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import {
  DamagedStoreError,
  MissingStoreError,
  WriterTakenOverError,
  UnusableStoreError,
} from '../../../src/store/store.ts';
import { temporaryFolder } from '../../temporary.ts';
import { withoutPause, copies, filesIn, leaveFolders } from './sqliteFixtures.ts';

const root = temporaryFolder('opening');

let killed: string;
let ended: string;
beforeAll(async () => {
  ({ killed, ended } = await leaveFolders(join(root, 'made')));
});

const { fresh, copied } = copies(root);

const databaseFile = (folder: string): string => join(folder, 'record.sqlite');
const log = (folder: string): string => join(folder, 'record.sqlite-wal');

/** Contents of the database files. */
const filesOf = (folder: string): readonly string[] => filesIn(folder).filter((line) => line.startsWith('record'));

/** The message of a refused open. */
const refusalOf = (folder: string, how = {}): Promise<Error> =>
  openSqliteStore(folder, { ...withoutPause, ...how }).then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  );

test('a missing or empty database is refused when other files of it exist', async () => {
  for (const [name, change] of [
    ['is empty', (folder: string) => truncateSync(databaseFile(folder))],
    ['There is no event store', (folder: string) => rmSync(databaseFile(folder))],
  ] as const) {
    for (const [from, also] of [
      [killed, /record\.sqlite-wal is left over from an event store\.$/],
      [ended, /.$/],
    ] as const) {
      const folder = copied(from);
      change(folder);
      const before = filesIn(folder);
      const refused = await refusalOf(folder, { mustExist: true });
      expect(refused).toBeInstanceOf(MissingStoreError);
      expect(refused.message).toContain(name);
      expect(refused.message).toMatch(also);
      expect(filesIn(folder)).toEqual(before);
    }
  }
});

test('an empty database is refused, and a lock file alone is ignored', async () => {
  const folder = copied(ended);
  truncateSync(databaseFile(folder));
  expect(await refusalOf(folder)).toBeInstanceOf(MissingStoreError);
  rmSync(databaseFile(folder));
  expect(await refusalOf(folder, { mustExist: true })).toBeInstanceOf(MissingStoreError);
  const store = await openSqliteStore(folder);
  expect(store.writerEpoch).toBe(1);
  await store.close();
});

test('an open succeeds after a kill during the creation of the database', async () => {
  const folder = fresh();
  mkdirSync(folder);
  writeFileSync(databaseFile(folder) + '.part', 'half of a record');
  writeFileSync(databaseFile(folder) + '.part-wal', 'and of its log');
  await (await openSqliteStore(folder)).close();
  expect(filesIn(folder).map((line) => line.split(' ')[0])).toEqual(['lock.sqlite', 'record.sqlite']);
});

test('a database without lock file is in use while its heartbeats change', async () => {
  const folder = copied(ended);
  const first = await openSqliteStore(folder);
  rmSync(join(folder, 'lock.sqlite'));
  const refused = await refusalOf(folder, { pause: () => first.recordHeartbeats(['floor'], 8) });
  expect(refused).toBeInstanceOf(DataFolderInUseError);
  expect(existsSync(join(folder, 'lock.sqlite'))).toBe(false);
  await first.recordHeartbeats(['floor'], 9);
  await first.close();
});

test('a database without lock file or heartbeats is opened, and its former writer is fenced', async () => {
  const folder = copied(ended);
  const first = await openSqliteStore(folder);
  await first.recordHeartbeats(['floor'], 7);
  rmSync(join(folder, 'lock.sqlite'));
  let waits = 0;
  const second = await openSqliteStore(folder, { pause: async () => void (waits += 1) });
  expect([waits, second.writerEpoch]).toEqual([1, first.writerEpoch + 1]);
  await second.recordHeartbeats(['floor'], 9);
  await expect(first.recordHeartbeats(['floor'], 8)).rejects.toThrow(WriterTakenOverError);
  await first.close();
  expect(await refusalOf(folder)).toBeInstanceOf(DataFolderInUseError);
  await second.close();
});

test('one of two writers that opened without lock file can write', async () => {
  const folder = copied(ended, ['lock.sqlite']);
  const first = await openSqliteStore(folder, withoutPause);
  rmSync(join(folder, 'lock.sqlite'));
  const second = await openSqliteStore(folder, withoutPause);
  await second.recordHeartbeats(['floor'], 8);
  await expect(first.recordHeartbeats(['floor'], 9)).rejects.toThrow(WriterTakenOverError);
  await second.recordHeartbeats(['floor'], 10);
  await first.close();
  await second.close();
});

test('an open does not wait when there is a lock file, or no heartbeat at all', async () => {
  const folder = fresh();
  const pause = () => expect.unreachable();
  await (await openSqliteStore(folder, { pause })).close();
  await (await openSqliteStore(folder, { pause })).close();
  rmSync(join(folder, 'lock.sqlite'));
  await (await openSqliteStore(folder, { pause })).close();
});

test('an unfinished commit is reported once and ignored', async () => {
  const folder = copied(killed);
  truncateSync(log(folder), readFileSync(log(folder)).length - 1_000);
  const store = await openSqliteStore(folder);
  expect(store.torn).toBeGreaterThan(0);
  expect((await store.heads()).get('p/table/B1')?.sequence).toBe(4);
  cpSync(folder, `${folder}-again`, { recursive: true });
  await store.close();
  const again = await openSqliteStore(`${folder}-again`);
  expect(again.torn).toBe(0);
  await again.close();
});

test('a WAL that has lost a commit is refused and the folder stays unchanged', async () => {
  const folder = copied(killed);
  const bytes = readFileSync(log(folder));
  bytes[32 + 24 + 2_000]! ^= 1;
  writeFileSync(log(folder), bytes);
  const before = filesOf(folder);
  const refused = await refusalOf(folder);
  expect(refused).toBeInstanceOf(DamagedStoreError);
  expect(refused.message).toMatch(
    /^Frame 1 of the write-ahead log record\.sqlite-wal has a wrong checksum, and \d+ good frames of later commits/,
  );
  expect(filesOf(folder)).toEqual(before);
});

test.each([
  [
    'an additional trigger',
    'CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM heartbeats; END',
    'the trigger more',
  ],
  ['an additional table', 'CREATE TABLE more (x)', 'the table more'],
  ['a missing index', 'DROP INDEX entry_of_command', 'the index entry_of_command'],
  ['a missing table', 'DROP TABLE checkpoints', 'the table checkpoints'],
  [
    'a missing check constraint',
    `DROP TABLE balances;
     CREATE TABLE balances (account TEXT PRIMARY KEY, amount INTEGER NOT NULL, version INTEGER NOT NULL, guarded INTEGER NOT NULL) WITHOUT ROWID`,
    'the table balances',
  ],
])('a store with %s is refused by name', async (_, change, name) => {
  const folder = copied(ended);
  const database = new DatabaseSync(databaseFile(folder));
  database.exec(change);
  database.close();
  const refused = await refusalOf(folder);
  expect(refused).toBeInstanceOf(DamagedStoreError);
  expect(refused.message).toBe(`The event store does not have the expected schema: check ${name}.`);
});

test('a negative guarded balance is refused', async () => {
  const folder = copied(ended);
  const database = new DatabaseSync(databaseFile(folder));
  database.exec(
    "PRAGMA ignore_check_constraints = ON; UPDATE balances SET amount = -1 WHERE account LIKE '%terminal%'",
  );
  database.close();
  const refused = await refusalOf(folder);
  expect(refused).toBeInstanceOf(DamagedStoreError);
  expect(refused.message).toMatch(
    /^The database file of the event store is damaged \("CHECK constraint failed in balances"\)\.$/,
  );
});

test('epochs with gaps are damage and nothing is written', async () => {
  for (const sql of [
    'INSERT INTO epochs VALUES (9007199254740991, 1)',
    'INSERT INTO epochs VALUES (0, 1)',
    'UPDATE epochs SET epoch = epoch + 1',
  ]) {
    const folder = copied(ended);
    const database = new DatabaseSync(databaseFile(folder));
    database.exec(sql);
    database.close();
    const before = filesOf(folder);
    const refused = await refusalOf(folder);
    expect(refused).toBeInstanceOf(DamagedStoreError);
    expect(refused.message).toMatch(/^The epochs of the event store are not numbered from 1 without gaps: /);
    expect(filesOf(folder)).toEqual(before);
  }
});

test('an epoch or heartbeat outside the safe integers is refused', async () => {
  const folder = copied(ended);
  const alter = (sql: string): void => {
    const database = new DatabaseSync(databaseFile(folder));
    database.exec(sql);
    database.close();
  };
  alter('UPDATE epochs SET epoch = 9223372036854775807');
  expect(await refusalOf(folder)).toBeInstanceOf(DamagedStoreError);
  alter('UPDATE heartbeats SET at = 9223372036854775807');
  rmSync(join(folder, 'lock.sqlite'));
  expect((await refusalOf(folder)).message).toMatch(/^The database table heartbeats contains a number/);
});

test.each([
  ['a write version', 18, 255],
  ['a schema format', 47, 9],
  ['a text encoding', 59, 3],
  ['a schema version', 63, 0],
])('a database header with %s that no writer ever wrote is refused', async (_, offset, value) => {
  const folder = copied(ended);
  const bytes = readFileSync(databaseFile(folder));
  bytes[offset] = value;
  writeFileSync(databaseFile(folder), bytes);
  expect(await refusalOf(folder)).toBeInstanceOf(DamagedStoreError);
});

/** Windows has other permissions. */
const isPosix = process.platform !== 'win32';

test('an open restricts the data folder to its owner', async () => {
  const names = ['', 'record.sqlite', 'record.sqlite-wal', 'record.sqlite-shm', 'lock.sqlite'];
  const rightsIn = (folder: string) => names.map((name) => statSync(join(folder, name)).mode & 0o777);
  const due = isPosix ? [0o700, 0o600, 0o600, 0o600, 0o600] : expect.any(Array);
  const folder = fresh();
  mkdirSync(folder, { mode: 0o755 });
  const store = await openSqliteStore(folder);
  expect(rightsIn(folder)).toEqual(due);
  const again = copied(folder);
  await store.close();
  for (const name of names) chmodSync(join(again, name), 0o755);
  const other = await openSqliteStore(again);
  expect(rightsIn(again)).toEqual(due);
  await other.close();
});

test('a data folder whose permissions cannot be restricted is refused with a remedy', () => {
  const folder = copied(ended);
  chmodSync(databaseFile(folder), 0o644);
  const mayNot = (): never => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  };
  if (!isPosix) return expect(() => restrictDataFolderToOwner(folder, mayNot)).not.toThrow();
  expect(() => restrictDataFolderToOwner(folder, mayNot)).toThrow(UnusableStoreError);
  expect(() => restrictDataFolderToOwner(folder, mayNot)).toThrow(
    /its permissions cannot be changed \(EPERM\); make this user its owner, or /,
  );
});
