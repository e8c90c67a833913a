import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { storeErrorToCliError } from '../../../src/cli/support/openStore.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { WriterTakenOverError } from '../../../src/store/store.ts';
import { withoutPause, copies, filesIn } from '../../store/sqlite/sqliteFixtures.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto, withoutProgress } from '../support/punto.ts';

const root = temporaryFolder('damage');

const kept = fileURLToPath(new URL('../../records/schema-7', import.meta.url));
const [killed, ended] = [join(root, 'killed'), join(root, 'ended')];

/** A store after a kill, and one after an orderly close. */
beforeAll(async () => {
  cpSync(kept, ended, { recursive: true });
  const store = await openSqliteStore(ended, withoutPause);
  for (let at = 1; at < 5; at++) await store.recordHeartbeats(['floor'], 1_700_009_000_000 + at);
  cpSync(ended, killed, { recursive: true });
  await store.close();
});

const { copied } = copies(root);

const databaseFile = (folder: string): string => join(folder, 'record.sqlite');

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  bytes[offset]! ^= 1;
  writeFileSync(file, bytes);
}

test('serve refuses a folder whose store is missing or empty while its key exists', async () => {
  for (const [change, expectedText] of [
    [(folder: string) => rmSync(folder, { recursive: true }), 'There is no event store in '],
    [(folder: string) => rmSync(databaseFile(folder)), 'There is no event store in '],
    [(folder: string) => truncateSync(databaseFile(folder)), 'The event store '],
  ] as const) {
    const folder = copied(ended);
    writeFileSync(`${folder}.key`, new Uint8Array(32));
    change(folder);
    const { status, stdout, stderr } = await punto(['serve', '--data', folder]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(`punto: ${expectedText}`)).toBe(true);
    expect(stderr).toMatch(
      /; put the event log back, or, to start a new floor, move the rest of it, .+\.key and its anchor away as well\. There is no anchor that shows how far the event log reached\. \(missing-record\)\n$/,
    );
    expect(readFileSync(`${folder}.key`)).toHaveLength(32);
  }
});

test('verify and export report a missing store when only its log exists', async () => {
  const folder = copied(killed, ['record.sqlite']);
  for (const command of ['verify', 'export']) {
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/record\.sqlite-wal is left over from an event store; .+ \(missing-record\)\n$/),
    ]);
  }
});

/** Changes a store by SQL. */
const changedBySql =
  (sql: string) =>
  (folder: string): void => {
    const database = new DatabaseSync(databaseFile(folder));
    database.exec(sql);
    database.close();
  };

const cutAt = (size: number) => (folder: string) => truncateSync(databaseFile(folder), size);
const fileDamages: readonly (readonly [string, (folder: string) => void])[] = [
  [killed, (folder) => flip(join(folder, 'record.sqlite-wal'), 32 + 24 + 700)],
  [killed, (folder) => flip(join(folder, 'record.sqlite-wal'), 9)],
  [ended, cutAt(50)],
  [ended, cutAt(20_000)],
  [ended, (folder) => flip(databaseFile(folder), 3)],
  [ended, (folder) => writeFileSync(databaseFile(folder), readFileSync(databaseFile(folder)).fill(255, 18, 20))],
  [ended, changedBySql("UPDATE entries SET stream = x'00ff' WHERE sequence = 1 AND stream LIKE '%T4'")],
];
const entryDamages = [[ended, changedBySql('UPDATE entries SET body = replace(body, \'"at"\', \'"At"\')')]] as const;

test.each([
  ['serve', fileDamages],
  ['verify', [...fileDamages, ...entryDamages]],
  ['export', [...fileDamages, ...entryDamages]],
])('%s reports damaged-record for a damaged store', async (command, damages) => {
  for (const [from, change] of damages) {
    const folder = copied(from);
    change(folder);
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^punto: .+ \(damaged-record\)\n$/)]);
  }
});

test.each(['serve', 'verify', 'export'])('%s reports a folder in the place of the database file', async (command) => {
  for (const name of ['record.sqlite', 'record.sqlite-wal', 'record.sqlite-journal', 'lock.sqlite']) {
    const folder = copied(killed);
    rmSync(join(folder, name), { force: true });
    mkdirSync(join(folder, name));
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^punto: .+ \(unusable-data\)\n$/)]);
  }
});

