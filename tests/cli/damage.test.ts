import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { toCliError } from '../../src/cli/support/openStore.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { TakenOver } from '../../src/store/store.ts';
import { withoutPause, copies, filesIn } from '../store/sqliteFixtures.ts';
import { temporaryFolder } from '../temporary.ts';
import { punto, withoutProgress } from './punto.ts';

const root = temporaryFolder('damage');

const kept = fileURLToPath(new URL('../records/schema-5', import.meta.url));
const [killed, ended] = [join(root, 'killed'), join(root, 'ended')];

/** A store after a kill, and one after an orderly close. */
beforeAll(async () => {
  cpSync(kept, ended, { recursive: true });
  const store = await sqliteStore(ended, withoutPause);
  for (let at = 1; at < 5; at++) await store.recordHeartbeats(['floor'], 1_700_009_000_000 + at);
  cpSync(ended, killed, { recursive: true });
  await store.close();
});

const { copied } = copies(root);

const record = (folder: string): string => join(folder, 'record.sqlite');

function flip(file: string, place: number): void {
  const bytes = readFileSync(file);
  bytes[place]! ^= 1;
  writeFileSync(file, bytes);
}

test('a start on a folder whose record is gone, or without bytes, while its key is there, is refused', async () => {
  for (const [change, says] of [
    [(folder: string) => rmSync(folder, { recursive: true }), 'There is no record in '],
    [(folder: string) => rmSync(record(folder)), 'There is no record in '],
    [(folder: string) => truncateSync(record(folder)), 'The record '],
  ] as const) {
    const folder = copied(ended);
    writeFileSync(`${folder}.key`, new Uint8Array(32));
    change(folder);
    const { status, stdout, stderr } = await punto(['serve', '--data', folder]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(`punto: ${says}`)).toBe(true);
    expect(stderr).toMatch(
      /; put the record back, or, for a new floor, move what is left of it and .+\.key \(and its anchor\) away as well\. No anchor tells how far it reached\. \(missing-record\)\n$/,
    );
    expect(readFileSync(`${folder}.key`)).toHaveLength(32);
  }
});

test('verify and export say that a record is missing where its log is there', async () => {
  const folder = copied(killed, ['record.sqlite']);
  for (const command of ['verify', 'export']) {
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/record\.sqlite-wal is left of one; .+ \(missing-record\)\n$/),
    ]);
  }
});

/** Has a database do something to a record. */
const altered =
  (sql: string) =>
  (folder: string): void => {
    const database = new DatabaseSync(record(folder));
    database.exec(sql);
    database.close();
  };

const cutAt = (size: number) => (folder: string) => truncateSync(record(folder), size);
const inFiles: readonly (readonly [string, (folder: string) => void])[] = [
  [killed, (folder) => flip(join(folder, 'record.sqlite-wal'), 32 + 24 + 700)],
  [killed, (folder) => flip(join(folder, 'record.sqlite-wal'), 9)],
  [ended, cutAt(50)],
  [ended, cutAt(20_000)],
  [ended, (folder) => flip(record(folder), 3)],
  [ended, (folder) => writeFileSync(record(folder), readFileSync(record(folder)).fill(255, 18, 20))],
  [ended, altered("UPDATE entries SET stream = x'00ff' WHERE sequence = 1 AND stream LIKE '%T4'")],
];
const inEntries = [[ended, altered('UPDATE entries SET body = replace(body, \'"at"\', \'"At"\')')]] as const;

test.each([
  ['serve', inFiles],
  ['verify', [...inFiles, ...inEntries]],
  ['export', [...inFiles, ...inEntries]],
])('%s calls damage by its name', async (command, damages) => {
  for (const [from, change] of damages) {
    const folder = copied(from);
    change(folder);
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^punto: .+ \(damaged-record\)\n$/)]);
  }
});

test.each(['serve', 'verify', 'export'])('%s calls a folder where a file should be what it is', async (command) => {
  for (const name of ['record.sqlite', 'record.sqlite-wal', 'record.sqlite-journal', 'lock.sqlite']) {
    const folder = copied(killed);
    rmSync(join(folder, name), { force: true });
    mkdirSync(join(folder, name));
    const { status, stderr } = await punto([command, '--data', folder]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^punto: .+ \(unusable-data\)\n$/)]);
  }
});

