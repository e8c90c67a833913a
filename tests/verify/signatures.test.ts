import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { parseSignedCheckpoint, hashOfText, signCheckpointOrLine } from '../../src/checkpoint/checkpointFormat.ts';
import { loadOrCreateSigner } from '../../src/checkpoint/signingKey.ts';
import { checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { punto } from '../cli/support/punto.ts';
import { temporaryFolder } from '../temporary.ts';
import { honestStreams, tiger, writeStore } from './forgedStore.ts';

const root = temporaryFolder('signatures');
const data = join(root, 'data');

/** An event store with three checkpoints, the last of which is in the anchor. */
beforeAll(async () => {
  const store = await openSqliteStore(data);
  const indexes = { signer: `${data}.signer`, anchor: `${data}.anchor` };
  const { writer } = await checkAndSignStore(store, indexes, Date.now, undefined);
  const { [tiger]: table, ...others } = await honestStreams();
  await writeStore(others, writer.trackedStore());
  await writer.checkpoint();
  await writeStore({ [tiger]: table! }, writer.trackedStore());
  await writer.checkpoint();
  await writer.anchor();
  await store.close();
});

/** The report of verify on the store with other checkpoints, with an anchor if given. */
async function reportOf(name: string, change: (database: DatabaseSync) => void, anchor?: string) {
  const folder = join(root, name);
  cpSync(data, folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  change(database);
  database.close();
  return punto(['verify', '--data', folder, ...(anchor === undefined ? [] : ['--anchor', anchor])]);
}

const anchor = `${data}.anchor`;
const dropFrom = (number: number) => (database: DatabaseSync) =>
  database.exec(`DELETE FROM checkpoints WHERE number >= ${number}`);

test('verify accepts the store as written, fully signed', async () => {
  const { status, stdout } = await reportOf('whole', () => {}, anchor);
  expect(status).toBe(0);
  expect(stdout).toMatch(/\n3 checkpoints, .+\nEvery entry is covered by a signature\.\n/);
});

test.each([
  [3, 2],
  [2, 1],
  [1, 0],
])('verify with the anchor finds checkpoints dropped from number %i on', async (first, left) => {
  const { status, stdout, stderr } = await reportOf(`from-${first}`, dropFrom(first), anchor);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^punto: The anchor lists checkpoint 3, but the event store has only ${left} ${left === 1 ? 'checkpoint' : 'checkpoints'}\\. .+ \\(damaged-record\\)\\n$`,
    ),
  );
  expect(stdout).not.toContain('adds up');
});

test('verify without anchor names the first unsigned entry', async () => {
  const { status, stdout } = await reportOf('alone', dropFrom(3));
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\n2 checkpoints, .+\nEntry 1 of demo\/table\/tiger is the first of \d+ entries without a signature/,
  );
  expect(stdout).toContain('\nThere is no anchor, so the event log may once have reached further.\n');
  const { stdout: less } = await reportOf('alone-2', dropFrom(2));
  expect(less).toMatch(/\nEntry 1 of \S+ is the first of \d+ entries without a signature\.\n/);
});

test('verify finds dropped checkpoints by the starts in the floor stream', async () => {
  const { status, stdout, stderr } = await reportOf('none', dropFrom(1));
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^punto: The stream demo\/floor\/main records a start in epoch 1, but the checkpoint .+ \(damaged-record\)\n$/,
  );
  expect(stdout).not.toContain('adds up');
});

test('verify with the key finds checkpoints of another signer', async () => {
  const stranger = loadOrCreateSigner(join(root, 'stranger'), true);
  const resign = (database: DatabaseSync): void => {
    let previous: string | null = null;
    const all = database.prepare('SELECT number, text, signature FROM checkpoints ORDER BY number').all();
    for (const { number, text, signature } of all as { number: number; text: string; signature: string }[]) {
      const own = signCheckpointOrLine(
        { ...parseSignedCheckpoint({ text, signature })!, previous, signer: stranger.name },
        stranger,
      );
      database
        .prepare('UPDATE checkpoints SET text = ?, signature = ? WHERE number = ?')
        .run(own.text, own.signature, number);
      previous = hashOfText(own.text);
    }
  };
  expect(await reportOf('resigned', resign)).toMatchObject({ status: 0 });
  cpSync(`${data}.signer`, join(root, 'resigned-too.signer'));
  const { status, stderr } = await reportOf('resigned-too', resign);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^punto: The event store is signed by ed25519:.+, but this key is .+ \(wrong-key\)\n$/);
});

test('verify with the anchor finds a replaced checkpoint of the same key', async () => {
  const { status, stderr } = await reportOf(
    'other',
    (database) => {
      const { text, signature } = database
        .prepare('SELECT text, signature FROM checkpoints WHERE number = 3')
        .get() as {
        text: string;
        signature: string;
      };
      const { at, ...rest } = parseSignedCheckpoint({ text, signature })!;
      const other = signCheckpointOrLine({ ...rest, at: at + 1 }, loadOrCreateSigner(`${data}.signer`, false));
      database
        .prepare('UPDATE checkpoints SET text = ?, signature = ? WHERE number = 3')
        .run(other.text, other.signature);
    },
    anchor,
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/^punto: Checkpoint 3 is not the one that the anchor lists\. .+ \(damaged-record\)\n$/);
});

test('verify ignores an incomplete last line of the anchor', async () => {
  const whole = readFileSync(`${data}.anchor`, 'utf8');
  const last = whole.trimEnd().split('\n').at(-1)!;
  const file = join(root, 'half.anchor');
  for (const half of [`${whole}${last.slice(0, 100)}`, whole.slice(0, -10)]) {
    writeFileSync(file, half);
    const { status, stdout, stderr } = await punto(['verify', '--data', data, '--anchor', file]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nThe event log reaches as far as its anchor: to .+ streams\.\n/);
  }
  writeFileSync(file, `${whole}${last.slice(0, 100)}`);
  const { stderr } = await reportOf('half', dropFrom(3), file);
  expect(stderr).toContain('The anchor lists checkpoint 3, but the event store has only 2 checkpoints.');
});
