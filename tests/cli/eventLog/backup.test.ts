import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { withClient } from '../../store/postgres/postgres.ts';
import { databasePath } from '../../../src/store/sqlite/dataFolder.ts';
import { freePort } from '../../freePort.ts';
import { temporaryFolder } from '../../temporary.ts';
import { type RunResult, punto, puntoUntilOutput, stoppingLine } from '../support/punto.ts';
import { type ServerProcess, demoOf, quickDemoOf, started } from '../support/serverProcess.ts';

const root = temporaryFolder('backup');

/** Two tables whose rounds last a few seconds. */
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, quickDemoOf(1_500, 'B01', 'X09')));

/** Bets on an open round; tries the next round if bets close meanwhile. */
async function placeBet(guest: PatronSocket, name: string): Promise<void> {
  for (let n = 1; ; n++) {
    const id = `${name}-${n}`;
    const { table, view } = await guest.receive(
      'table',
      (one) => one.view.phase === 'betting' && one.view.round !== null,
      guest.received.length - 1,
    );
    guest.send({ type: 'slip', id, table, round: view.round!.id, slip: { banker: 500 } });
    const answer = await Promise.any([
      guest.receive('accepted', (one) => one.id === id),
      guest.receive('refused', (one) => one.id === id),
    ]);
    if (answer.type === 'accepted') return;
    expect(answer.code).toBe('bets-closed');
  }
}

/** Copies the keys and the anchor of a store for another folder. */
function copyKeys(targetFolder: string, from: string, ...extensions: readonly string[]): void {
  for (const end of extensions) cpSync(`${from}.${end}`, `${targetFolder}.${end}`);
}

const stopServer = async (floor: ServerProcess): Promise<void> => {
  floor.program.kill('SIGTERM');
  expect(await once(floor.program, 'exit')).toEqual([0, null]);
};

const expectSuccess = ({ status, stdout, stderr }: RunResult, expectedText = ''): string => {
  expect([status, stderr]).toEqual([0, expectedText]);
  return stdout;
};

