import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { amendmentText, createVerifyProgressPrinter } from '../../src/cli/eventLog/verify.ts';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { loadOrCreateSigner } from '../../src/checkpoint/signingKey.ts';
import { verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { createBlobDecrypter } from '../../src/runtime/tables/encryptedShoes.ts';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { snapshotSchemaVersion, snapshotMac } from '../../src/store/snapshot.ts';
import { openReaderOfLockedFolder } from '../../src/store/sqlite/readOnlyStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { startVerifyWorkerPool } from '../../src/verify/workerPool.ts';
import { type VerifyReport, verifyStore } from '../../src/verify/verify.ts';
import { flushPromises } from '../chaos/time.ts';
import { punto, startPunto } from '../cli/support/punto.ts';
import { key as sealKey, seatPatron, testDependencies } from '../runtime/support/testDependencies.ts';
import { temporaryFolder } from '../temporary.ts';
import { honestStreams, writeStore } from './forgedStore.ts';

const root = temporaryFolder('verify');
const small = join(root, 'small');
const large = join(root, 'large');
const stream = 'demo/table/baccarat';

/** A small event store on a disk: one table, one terminal that bets, one round, a snapshot. */
beforeAll(async () => {
  const store = await openSqliteStore(small);
  const { dependencies, published, warnings, time } = testDependencies(store, 'verify');
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get('baccarat')!;
  const step = async (): Promise<void> => {
    await table.processor.idle();
    await flushPromises();
    await time.next();
    await table.processor.idle();
  };
  while (table.processor.state?.phase !== 'betting') await step();
  const round = table.table.round!.id;
  await table.submit('bet', { type: 'SetSlip', actor: { terminal }, round, slip: { player: 100, tie: 100 } });
  while (!published.some(({ event }) => event.type === 'SettlementPosted')) await step();
  const { sequence, hash } = (await store.heads()).get(stream)!;
  const state = JSON.stringify(table.table);
  await store.saveSnapshot(stream, {
    sequence,
    version: snapshotSchemaVersion,
    state,
    hash: snapshotMac(state, hash, sealKey),
  });
  await floor.drain();
  const signer = loadOrCreateSigner(join(root, 'signer'), true);
  const writer = new CheckpointWriter({
    store,
    signer: () => signer,
    file: join(root, 'anchor'),
    clock: time.clock,
    chain: await verifyCheckpointChain(store),
  });
  await writer.checkpoint();
  await writer.beginAnchor();
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  await store.close();
});

/** A copy of the store for changes. */
function copied(from: string, name: string): string {
  const folder = join(root, name.replaceAll(' ', '-'));
  cpSync(from, folder, { recursive: true });
  return folder;
}

/** The problem that a read-only open finds, with key and anchor if it is the small store. */
async function verifyFolder(folder: string, isSmall = true): Promise<VerifyReport> {
  const reader = openReaderOfLockedFolder(folder);
  const options = { openBlob: createBlobDecrypter(reader, sealKey), anchor: readAnchor(join(root, 'anchor'))! };
  const verified = await verifyStore(reader, isSmall ? options : {});
  await reader.close();
  return verified;
}

const run = (folder: string) => startPunto(['verify', '--data', folder]);

test('verify accepts a store as it was written', () => {
  const { status, stdout, stderr } = run(small);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^3 streams, \d+ entries, 1 round settled, .*\n1 checkpoint, the last of .*, signed by ed25519:.*\n/,
  );
  expect(stdout.split('\n').slice(2)).toEqual([
    'Every entry is covered by a signature.',
    'No blob was decrypted: there is no key file, or the store has no blobs.',
    'There is no anchor, so the event log may once have reached further.',
    'Everything is as it was written, and all amounts add up.',
    '',
  ]);
});

test('verify with key and anchor reports completeness, or the missing entries', async () => {
  const folder = copied(small, 'anchored');
  writeFileSync(`${folder}.key`, sealKey);
  const whole = await punto(['verify', '--data', folder, '--anchor', join(root, 'anchor')]);
  expect(whole.status).toBe(0);
  expect(whole.stdout).toMatch(
    /Blobs decrypted and equal to .+: 3\.\nThe event log reaches as far as its anchor: to .*, in 3 streams\.\n/,
  );
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec(`
    DELETE FROM entries WHERE stream = 'demo/floor/main' AND sequence = 2;
    UPDATE heads SET sequence = 1, hash = (SELECT hash FROM entries WHERE stream = 'demo/floor/main') WHERE stream = 'demo/floor/main';
    DELETE FROM checkpoints`);
  database.close();
  const less = await punto(['verify', '--data', folder, '--anchor', join(root, 'anchor')]);
  expect(less.status).toBe(1);
  expect(less.stdout).toMatch(
    /\nNo checkpoint is signed yet: .*\nThe stream demo\/floor\/main has only 1 entry, but the anchor lists entry 2\.\n$/,
  );
  expect(less.stderr).toMatch(/1 entry listed in the anchor is missing; .* \(behind-anchor\)\n$/);
  const none = await punto(['verify', '--data', folder, '--anchor', join(root, 'none')]);
  expect(none.stderr).toMatch(/There is no anchor .* \(unreadable-file\)\n$/);
});