test('what the system does not let one do is no damage, and the sentence says what to do', () => {
  const codeOf = (error: object): unknown => {
    const { code, message } = toCliError('data', Object.assign(new Error('no'), error)) as {
      code: string;
      message: string;
    };
    return [code, /; (.+)\.$/.exec(message)?.[1]];
  };
  const mayNot = ['unusable-data', 'let this user read and write it and what is in it, or name another'];
  const sqlite = (errcode: number) => codeOf({ code: 'ERR_SQLITE_ERROR', errcode });
  for (const code of ['EACCES', 'EPERM', 'EROFS']) expect(codeOf({ code })).toEqual(mayNot);
  // Refused by rights, read-only, cannot be opened, and a longer form of that.
  for (const errcode of [3, 23, 8, 14, 14 | (2 << 8)]) expect(sqlite(errcode)).toEqual(mayNot);
  expect([sqlite(13), codeOf({ code: 'ENOSPC' })]).toEqual([
    ['unusable-data', 'make room on its disk'],
    ['unusable-data', 'make room on its disk'],
  ]);
  expect([sqlite(10 | (1 << 8)), codeOf({ code: 'EIO' })]).toEqual([
    ['unusable-data', 'see to its disk'],
    ['unusable-data', 'see to its disk'],
  ]);
  expect(codeOf({ code: 'ENOTDIR' })).toEqual(['unusable-data', 'name another']);
  expect(sqlite(5)).toEqual(['data-in-use', 'stop it first']);
  expect(toCliError('data', new TakenOver('no'))).toMatchObject({ code: 'data-in-use' });
  for (const errcode of [11, 26, 1]) expect(sqlite(errcode)).toMatchObject(['damaged-record', /^keep the folder/]);
});

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs the command as a user who may read the folder and not write to it. */
function asReader(command: string, folder: string): { status: number | null; stdout: string; stderr: string } {
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
])('a record on a medium that cannot be written to is verified and exported as it lies there: %s', (_, folderOf) => {
  const folder = folderOf();
  const before = filesIn(folder);
  const { status, stdout, stderr } = asReader('verify', folder);
  expect([status, withoutProgress(stderr)]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^11 streams, 315 entries, .+\n1 checkpoint, [^]+\nEverything is as it was written, and adds up\.\n$/,
  );
  expect(filesIn(folder)).toEqual(before);
});

test('a floor is exported from such a medium', () => {
  expect(asReader('export', copied(ended))).toMatchObject({ status: 0, stderr: '' });
});

test('a floor is not started on such a medium, and the sentence says why', ({ skip }) => {
  skip(process.platform === 'win32', 'Windows keeps rights by other means, and would start it');
  const folder = copied(ended);
  const before = filesIn(folder);
  const served = asReader('serve', folder);
  expect([served.status, served.stderr]).toEqual([1, expect.stringMatching(/; let this user .+ \(unusable-data\)\n$/)]);
  expect(filesIn(folder)).toEqual(before);
});

test.each([
  ['one that ended well', () => copied(ended)],
  ['one that was killed', () => copied(killed)],
])('verify changes nothing in a folder that it could write to: %s', async (_, folderOf) => {
  const folder = folderOf();
  const before = filesIn(folder);
  expect(await punto(['verify', '--data', folder])).toMatchObject({ status: 0, stderr: '' });
  expect(await punto(['export', '--data', folder])).toMatchObject({ status: 0, stderr: '' });
  expect(filesIn(folder)).toEqual(before);
});

test('a commit that was not finished is told by verify, and by a start', async () => {
  const folder = copied(killed);
  const log = join(folder, 'record.sqlite-wal');
  truncateSync(log, readFileSync(log).length - 100);
  const { status, stdout } = await punto(['verify', '--data', folder]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nThe log ends in a commit that was not finished when the last program ended \(\d pages?\); /,
  );
  const { stderr } = await punto(['serve', '--data', folder]);
  expect(stderr).toMatch(/^punto: The log ends in a commit that was not finished .+\npunto: .+ \(wrong-key\)\n$/);
});
