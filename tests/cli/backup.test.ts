import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { Guest, secretOf } from '../server/house.ts';
import { databases, server } from '../store/databases.ts';
import { temporaryFolder } from '../temporary.ts';
import { type RunResult, punto, puntoUntilSaid, stoppingLine } from './punto.ts';
import { type ServerProcess, demoOf, quickDemoOf, started } from './started.ts';

const root = temporaryFolder('backup');

/** Two tables whose rounds last a few seconds. */
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, quickDemoOf(1_500, 'B01', 'X09')));

/** Bets on an open round; tries the next round if bets close meanwhile. */
async function placeBet(guest: Guest, name: string): Promise<void> {
  for (let n = 1; ; n++) {
    const id = `${name}-${n}`;
    const { table, view } = await guest.hears(
      'table',
      (one) => one.view.phase === 'betting' && one.view.round !== null,
      guest.heard.length - 1,
    );
    guest.say({ type: 'slip', id, table, round: view.round!.id, slip: { banker: 500 } });
    const answer = await Promise.any([
      guest.hears('accepted', (one) => one.id === id),
      guest.hears('refused', (one) => one.id === id),
    ]);
    if (answer.type === 'accepted') return;
    expect(answer.code).toBe('bets-closed');
  }
}

/** Copies keys and anchor of a store beside another folder. */
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
  const { fresh } = databases('backups');
  const addressOf = (database: string): string => `${server}/${database}`;
  /** Options of a store for a command, and the folder that its keys are beside. */
  const placeOf = async (store: 'sqlite' | 'postgres', data: string): Promise<readonly string[]> => [
    '--data',
    data,
    ...(store === 'sqlite' ? [] : ['--store', addressOf(await fresh())]),
  ];
  const onlyWhere = (targetFolder: readonly string[]): readonly string[] =>
    targetFolder.length > 2 ? targetFolder.slice(2) : targetFolder;

  test.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ] as const)(
    'of a running floor on %s is restored into either kind of store, verifies, and is behind its anchor',
    async (of, other) => {
      const data = join(root, `live-${of}`);
      const targetFolder = await placeOf(of, data);
      const floor = await started(['--property', property, ...targetFolder]);
      const guest = await Guest.seated(floor, secretOf('a'), 'B01');
      await placeBet(guest, 'slip-one');
      const file = join(root, `live-${of}.backup`);
      const taken = expectSuccess(await punto(['backup', ...onlyWhere(targetFolder), '--out', file]));
      expect(taken).toMatch(
        /^\d+ streams, \d+ entries, \d+ accounts of "demo" are in .+\.backup, sha256:[0-9a-f]{64}\.\n/,
      );
      expect(taken).toContain('Keys and anchor are not in it');
      await placeBet(guest, 'slip-two');
      guest.leave();
      await stopServer(floor);
      expect(expectSuccess(await punto(['verify', ...targetFolder]))).toContain(
        'Everything is as it was written, and adds up.',
      );

      for (const store of [of, other]) {
        const back = join(root, `back-${of}-${store}`);
        copyKeys(back, data, 'key', 'signer', 'anchor');
        const into = await placeOf(store, back);
        const restored = expectSuccess(await punto(['restore', '--from', file, ...into]));
        expect(restored).toContain('Everything is as it was written, and adds up.\n');
        expect(restored).toMatch(/Blobs decrypted with the key, .+: \d+\./);
        const [, told, words] =
          /\nA start will say: (The record ends too early: .+ --go-on "([^"]+)"\.) \(behind-anchor\)\n$/.exec(
            restored,
          )!;
        const behind = await punto(['verify', ...into]);
        expect(behind.stderr).toContain('(behind-anchor)');
        const words2 = ['--property', property, ...into];
        expect((await punto(['serve', ...words2])).stderr).toBe(`punto: ${told} (behind-anchor)\n`);
        if (store === of) continue;
        // By those words the floor goes on, with other shoes.
        const again = await started([...words2, '--go-on', words!]);
        await again.waitForOutput(/is open at/);
        const player = await Guest.seated(again, secretOf('a'), 'B01');
        await placeBet(player, 'slip-three');
        player.leave();
        await stopServer(again);
        expect(expectSuccess(await punto(['verify', ...into]))).toContain(
          'Everything is as it was written, and adds up.',
        );
        expect(expectSuccess(await punto(['export', ...onlyWhere(into)]))).toMatch(
          /"shoes":\["[^\]]+\][^\n]*"type":"ShoesRetired"/,
        );
      }
    },
  );

  test.each([2, 4])('of schema %i is the same in SQLite and PostgreSQL, entry by entry', async (form) => {
    const folder = join(root, `form-${form}`);
    cpSync(fileURLToPath(new URL(`../records/form-${form}`, import.meta.url)), folder, { recursive: true });
    const [file, again] = [join(root, `form-${form}.backup`), join(root, `form-${form}-again.backup`)];
    expectSuccess(await punto(['backup', '--data', folder, '--out', file]));
    const database = await placeOf('postgres', join(root, `form-${form}-database`));
    expectSuccess(await punto(['restore', '--from', file, ...database]));
    expectSuccess(await punto(['backup', ...onlyWhere(database), '--out', again]));
    const back = join(root, `form-${form}-back`);
    expectSuccess(await punto(['restore', '--from', again, '--data', back]));
    const exported = await punto(['export', '--data', folder]);
    expect(await punto(['export', '--data', back])).toEqual(exported);
    expect(await punto(['export', ...onlyWhere(database)])).toEqual(exported);
    const verified = expectSuccess(await punto(['verify', '--data', back]));
    expect(verified.split('\n')[0]).toBe(expectSuccess(await punto(['verify', '--data', folder])).split('\n')[0]);
  });

  describe('of a closed floor', () => {
    const data = join(root, 'floor');
    const file = join(root, 'floor.backup');
    beforeAll(async () => {
      expectSuccess(await puntoUntilSaid(['serve', '--property', property, '--data', data]), stoppingLine);
      expectSuccess(await punto(['backup', '--data', data, '--out', file]));
    });

    const refused = async (words: readonly string[], code: string): Promise<string> => {
      const before = readdirSync(root).toSorted();
      const { status, stdout, stderr } = await punto(['restore', ...words]);
      expect([status, stdout]).toEqual([words.includes('--from') ? 1 : 2, '']);
      expect(stderr).toMatch(new RegExp(`^punto: [^\\n]+ \\(${code}\\)\\n$`));
      // Nothing is left that a start would take for a record.
      expect(readdirSync(root).toSorted()).toEqual(before);
      return stderr;
    };

    test('reaches as far as the anchor, and serve continues from its end', async () => {
      const back = join(root, 'whole');
      copyKeys(back, data, 'key', 'signer', 'anchor');
      expect(expectSuccess(await punto(['restore', '--from', file, '--data', back]))).toMatch(
        /\nIt reaches as far as its anchor knows: a start goes on where it ends\.\n$/,
      );
      await stopServer(await started(['--property', property, '--data', back]));
      expectSuccess(await punto(['verify', '--data', back]));
    });

    test('needs --go-on when its anchor is missing, and its keys when they are missing', async () => {
      const [lone, bare] = [join(root, 'lone'), join(root, 'bare')];
      copyKeys(lone, data, 'key', 'signer');
      expect(expectSuccess(await punto(['restore', '--from', file, '--data', lone]))).toMatch(
        /\nA start will say: The anchor .+ is missing, .+ \(anchor-missing\)\n$/,
      );
      const restored = expectSuccess(await punto(['restore', '--from', file, '--data', bare]));
      expect(restored).toContain('Blobs were not decrypted: the key is not there.');
      expect(restored).toMatch(/\nA start will say: .+ is missing; .+ \(wrong-key\)\n$/);
    });

    test('is refused when the target folder or database is not empty', async () => {
      expect(await refused(['--from', file, '--data', data], 'folder-not-empty')).toContain('is not empty');
      const other = join(root, 'occupied');
      mkdirSync(other);
      writeFileSync(join(other, 'lock.sqlite'), '');
      await refused(['--from', file, '--data', other], 'folder-not-empty');
      expect(readdirSync(other)).toEqual(['lock.sqlite']);
      const into = await placeOf('postgres', join(root, 'occupied-too'));
      expectSuccess(await punto(['restore', '--from', file, ...into]));
      expect(await refused(['--from', file, ...into], 'unusable-data')).toContain('holds a record already');
    });

    test('is refused beside the keys or the anchor of another property, and restores nothing', async () => {
      const other = join(root, 'other');
      const words = ['--property', join(root, 'other.jsonc'), '--data', other];
      writeFileSync(words[1]!, demoOf('B01').replace('"property": "demo"', '"property": "annex"'));
      await stopServer(await started(words));
      for (const store of ['sqlite', 'postgres'] as const) {
        const targetFolder = join(root, `foreign-${store}`);
        copyKeys(targetFolder, other, 'anchor');
        const into = await placeOf(store, targetFolder);
        expect(await refused(['--from', file, ...into], 'other-property')).toContain('The backup is of "demo", and ');
        rmSync(`${targetFolder}.anchor`);
        copyKeys(targetFolder, other, 'key');
        expect(await refused(['--from', file, ...into], 'wrong-key')).toContain('The key does not open');
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
      const into = await placeOf('postgres', join(root, 'unrestored'));
      for (const [content, code] of [
        [text.slice(0, -100), 'damaged-backup'],
        [changed, 'damaged-backup'],
        // A change of the lines and of the digest breaks a chain.
        [`${lines}sha256:${createHash('sha256').update(lines).digest('hex')}\n`, 'damaged-record'],
        [text.replace('"form":1', '"form":2'), 'newer-record'],
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
      expect(there.stderr).toMatch(/^punto: ".+" is there already; name another file\. \(file-exists\)\n$/);
      const out = join(root, 'no.backup');
      for (const [words, code] of [
        [['--data', data], 'missing-argument'],
        [['--data', join(root, 'nowhere'), '--out', out], 'unreadable-file'],
        [['--data', data, '--out', join(root, 'nowhere', 'no.backup')], 'unwritable-output'],
        [['--store', addressOf(await fresh()), '--out', out], 'missing-record'],
      ] as const) {
        expect((await punto(['backup', ...words])).stderr).toMatch(new RegExp(`^punto: [^\\n]+ \\(${code}\\)\\n$`));
      }
      expect(existsSync(out)).toBe(false);
    });
  });
});
