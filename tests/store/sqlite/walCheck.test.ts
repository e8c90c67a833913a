import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { type WalCheckResult, checkWalFrames } from '../../../src/store/sqlite/walCheck.ts';
import { DamagedStoreError } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../temporary.ts';

const root = temporaryFolder('log');

const page = 4096;
const frame = 24 + page;
const startOf = (number: number): number => 32 + (number - 1) * frame;

/** A database as after a kill: a table, and commits of some pages each in its WAL. */
function walAfterKill(name: string, commits: number, earlier = 0): string {
  const [live, left] = [join(root, `${name}-live`), join(root, name)];
  mkdirSync(live);
  const database = new DatabaseSync(join(live, 'record.sqlite'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE notes (text); PRAGMA user_version = 7;',
  );
  const commit = (number: number): void =>
    database.exec(`INSERT INTO notes VALUES ('${`${number} `.repeat(2_000 + 900 * (number % 5))}')`);
  for (let number = 0; number < earlier; number++) commit(number);
  database.exec('PRAGMA wal_checkpoint(RESTART)');
  for (let number = 0; number < commits; number++) commit(number);
  cpSync(live, left, { recursive: true });
  database.close();
  rmSync(join(left, 'record.sqlite-shm'));
  return left;
}

let at: string;
let log: Buffer;
/** Numbers of the frames that end a commit. */
let ends: readonly number[];
beforeAll(() => {
  at = walAfterKill('short', 6);
  log = readFileSync(join(at, 'record.sqlite-wal'));
  ends = endsIn(log);
});

const framesIn = (bytes: Buffer): number => Math.floor((bytes.length - 32) / frame);
const endsIn = (bytes: Buffer): readonly number[] =>
  Array.from({ length: framesIn(bytes) }, (_, offset) => offset + 1).filter(
    (number) => bytes.readUInt32BE(startOf(number) + 4) !== 0,
  );

/** The result for bytes as from a file. */
function read(bytes: Buffer): WalCheckResult {
  let from = 0;
  return checkWalFrames((size) => bytes.subarray(from, (from += size)));
}

/** A WAL with one bit changed. */
function flipped(bytes: Buffer, offset: number, bit = 1): Buffer {
  const other = Buffer.from(bytes);
  other[offset]! ^= bit;
  return other;
}

/** Number of rows that SQLite itself finds. */
function rowsWith(bytes: Buffer): number {
  const other = mkdtempSync(join(root, 'rows-'));
  cpSync(at, other, { recursive: true });
  writeFileSync(join(other, 'record.sqlite-wal'), bytes);
  const database = new DatabaseSync(join(other, 'record.sqlite'));
  try {
    return Number(database.prepare('SELECT count(*) AS rows FROM notes').get()!['rows']);
  } finally {
    database.close();
  }
}

test('readWal reports the frames of an intact WAL, and the schema version if it contains it', () => {
  const frames = framesIn(log);
  expect(ends.length).toBe(6);
  expect(ends.at(-1)).toBe(frames);
  expect(read(log)).toEqual({ committed: frames, torn: 0, schemaVersion: 7 });
  expect(rowsWith(log)).toBe(6);
});

test('readWal reports nothing for a WAL that is missing, has no frames or is all zeros', () => {
  for (const size of [0, 1, 31, 32]) {
    expect(read(log.subarray(0, size))).toEqual({ committed: 0, torn: 0 });
    expect(read(Buffer.alloc(size))).toEqual({ committed: 0, torn: 0 });
  }
  expect(read(Buffer.alloc(200_000))).toEqual({ committed: 0, torn: 0 });
});

test('readWal refuses a bad frame before good ones, which SQLite silently drops', () => {
  const third = ends[2]!;
  const bad = flipped(log, startOf(third) + 24 + 100);
  expect(rowsWith(bad)).toBe(2);
  expect(() => read(bad)).toThrow(DamagedStoreError);
  expect(() => read(bad)).toThrow(
    `Frame ${third} of the write-ahead log record.sqlite-wal has a wrong checksum, and ${framesIn(log) - third} good frames of later commits follow it.`,
  );
});

test('readWal refuses a flipped bit before the last commit', () => {
  const last = ends.at(-2)!;
  for (let number = 1; number <= last; number++) {
    // Page number, size, either salt, either checksum, and the page.
    for (const offset of [0, 3, 4, 7, 8, 12, 15, 16, 20, 23, 24, 2_000, frame - 1]) {
      for (const bit of [1, 128]) {
        const bad = flipped(log, startOf(number) + offset, bit);
        // A changed commit mark moves the end of a commit.
        expect(() => read(bad), `${number} ${offset} ${bit}`).toThrow(DamagedStoreError);
      }
    }
  }
});

test('readWal reports or refuses a flipped bit in the last commit, and reports a truncated commit', () => {
  const [whole, frames] = [ends.at(-2)!, framesIn(log)];
  for (let number = whole + 1; number <= frames; number++) {
    for (const offset of [0, 16, 23, 24, frame - 1]) {
      const { committed, torn } = read(flipped(log, startOf(number) + offset));
      expect([committed, torn]).toEqual([whole, frames - whole]);
    }
    // The salt, when the checksum shows that the frame is of this generation.
    expect(() => read(flipped(log, startOf(number) + 8))).toThrow(
      /^Frame \d+ of the write-ahead log .+ an earlier use of the log\.$/,
    );
    const cut = log.subarray(0, startOf(number) + 1_000);
    expect(read(cut)).toMatchObject({ committed: whole, torn: number - whole });
    expect(rowsWith(cut)).toBe(5);
  }
  expect(read(log.subarray(0, startOf(whole + 1)))).toMatchObject({ committed: whole, torn: 0 });
});

test('readWal accepts frames of the last commit written out of order', () => {
  const whole = ends.at(-2)!;
  const bad = Buffer.from(log);
  bad.fill(0, startOf(whole + 1), startOf(whole + 2));
  expect(read(bad)).toMatchObject({ committed: whole, torn: framesIn(log) - whole - 1 });
});

test('readWal refuses a damaged header before frames', () => {
  for (let offset = 0; offset < 32; offset++) {
    // The lowest bit of the magic number is the byte order of checksums; with the other order they do not match
    // either.
    const bad = flipped(log, offset);
    expect(rowsWith(bad)).toBe(0);
    expect(() => read(bad)).toThrow('The header of the write-ahead log record.sqlite-wal is damaged.');
    expect(read(bad.subarray(0, 32))).toEqual({ committed: 0, torn: 0 });
  }
});

test('readWal ignores frames of an earlier WAL generation', () => {
  const left = readFileSync(join(walAfterKill('turned', 2, 6), 'record.sqlite-wal'));
  expect(framesIn(left)).toBeGreaterThan(endsIn(left)[1]!);
  const { committed, torn } = read(left);
  expect([committed, torn]).toEqual([endsIn(left)[1], 0]);
  expect(() => read(flipped(left, startOf(1) + 500))).toThrow(DamagedStoreError);
});

test('readWal uses the byte order of the header for checksums', () => {
  const other = Buffer.from(log);
  other.writeUInt32BE(0x377f0683, 0);
  let sum: [number, number] = [0, 0];
  const add = (from: number, to: number): void => {
    for (let offset = from; offset < to; offset += 8) {
      sum[0] = (sum[0] + other.readUInt32BE(offset) + sum[1]) >>> 0;
      sum[1] = (sum[1] + other.readUInt32BE(offset + 4) + sum[0]) >>> 0;
    }
  };
  const write = (offset: number): void => {
    other.writeUInt32BE(sum[0], offset);
    other.writeUInt32BE(sum[1], offset + 4);
  };
  add(0, 24);
  write(24);
  for (let number = 1; number <= framesIn(other); number++) {
    add(startOf(number), startOf(number) + 8);
    add(startOf(number) + 24, startOf(number + 1));
    write(startOf(number) + 16);
  }
  expect(rowsWith(other)).toBe(6);
  expect(read(other)).toEqual(read(log));
  expect(() => read(flipped(other, startOf(2) + 500))).toThrow(DamagedStoreError);
});

test('readWal reports of a truncated WAL what SQLite finds', () => {
  for (let size = 0; size < log.length; size += 1_717) {
    const cut = log.subarray(0, size);
    const { committed } = read(cut);
    expect(ends.filter((number) => number <= committed)).toHaveLength(size < startOf(ends[0]! + 1) ? 0 : rowsWith(cut));
  }
  truncateSync(join(at, 'record.sqlite-wal'), 0);
});