test('errors of the operating system are not reported as damage, and the message names a remedy', () => {
  const codeOf = (error: object): unknown => {
    const { code, message } = storeErrorToCliError('data', Object.assign(new Error('no'), error)) as {
      code: string;
      message: string;
    };
    return [code, /; (.+)\.$/.exec(message)?.[1]];
  };
  const mayNot = [
    'unusable-data',
    'give this user read and write access to the folder and its files, or choose another folder',
  ];
  const sqlite = (errcode: number) => codeOf({ code: 'ERR_SQLITE_ERROR', errcode });
  for (const code of ['EACCES', 'EPERM', 'EROFS']) expect(codeOf({ code })).toEqual(mayNot);
  // Refused by rights, read-only, cannot be opened, and a longer form of that.
  for (const errcode of [3, 23, 8, 14, 14 | (2 << 8)]) expect(sqlite(errcode)).toEqual(mayNot);
  expect([sqlite(13), codeOf({ code: 'ENOSPC' })]).toEqual([
    ['unusable-data', 'free space on the disk of the folder'],
    ['unusable-data', 'free space on the disk of the folder'],
  ]);
  expect([sqlite(10 | (1 << 8)), codeOf({ code: 'EIO' })]).toEqual([
    ['unusable-data', 'check the disk of the folder'],
    ['unusable-data', 'check the disk of the folder'],
  ]);
  expect(codeOf({ code: 'ENOTDIR' })).toEqual(['unusable-data', 'choose another folder']);
  expect(sqlite(5)).toEqual(['data-in-use', 'stop it first']);
  expect(storeErrorToCliError('data', new WriterTakenOverError('no'))).toMatchObject({ code: 'data-in-use' });
  for (const errcode of [11, 26, 1]) expect(sqlite(errcode)).toMatchObject(['damaged-record', /^keep the folder/]);
});

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** Runs a command as a user with read access only. */
function runAsReader(command: string, folder: string): { status: number | null; stdout: string; stderr: string } {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
  chmodSync(root, 0o755);
  // Rights do not hold the one who may do everything.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const ran = spawnSync(process.execPath, [main, command, '--data', folder], { ...other, cwd: '/', encoding: 'utf8' });
  chmodSync(folder, 0o755);
  return ran;
}

test.each([
  ['one that ended well', () => copied(ended)],
  ['one that was killed', () => copied(killed)],
  [
    'one that was killed, of which nothing but record and log were copied',
    () => copied(killed, ['record.sqlite-shm', 'lock.sqlite']),
  ],
])('verify and export read a store on a read-only medium: %s', (_, folderOf) => {
  const folder = folderOf();
  const before = filesIn(folder);
  const { status, stdout, stderr } = runAsReader('verify', folder);
  expect([status, withoutProgress(stderr)]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^11 streams, 313 entries, .+\n1 checkpoint, [^]+\nEverything is as it was written, and all amounts add up\.\n$/,
  );
  expect(filesIn(folder)).toEqual(before);
});

test('export reads from a read-only medium', () => {
  expect(runAsReader('export', copied(ended))).toMatchObject({ status: 0, stderr: '' });
});

test('serve refuses a read-only medium with the reason', ({ skip }) => {
  skip(process.platform === 'win32', 'Windows keeps rights by other means, and would start it');
  const folder = copied(ended);
  const before = filesIn(folder);
  const served = runAsReader('serve', folder);
  expect([served.status, served.stderr]).toEqual([
    1,
    expect.stringMatching(/; give this user .+ \(unusable-data\)\n$/),
  ]);
  expect(filesIn(folder)).toEqual(before);
});

test.each([
  ['one that ended well', () => copied(ended)],
  ['one that was killed', () => copied(killed)],
])('verify changes nothing in a writable folder: %s', async (_, folderOf) => {
  const folder = folderOf();
  const before = filesIn(folder);
  expect(await punto(['verify', '--data', folder])).toMatchObject({ status: 0, stderr: '' });
  expect(await punto(['export', '--data', folder])).toMatchObject({ status: 0, stderr: '' });
  expect(filesIn(folder)).toEqual(before);
});

test('verify and serve report a torn commit', async () => {
  const folder = copied(killed);
  const log = join(folder, 'record.sqlite-wal');
  truncateSync(log, readFileSync(log).length - 100);
  const { status, stdout } = await punto(['verify', '--data', folder]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/\nThe database ends with a commit that the last program did not finish \(\d pages?\); /);
  const { stderr } = await punto(['serve', '--data', folder]);
  expect(stderr).toMatch(
    /^punto: The database ends with a commit that the last program did not finish .+\npunto: .+ \(wrong-key\)\n$/,
  );
});