describe('a backup', () => {
  const { createDatabase } = databases('backups');
  const addressOf = (database: string): string => `${server}/${database}`;
  /** Options of a store; its keys are next to the data folder. */
  const storeArgsOf = async (store: 'sqlite' | 'postgres', data: string): Promise<readonly string[]> => [
    '--data',
    data,
    ...(store === 'sqlite' ? [] : ['--store', addressOf(await createDatabase())]),
  ];
  const sourceArgs = (storeArgs: readonly string[]): readonly string[] =>
    storeArgs.length > 2 ? storeArgs.slice(2) : storeArgs;

  test.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ] as const)(
    'of a running floor on %s is restored into either kind of store, verifies, and is behind its anchor',
    async (of, other) => {
      const data = join(root, `live-${of}`);
      const storeArgs = await storeArgsOf(of, data);
      const floor = await started(['--property', property, ...storeArgs]);
      const guest = await PatronSocket.join(floor, secretOf('a'), 'B01');
      await placeBet(guest, 'slip-one');
      const file = join(root, `live-${of}.backup`);
      const printed = expectSuccess(await punto(['backup', ...sourceArgs(storeArgs), '--out', file]));
      expect(printed).toMatch(
        /^\d+ streams, \d+ entries, \d+ accounts of "demo" are in .+\.backup, sha256:[0-9a-f]{64}\.\n/,
      );
      expect(printed).toContain('The backup contains neither the keys nor the anchor');
      await placeBet(guest, 'slip-two');
      guest.terminate();
      await stopServer(floor);
      expect(expectSuccess(await punto(['verify', ...storeArgs]))).toContain(
        'Everything is as it was written, and all amounts add up.',
      );

      for (const store of [of, other]) {
        const back = join(root, `back-${of}-${store}`);
        copyKeys(back, data, 'key', 'signer', 'anchor');
        const into = await storeArgsOf(store, back);
        const restored = expectSuccess(await punto(['restore', '--from', file, ...into]));
        expect(restored).toContain('Everything is as it was written, and all amounts add up.\n');
        expect(restored).toMatch(/Blobs decrypted and equal to .+: \d+\./);
        const [, refusal, confirmation] =
          /\nA start will print: (The event store ends too early: .+ --go-on "([^"]+)"\.) \(behind-anchor\)\n$/.exec(
            restored,
          )!;
        const behind = await punto(['verify', ...into]);
        expect(behind.stderr).toContain('(behind-anchor)');
        const serveArgs = ['--property', property, ...into];
        expect((await punto(['serve', ...serveArgs])).stderr).toBe(`punto: ${refusal} (behind-anchor)\n`);
        if (store === of) continue;
        // With the confirmation the floor goes on, with other shoes.
        const again = await started([...serveArgs, '--go-on', confirmation!]);
        await again.waitForOutput(/is open at/);
        const patron = await PatronSocket.join(again, secretOf('a'), 'B01');
        await placeBet(patron, 'slip-three');
        patron.terminate();
        await stopServer(again);
        expect(expectSuccess(await punto(['verify', ...into]))).toContain(
          'Everything is as it was written, and all amounts add up.',
        );
        expect(expectSuccess(await punto(['export', ...sourceArgs(into)]))).toMatch(
          /"shoes":\["[^\]]+\][^\n]*"type":"ShoesRetired"/,
        );
      }
    },
  );

  test('of the kept store is the same in SQLite and PostgreSQL, entry by entry', async () => {
    const folder = join(root, 'kept');
    cpSync(fileURLToPath(new URL('../../records/schema-7', import.meta.url)), folder, { recursive: true });
    const [file, again] = [join(root, 'kept.backup'), join(root, 'kept-again.backup')];
    expectSuccess(await punto(['backup', '--data', folder, '--out', file]));
    const database = await storeArgsOf('postgres', join(root, 'kept-database'));
    expectSuccess(await punto(['restore', '--from', file, ...database]));
    expectSuccess(await punto(['backup', ...sourceArgs(database), '--out', again]));
    const back = join(root, 'kept-back');
    expectSuccess(await punto(['restore', '--from', again, '--data', back]));
    const exported = await punto(['export', '--data', folder]);
    expect(await punto(['export', '--data', back])).toEqual(exported);
    expect(await punto(['export', ...sourceArgs(database)])).toEqual(exported);
    const verified = expectSuccess(await punto(['verify', '--data', back]));
    expect(verified.split('\n')[0]).toBe(expectSuccess(await punto(['verify', '--data', folder])).split('\n')[0]);
  });

  test.each(['sqlite', 'postgres'] as const)(
    'of a property on %s with a live table that was never opened verifies and restores',
    async (of) => {
      const file = join(root, `unopened-${of}.jsonc`);
      expectSuccess(await punto(['init', file]));
      const data = join(root, `unopened-${of}`);
      const storeArgs = await storeArgsOf(of, data);
      const floor = await started(['--property', file, ...storeArgs, '--port', String(await freePort())]);
      await floor.waitForOutput(/is open at/);
      // The lease of each table is renewed after the floor has opened.
      if (of === 'postgres') {
        const database = new URL(storeArgs.at(-1)!).pathname.slice(1);
        const leaseEnd = async (): Promise<string | undefined> => {
          const { rows } = await withClient(server, database, (client) =>
            client.query("SELECT until::text FROM leases WHERE name LIKE '%/table/B02'"),
          );
          return (rows[0] as { readonly until: string } | undefined)?.until;
        };
        const pollOptions = { timeout: 120_000 };
        await expect.poll(leaseEnd, pollOptions).toBeDefined();
        const first = await leaseEnd();
        await expect.poll(leaseEnd, pollOptions).not.toBe(first);
      }
      await stopServer(floor);
      expectSuccess(await punto(['verify', ...storeArgs]));
      const backup = join(root, `unopened-${of}.backup`);
      expect(expectSuccess(await punto(['backup', ...storeArgs, '--out', backup]))).toMatch(
        /\nThe backup was restored into a temporary folder: everything is as it was written, and all amounts add up\.\nBlobs decrypted /,
      );
      const back = join(root, `unopened-back-${of}`);
      expectSuccess(await punto(['restore', '--from', backup, ...(await storeArgsOf(of, back))]));
    },
  );

  test.each(['sqlite', 'postgres'] as const)(
    'of a store on %s that would not restore is refused, and leaves no file',
    async (of) => {
      const data = join(root, `unfit-${of}`);
      const storeArgs = await storeArgsOf(of, data);
      const floor = await started(['--property', property, ...storeArgs, '--port', String(await freePort())]);
      await floor.waitForOutput(/is open at/);
      await stopServer(floor);
      // Each entry has its right hash, so that only verification finds this.
      const forged = "INSERT INTO heartbeats (name, at) VALUES ('demo/table/none', 1)";
      if (of === 'postgres') {
        const address = storeArgs.at(-1)!;
        await withClient(server, new URL(address).pathname.slice(1), (client) => client.query(forged));
      } else {
        const database = new DatabaseSync(databasePath(data));
        database.exec(forged);
        database.close();
      }
      const before = readdirSync(root).toSorted();
      const backup = join(root, `unfit-${of}.backup`);
      const { status, stdout, stderr } = await punto(['backup', ...sourceArgs(storeArgs), '--out', backup]);
      expect([status, stdout, stderr]).toEqual([
        1,
        '',
        'punto: There is a heartbeat of demo/table/none, but no such stream. A backup of this store could not be restored, so no backup was written; keep the store as it is and call the auditor. (damaged-record)\n',
      ]);
      expect(readdirSync(root).toSorted()).toEqual(before);
    },
  );

  describe('of a closed floor', () => {
    const data = join(root, 'floor');
    const file = join(root, 'floor.backup');
    beforeAll(async () => {
      expectSuccess(await puntoUntilOutput(['serve', '--property', property, '--data', data]), stoppingLine);
      expectSuccess(await punto(['backup', '--data', data, '--out', file]));
    });

    const refused = async (args: readonly string[], code: string): Promise<string> => {
      const before = readdirSync(root).toSorted();
      const { status, stdout, stderr } = await punto(['restore', ...args]);
      expect([status, stdout]).toEqual([args.includes('--from') ? 1 : 2, '']);
      expect(stderr).toMatch(new RegExp(`^punto: [^\\n]+ \\(${code}\\)\\n$`));
      // Nothing is left that a start would take for a record.
      expect(readdirSync(root).toSorted()).toEqual(before);
      return stderr;
    };

    test('reaches as far as the anchor, and serve continues from its end', async () => {
      const back = join(root, 'whole');
      copyKeys(back, data, 'key', 'signer', 'anchor');
      expect(expectSuccess(await punto(['restore', '--from', file, '--data', back]))).toMatch(
        /\nThe event log reaches as far as its anchor\. The next start continues after the last entry of each stream\.\n$/,
      );
      await stopServer(await started(['--property', property, '--data', back]));
      expectSuccess(await punto(['verify', '--data', back]));
    });

    test('needs --go-on when its anchor is missing, and its keys when they are missing', async () => {
      const [lone, bare] = [join(root, 'lone'), join(root, 'bare')];
      copyKeys(lone, data, 'key', 'signer');
      expect(expectSuccess(await punto(['restore', '--from', file, '--data', lone]))).toMatch(
        /\nA start will print: The anchor .+ is missing, .+ \(anchor-missing\)\n$/,
      );
      const restored = expectSuccess(await punto(['restore', '--from', file, '--data', bare]));
      expect(restored).toContain('No blob was decrypted: there is no key file, or the store has no blobs.');
      expect(restored).toMatch(/\nA start will print: .+ is missing; .+ \(wrong-key\)\n$/);
    });

    test('is refused when the target folder or database is not empty', async () => {
      expect(await refused(['--from', file, '--data', data], 'folder-not-empty')).toContain('is not empty');
      const other = join(root, 'occupied');
      mkdirSync(other);
      writeFileSync(join(other, 'lock.sqlite'), '');
      await refused(['--from', file, '--data', other], 'folder-not-empty');
      expect(readdirSync(other)).toEqual(['lock.sqlite']);
      const into = await storeArgsOf('postgres', join(root, 'occupied-too'));
      expectSuccess(await punto(['restore', '--from', file, ...into]));
      expect(await refused(['--from', file, ...into], 'unusable-data')).toContain('already contains an event store');
    });

    test('is refused beside the keys or the anchor of another property, and restores nothing', async () => {
      const other = join(root, 'other');
      const args = ['--property', join(root, 'other.jsonc'), '--data', other];
      writeFileSync(args[1]!, demoOf('B01').replace('"property": "demo"', '"property": "annex"'));
      await stopServer(await started(args));
      for (const store of ['sqlite', 'postgres'] as const) {
        const targetFolder = join(root, `foreign-${store}`);
        copyKeys(targetFolder, other, 'anchor');
        const into = await storeArgsOf(store, targetFolder);
        expect(await refused(['--from', file, ...into], 'other-property')).toContain('The backup is of "demo", but ');
        rmSync(`${targetFolder}.anchor`);
        copyKeys(targetFolder, other, 'key');
        expect(await refused(['--from', file, ...into], 'wrong-key')).toContain(
          'The data key is not the key of this store',
        );
        rmSync(`${targetFolder}.key`);
        copyKeys(targetFolder, other, 'signer');
        await refused(['--from', file, ...into], 'wrong-key');
        rmSync(`${targetFolder}.signer`);
        if (store === 'postgres') {
          expect((await punto(['verify', ...into])).stderr).toContain('(missing-record)');
        }
        expectSuccess(await punto(['restore', '--from', file, ...into]));
      }
    });

    test('is refused with one sentence when it is truncated, altered, newer or no backup', async () => {
      const text = readFileSync(file, 'utf8');
      const changed = text.replace('\\"v\\":1', '\\"v\\":7');
      expect(changed).not.toBe(text);
      const lines = changed.slice(0, -72);
      const wrong = join(root, 'wrong.backup');
      const into = await storeArgsOf('postgres', join(root, 'unrestored'));
      for (const [content, code] of [
        [text.slice(0, -100), 'damaged-backup'],
        [changed, 'damaged-backup'],
        // A change of the lines and of the digest breaks a chain.
        [`${lines}sha256:${createHash('sha256').update(lines).digest('hex')}\n`, 'damaged-record'],
        [text.replace('"version":1', '"version":2'), 'newer-record'],
        ['nothing', 'damaged-backup'],
      ] as const) {
        writeFileSync(wrong, content);
        await refused(['--from', wrong, '--data', join(root, 'unrestored')], code);
        await refused(['--from', wrong, ...into], code);
      }
      await refused(['--from', join(root, 'none.backup')], 'unreadable-file');
      await refused([], 'missing-argument');
      expect(existsSync(join(root, 'unrestored'))).toBe(false);
    });

    test('is refused when the file exists or there is no store', async () => {
      const there = await punto(['backup', '--data', data, '--out', file]);
      expect(there.stderr).toMatch(/^punto: ".+" exists already; give another file\. \(file-exists\)\n$/);
      const out = join(root, 'no.backup');
      const kept = join(root, 'other.backup.check', 'note');
      mkdirSync(join(root, 'other.backup.check'));
      writeFileSync(kept, 'another file');
      for (const [args, code] of [
        [['--data', data, '--out', join(root, 'other.backup')], 'file-exists'],
        [['--data', data], 'missing-argument'],
        [['--data', join(root, 'nowhere'), '--out', out], 'unreadable-file'],
        [['--data', data, '--out', join(root, 'nowhere', 'no.backup')], 'unwritable-output'],
        [['--store', addressOf(await createDatabase()), '--out', out], 'missing-record'],
      ] as const) {
        expect((await punto(['backup', ...args])).stderr).toMatch(new RegExp(`^punto: [^\\n]+ \\(${code}\\)\\n$`));
      }
      expect([existsSync(out), existsSync(kept)]).toEqual([false, true]);
    });
  });
});