describe('verify finds a flipped bit', () => {
  type Row = { readonly [column: string]: string | number | Uint8Array | null };

  /** Flips one bit of a value; a text stays valid text. */
  function flipped(value: Row[string], chance: ReturnType<typeof createSeededRandom>): Row[string] {
    if (typeof value === 'number') return value ^ (1 << chance.below(5));
    if (typeof value === 'string') {
      const entryIndex = chance.below(value.length);
      const other = String.fromCodePoint(value.codePointAt(entryIndex)! ^ (1 << chance.below(5)));
      return value.slice(0, entryIndex) + other + value.slice(entryIndex + 1);
    }
    return value === null ? 'x' : value.with(0, value[0]! ^ 1);
  }

  /** The outcome of flips in each row of a column. */
  async function flips(table: string, column: string): Promise<readonly (string | undefined)[]> {
    const folder = copied(small, `flips-${table}-${column}`);
    const chance = createSeededRandom(`${table} ${column}`);
    const database = new DatabaseSync(join(folder, 'record.sqlite'));
    const keys = (database.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[])
      .filter(({ pk }) => pk > 0)
      .map(({ name }) => name);
    const found: (string | undefined)[] = [];
    for (const row of database.prepare(`SELECT * FROM ${table}`).all() as Row[]) {
      // A long text gets more flips.
      for (let times = String(row[column]).length > 200 ? 4 : 1; times > 0; times--) {
        const other = { ...row, [column]: flipped(row[column]!, chance) };
        const put = (now: Row, was: Row): void => {
          const where = keys.map((key) => `${key} = ?`).join(' AND ');
          const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`);
          expect(update.run(now[column]!, ...keys.map((key) => was[key]!)).changes).toBe(1);
        };
        try {
          put(other, row);
        } catch (error) {
          // SQLite itself refuses the value.
          found.push(String(error));
          continue;
        }
        const { problem } = await verifyFolder(folder);
        found.push(problem);
        put(row, other);
      }
    }
    database.close();
    expect(found.length).toBeGreaterThan(0);
    expect((await verifyFolder(folder)).problem).toBeUndefined();
    return found;
  }

  test.each([
    ['entries', 'stream'],
    ['entries', 'sequence'],
    ['entries', 'hash'],
    ['entries', 'body'],
    ['entries', 'command'],
    ['entries', 'subject'],
    ['balances', 'account'],
    ['balances', 'amount'],
    ['balances', 'version'],
    ['balances', 'guarded'],
    ['heads', 'stream'],
    ['heads', 'sequence'],
    ['heads', 'hash'],
    ['snapshots', 'stream'],
    ['snapshots', 'sequence'],
    ['snapshots', 'state'],
    ['blobs', 'id'],
    ['blobs', 'bytes'],
    ['heartbeats', 'name'],
    ['checkpoints', 'number'],
    ['checkpoints', 'text'],
    ['checkpoints', 'signature'],
    ['epochs', 'epoch'],
  ])('%s.%s', async (table, column) => {
    expect(await flips(table, column)).not.toContain(undefined);
  });

  test('in a removed subject', async () => {
    const folder = copied(small, 'no-subject');
    const database = new DatabaseSync(join(folder, 'record.sqlite'));
    const first = 'SELECT min(rowid) FROM entries WHERE subject IS NOT NULL';
    expect(database.prepare(`UPDATE entries SET subject = NULL WHERE rowid = (${first})`).run().changes).toBe(1);
    database.close();
    expect((await verifyFolder(folder)).problem).toMatch(/is indexed by the subject null, which is not its own/);
  });

  // Outside the hash chain: who may write, expendable data, and data that a start ignores.
  test.each([
    ['heads', 'epoch'],
    ['snapshots', 'version'],
    ['snapshots', 'hash'],
    ['key_values', 'kind'],
    ['key_values', 'id'],
    ['key_values', 'value'],
    ['epochs', 'at'],
  ])('not in %s.%s, which verify does not check', async (table, column) => {
    expect(new Set(await flips(table, column))).toEqual(new Set([undefined]));
  });

  test('in a heartbeat only if the floor stream contradicts it', async () => {
    expect(new Set(await flips('heartbeats', 'at'))).toContain(undefined);
    const folder = copied(small, 'late beat');
    const database = new DatabaseSync(join(folder, 'record.sqlite'));
    database.exec(`UPDATE heartbeats SET at = at + 7200000 WHERE name = 'floor'`);
    database.close();
    expect((await verifyFolder(folder)).problem).toBe(
      'The floor was closed, but its heartbeat is more than an hour later.',
    );
  });

  test('in every column', () => {
    const database = new DatabaseSync(join(small, 'record.sqlite'), { readOnly: true });
    const columns = database
      .prepare(
        `SELECT m.name AS tab, i.name AS col FROM sqlite_schema m, pragma_table_info(m.name) i WHERE m.type = 'table'`,
      )
      .all();
    database.close();
    expect(columns).toHaveLength(31);
  });
});

const tooLarge = /contains a number that is too large to be exact/;

const tampered: readonly (readonly [what: string, sql: string, found: RegExp])[] = [
  ['an entry removed', `DELETE FROM entries WHERE stream = '${stream}' AND sequence = 9`, /Entry 9 of .* is missing/],
  [
    'a balance changed',
    "UPDATE balances SET amount = amount + 5 WHERE account LIKE '%external%'",
    /The account .*external\/T1 has the balance/,
  ],
  [
    'a command removed from its entry',
    `UPDATE entries SET command = NULL WHERE stream = '${stream}' AND sequence = 9`,
    /Entry 9 of .* cannot be found by the id of its command/,
  ],
  [
    'a tail cut off',
    `DELETE FROM entries WHERE stream = '${stream}' AND sequence = (SELECT max(sequence) FROM entries WHERE stream = '${stream}')`,
    /is not followed by the SettlementPosted of its command/,
  ],
  ['a hash changed', "UPDATE entries SET hash = 'sha256:' || substr(hash, 9) || '0' WHERE sequence = 2", /Entry 2 of/],
  [
    'an entry that is no entry',
    "UPDATE entries SET body = 'x', hash = 'sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' WHERE sequence = 2",
    /Entry 2 of .* is not a well-formed entry/,
  ],
  [
    'an entry before the first',
    `INSERT INTO entries VALUES ('${stream}', -3, 'h', '{}', NULL, NULL)`,
    /Entry -3 of .* has a sequence below 1/,
  ],
  [
    'an entry with a negative sequence',
    `INSERT INTO entries VALUES ('${stream}', ${-(2n ** 63n)}, 'h', '{}', NULL, NULL)`,
    /Entry -\d+ of .* has a sequence below 1/,
  ],
  ['a sequence beyond the safe integers', `UPDATE entries SET sequence = ${2n ** 60n} WHERE sequence = 9`, tooLarge],
  ['an amount beyond the safe integers', `UPDATE balances SET amount = ${2n ** 60n} WHERE guarded = 0`, tooLarge],
  ['an epoch beyond the safe integers', `UPDATE heads SET epoch = ${2n ** 60n}`, tooLarge],
  ['bytes for a text', 'UPDATE entries SET body = CAST(body AS BLOB) WHERE sequence = 9', /Entry 9 of .* is not text/],
  [
    'bytes for a stream',
    "INSERT INTO entries VALUES (x'41', 1, 'h', '{}', NULL, NULL)",
    /column stream of the database table entries contains a value that is not of the type text/,
  ],
  [
    'bytes for an account',
    "INSERT INTO balances VALUES (x'41', 1, 1, 0)",
    /column account of the database table balances contains a value that is not of the type text/,
  ],
  [
    'a text for an amount',
    "UPDATE balances SET amount = 'many'",
    /column amount of the database table balances contains a value that is not of the type number/,
  ],
  [
    'bytes for a state',
    "UPDATE snapshots SET state = x'41'",
    /column state of the database table snapshots contains a value that is not of the type text/,
  ],
  ['a blob removed', "DELETE FROM blobs WHERE id LIKE 'shoe/%'", /The shoe .+ is committed, but its blob is missing/],
  ['a snapshot without a stream', "UPDATE snapshots SET stream = 'x'", /The stream x has a snapshot, but no entries/],
  [
    'a head without a stream',
    "INSERT INTO heads VALUES ('demo/table/x', 0, 'h', 0)",
    /The last entry of the stream demo\/table\/x, entry \d+, has another hash than the stored head\./,
  ],
];

const tamper = (what: string, sql: string): string => {
  const folder = copied(small, what);
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec(sql);
  database.close();
  return folder;
};

test.each(tampered)('%s is found', async (what, sql, found) => {
  expect((await verifyFolder(tamper(what, sql))).problem).toMatch(found);
});

test('verify describes tampering in one sentence', () => {
  const [[, sql, found]] = tampered as [(typeof tampered)[number]];
  const { status, stderr } = run(tamper('run', sql));
  expect(status).toBe(1);
  expect(stderr).toMatch(found);
  expect(stderr).toContain('(damaged-record)');
});

test('verify reports a store whose streams cannot be listed', async () => {
  const folder = tamper('unlisted', `UPDATE heads SET sequence = ${2n ** 60n}`);
  expect(await punto(['verify', '--data', folder])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/too large to be exact; keep the folder .*\(damaged-record\)/) as string,
  });
});

test('verify ignores and reports a snapshot of another schema version', async () => {
  const folder = tamper('other form', 'UPDATE snapshots SET version = 1');
  expect((await verifyFolder(folder)).ignoredSnapshots).toEqual(new Map([[stream, 1]]));
  const { status, stdout } = await punto(['verify', '--data', folder]);
  expect(status).toBe(0);
  expect(stdout).toContain(
    `\nThe snapshot of ${stream} has schema version 1, and this program reads version ${snapshotSchemaVersion}; it was skipped.\n`,
  );
});

test('verify refuses a folder without store, of an older schema version, or in use', async () => {
  expect(run(join(root, 'none'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(unreadable-file)') as string,
  });
  expect(await punto(['verify', '--data', tamper('older', 'PRAGMA user_version = 1')])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(older-record)') as string,
  });
  const store = await openSqliteStore(small);
  expect(run(small)).toMatchObject({ status: 1, stderr: expect.stringContaining('(data-in-use)') as string });
  await store.close();
});

describe('verify in many threads', () => {
  beforeAll(async () => {
    await (await writeStore(await honestStreams(), await openSqliteStore(large))).close();
  });

  /** The problem that several threads find, and their progress. */
  async function verifyInThreads(folder: string, count: number) {
    const reader = openReaderOfLockedFolder(folder);
    const checkers = startVerifyWorkerPool(folder, count);
    const read: number[] = [];
    let all = 0;
    try {
      const verified = await verifyStore(reader, {
        checkers,
        onProgress: (done, of) => void (read.push(done), (all = of)),
      });
      return { verified, read, all };
    } finally {
      await checkers.close();
      await reader.close();
    }
  }

  test('finds what one thread finds and reports progress', async () => {
    const alone = await verifyFolder(large, false);
    expect(alone).toMatchObject({ problem: undefined, streams: 6 });
    const { verified, read, all } = await verifyInThreads(large, 2);
    expect(verified).toEqual(alone);
    expect(read).toHaveLength(6);
    expect(read).toEqual(read.toSorted((one, other) => one - other));
    expect([read.at(-1), all]).toEqual([alone.entries, alone.entries]);
  });

  test('names the first bad entry in the order of the streams', async () => {
    const folder = copied(large, 'damaged');
    const database = new DatabaseSync(join(folder, 'record.sqlite'));
    // The last stream is bad from its first entry, one in the middle later on.
    database.exec(`UPDATE entries SET body = replace(body, 'T3', 'T9') WHERE stream = 'demo/terminal/T3';
      UPDATE entries SET body = replace(body, 'tiger', 'tigre') WHERE stream = 'demo/table/tiger' AND sequence = 90`);
    database.close();
    const alone = await verifyFolder(folder);
    expect(alone.problem).toBe('Entry 90 of demo/table/tiger does not match its hash.');
    expect((await verifyInThreads(folder, 2)).verified).toEqual(alone);
  });

  test('throws an error of a thread', async () => {
    const reader = openReaderOfLockedFolder(large);
    const checkers = startVerifyWorkerPool(join(root, 'none'), 1);
    await expect(verifyStore(reader, { checkers })).rejects.toThrow(/unable to open database file/);
    await checkers.close();
    await reader.close();
  });
});

test('verify reports progress every two seconds', () => {
  let now = 5_000;
  const lines: string[] = [];
  const report = createVerifyProgressPrinter(
    () => now,
    (line) => lines.push(line),
  );
  for (const [later, read] of [
    [1_000, 60_000],
    [1_500, 120_000],
    [500, 130_000],
    [1_500, 500_000],
  ] as const) {
    now += later;
    report(read, 500_000);
  }
  expect(lines).toEqual(['120,000 of 500,000 entries checked', '500,000 of 500,000 entries checked']);
});

test('verify reports how often an amendment was used', () => {
  expect(amendmentText(3, 'Stakes are multiples of a step.', 1200)).toBe(
    'Amendment 3 (Stakes are multiples of a step) was needed for 1,200 commands.',
  );
  expect(amendmentText(4, 'Ties push', 1)).toBe('Amendment 4 (Ties push) was needed for 1 command.');
});
