import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MadeTime, rest } from '../chaos/time.ts';
import { seededChance } from '../../src/floor/chance.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../../src/floor/demo.ts';
import { Floor } from '../../src/floor/floor.ts';
import { verify } from '../../src/verify/verify.ts';
import { seated } from '../floor/made.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-verify-'));
const data = join(root, 'data');
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A small record on a disk: two tables, one terminal that bets, some rounds. */
beforeAll(async () => {
  const time = new MadeTime(1_700_006_400_000);
  const store = await sqliteStore(data);
  const counted = { rounds: 0 };
  let ids = 0;
  const floor = await Floor.open(demoOwner, demoSettings.slice(0, 2), demoPace, {
    store,
    clock: time.clock,
    chance: seededChance('verify'),
    key: randomBytes(32),
    after: time.after,
    id: () => `v-${ids++}`,
    publish: (_, entries) => {
      counted.rounds += entries.filter(({ event }) => event.type === 'RoundSettled').length;
    },
    trouble: (table, error) => {
      throw new Error(`${table}: ${String(error)}`);
    },
    stopped: (table, error) => {
      throw new Error(`${table}: ${String(error)}`);
    },
  });
  const terminal = await seated(floor, 'hash', demoCredit);
  for (let step = 0; counted.rounds < 12 && step < 2000; step++) {
    await time.step();
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const table of floor.tables.values()) {
      const { round, phase } = table.table;
      if (phase === 'betting')
        void table.submit(`b-${ids++}`, {
          type: 'SetSlip',
          who: { terminal },
          round: round!.id,
          slip: { player: 100, tie: 100 },
        });
    }
  }
  await rest();
  for (const table of floor.tables.values()) await table.runner.idle();
  await store.close();
});

const punto = fileURLToPath(new URL('../../bin/punto', import.meta.url));
const run = (folder: string) => spawnSync(process.execPath, [punto, 'verify', '--data', folder], { encoding: 'utf8' });

test('a record that is as it was written verifies', () => {
  const { status, stdout, stderr } = run(data);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^3 streams, \d+ entries, 1[2-9] rounds settled, .*\nEverything is as it was written, and adds up\.\n$/,
  );
});

test('any flipped byte of an entry is found, in its text and in what it is kept under', async () => {
  const chance = seededChance('flips');
  const columns = ['body', 'body', 'body', 'hash', 'command', 'stream'] as const;
  for (let n = 0; n < 40; n++) {
    const folder = join(root, `flip-${n}`);
    cpSync(data, folder, { recursive: true });
    const database = new DatabaseSync(join(folder, 'record.sqlite'));
    const column = columns[n % columns.length]!;
    const rows = database
      .prepare(`SELECT stream, sequence, ${column} AS text FROM entries WHERE ${column} IS NOT NULL`)
      .all() as { stream: string; sequence: number; text: string }[];
    const row = rows[chance.below(rows.length)]!;
    const place = chance.below(row.text.length);
    const other = String.fromCodePoint(row.text.codePointAt(place)! ^ (1 << chance.below(5)));
    const text = row.text.slice(0, place) + other + row.text.slice(place + 1);
    database
      .prepare(`UPDATE entries SET ${column} = ? WHERE stream = ? AND sequence = ?`)
      .run(text, row.stream, row.sequence);
    database.close();
    const store = await sqliteStore(folder);
    const { problem } = await verify(store);
    if (column === 'stream') expect(problem, `${row.sequence} of ${text}`).toMatch(/^Entry \d+ of /);
    else expect(problem, `${column} ${place}`).toContain(`Entry ${row.sequence} of ${row.stream}`);
    await store.close();
    rmSync(folder, { recursive: true });
  }
});

const tampered: readonly (readonly [what: string, sql: string, found: RegExp])[] = [
  [
    'an entry taken out',
    "DELETE FROM entries WHERE stream LIKE '%/table/%' AND sequence = 9",
    /Entry 9 of .* is missing/,
  ],
  [
    'a balance changed',
    "UPDATE balances SET amount = amount + 5 WHERE account LIKE '%external'",
    /The account .*external holds/,
  ],
  [
    'a command taken from its entry',
    "UPDATE entries SET command = NULL WHERE stream LIKE '%/table/%' AND sequence = 9",
    /Entry 9 of .* cannot be found by the id of its command/,
  ],
  [
    'a tail cut off',
    "DELETE FROM entries WHERE stream LIKE '%/table/%' AND sequence = (SELECT max(sequence) FROM entries AS e WHERE e.stream = entries.stream)",
    /is not followed by the SettlementPosted of its command/,
  ],
  ['a hash changed', "UPDATE entries SET hash = 'sha256:' || substr(hash, 9) || '0' WHERE sequence = 3", /Entry 3 of/],
];

test.each(tampered)('%s is found', async (what, sql, found) => {
  const folder = join(root, what.replaceAll(' ', '-'));
  cpSync(data, folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec(sql);
  database.close();
  const { status, stderr } = run(folder);
  expect(status).toBe(1);
  expect(stderr).toMatch(found);
  expect(stderr).toContain('(damaged-record)');
});

test('a folder without a record, and one in use, are refused with one sentence', async () => {
  expect(run(join(root, 'none'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(unreadable-file)') as string,
  });
  const store = await sqliteStore(data);
  expect(run(data)).toMatchObject({ status: 1, stderr: expect.stringContaining('(data-in-use)') as string });
  await store.close();
});
