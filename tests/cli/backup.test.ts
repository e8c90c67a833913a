import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { Guest, secretOf } from '../server/house.ts';
import { databases, server } from '../store/databases.ts';
import { temporaryFolder } from '../temporary.ts';
import { type Ran, punto, puntoUntilSaid, stoppingLine } from './punto.ts';
import { type Started, demoOf, quickDemoOf, started } from './started.ts';

const root = temporaryFolder('backup');

/** Two tables whose rounds last a few seconds. */
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, quickDemoOf(1_500, 'B01', 'X09')));

/** Stakes something on a round that takes bets; one that has closed by then is followed by another. */
async function bets(guest: Guest, name: string): Promise<void> {
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

/** The keys of a record, and its anchor unless that is left where it is, beside another place. */
function keysFor(place: string, from: string, ...ends: readonly string[]): void {
  for (const end of ends) cpSync(`${from}.${end}`, `${place}.${end}`);
}

const ended = async (floor: Started): Promise<void> => {
  floor.program.kill('SIGTERM');
  expect(await once(floor.program, 'exit')).toEqual([0, null]);
};

const fine = ({ status, stdout, stderr }: Ran, said = ''): string => {
  expect([status, stderr]).toEqual([0, said]);
  return stdout;
};

describe('a backup', () => {
  const { fresh } = databases('backups');
  const addressOf = (database: string): string => `${server}/${database}`;
  /** Where a record lies, in words for a command, and in a folder with another database that its keys lie beside. */
  const placeOf = async (store: 'sqlite' | 'postgres', data: string): Promise<readonly string[]> => [
    '--data',
    data,
    ...(store === 'sqlite' ? [] : ['--store', addressOf(await fresh())]),
  ];
  const onlyWhere = (place: readonly string[]): readonly string[] => (place.length > 2 ? place.slice(2) : place);

  test.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ] as const)(
    'taken of a floor that runs on %s is put into either store, verifies, and is behind its anchor by what came after',
    async (of, other) => {
      const data = join(root, `live-${of}`);
      const place = await placeOf(of, data);
      const floor = await started(['--property', property, ...place]);
      const guest = await Guest.seated(floor, secretOf('a'), 'B01');
      await bets(guest, 'slip-one');
      const file = join(root, `live-${of}.backup`);
      const taken = fine(await punto(['backup', ...onlyWhere(place), '--out', file]));
      expect(taken).toMatch(
        /^\d+ streams, \d+ entries, \d+ accounts of "demo" are in .+\.backup, sha256:[0-9a-f]{64}\.\n/,
      );
      expect(taken).toContain('Keys and anchor are not in it');
      await bets(guest, 'slip-two');
      guest.leave();
      await ended(floor);
      expect(fine(await punto(['verify', ...place]))).toContain('Everything is as it was written, and adds up.');

      for (const store of [of, other]) {
        const back = join(root, `back-${of}-${store}`);
        keysFor(back, data, 'key', 'signer', 'anchor');
        const into = await placeOf(store, back);
        const restored = fine(await punto(['restore', '--from', file, ...into]));
        expect(restored).toContain('Everything is as it was written, and adds up.\n');
        expect(restored).toMatch(/What is sealed \(\d+\) opens with the key at hand/);
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
        await again.says(/is open at/);
        const player = await Guest.seated(again, secretOf('a'), 'B01');
        await bets(player, 'slip-three');
        player.leave();
        await ended(again);
        expect(fine(await punto(['verify', ...into]))).toContain('Everything is as it was written, and adds up.');
        expect(fine(await punto(['export', ...onlyWhere(into)]))).toMatch(
          /"shoes":\["[^\]]+\][^\n]*"type":"ShoesRetired"/,
        );
      }
    },
  );

  test('a backup of the kept store is the same in either store, entry by entry', async () => {
    const folder = join(root, 'kept');
    cpSync(fileURLToPath(new URL('../records/schema-5', import.meta.url)), folder, { recursive: true });
    const [file, again] = [join(root, 'kept.backup'), join(root, 'kept-again.backup')];
    fine(await punto(['backup', '--data', folder, '--out', file]));
    const database = await placeOf('postgres', join(root, 'kept-database'));
    fine(await punto(['restore', '--from', file, ...database]));
    fine(await punto(['backup', ...onlyWhere(database), '--out', again]));
    const back = join(root, 'kept-back');
    fine(await punto(['restore', '--from', again, '--data', back]));
    const exported = await punto(['export', '--data', folder]);
    expect(await punto(['export', '--data', back])).toEqual(exported);
    expect(await punto(['export', ...onlyWhere(database)])).toEqual(exported);
    const verified = fine(await punto(['verify', '--data', back]));
    expect(verified.split('\n')[0]).toBe(fine(await punto(['verify', '--data', folder])).split('\n')[0]);
  });

  describe('of a floor that has ended', () => {
    const data = join(root, 'floor');
    const file = join(root, 'floor.backup');
    beforeAll(async () => {
      fine(await puntoUntilSaid(['serve', '--property', property, '--data', data]), stoppingLine);
      fine(await punto(['backup', '--data', data, '--out', file]));
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

    test('is as far as the anchor knows, and a start goes on where it ends', async () => {
      const back = join(root, 'whole');
      keysFor(back, data, 'key', 'signer', 'anchor');
      expect(fine(await punto(['restore', '--from', file, '--data', back]))).toMatch(
        /\nIt reaches as far as its anchor knows: a start goes on where it ends\.\n$/,
      );
      await ended(await started(['--property', property, '--data', back]));
      fine(await punto(['verify', '--data', back]));
    });

    test('without its anchor is one whose start asks for words, and without its keys one that asks for those', async () => {
      const [lone, bare] = [join(root, 'lone'), join(root, 'bare')];
      keysFor(lone, data, 'key', 'signer');
      expect(fine(await punto(['restore', '--from', file, '--data', lone]))).toMatch(
        /\nA start will say: The anchor .+ is missing, .+ \(anchor-missing\)\n$/,
      );
      const restored = fine(await punto(['restore', '--from', file, '--data', bare]));
      expect(restored).toContain('What is sealed was not opened: its key is not at hand.');
      expect(restored).toMatch(/\nA start will say: .+ is missing; .+ \(wrong-key\)\n$/);
    });

    test('is not put where something lies, in one sentence', async () => {
      expect(await refused(['--from', file, '--data', data], 'folder-not-empty')).toContain('is not empty');
      const other = join(root, 'occupied');
      mkdirSync(other);
      writeFileSync(join(other, 'lock.sqlite'), '');
      await refused(['--from', file, '--data', other], 'folder-not-empty');
      expect(readdirSync(other)).toEqual(['lock.sqlite']);
      const into = await placeOf('postgres', join(root, 'occupied-too'));
      fine(await punto(['restore', '--from', file, ...into]));
      expect(await refused(['--from', file, ...into], 'unusable-data')).toContain('holds a record already');
    });

    test('is not put beside the keys or the anchor of another property, and nothing is there', async () => {
      const other = join(root, 'other');
      const words = ['--property', join(root, 'other.jsonc'), '--data', other];
      writeFileSync(words[1]!, demoOf('B01').replace('"property": "demo"', '"property": "annex"'));
      await ended(await started(words));
      for (const store of ['sqlite', 'postgres'] as const) {
        const place = join(root, `foreign-${store}`);
        keysFor(place, other, 'anchor');
        const into = await placeOf(store, place);
        expect(await refused(['--from', file, ...into], 'other-property')).toContain('The backup is of "demo", and ');
        rmSync(`${place}.anchor`);
        keysFor(place, other, 'key');
        expect(await refused(['--from', file, ...into], 'wrong-key')).toContain('The key does not open');
        rmSync(`${place}.key`);
        keysFor(place, other, 'signer');
        await refused(['--from', file, ...into], 'wrong-key');
        rmSync(`${place}.signer`);
        if (store === 'postgres') {
          expect((await punto(['verify', ...into])).stderr).toContain('(missing-record)');
        }
        fine(await punto(['restore', '--from', file, ...into]));
      }
    });

    test('that was cut, has changed, is newer or none at all is one sentence', async () => {
      const text = readFileSync(file, 'utf8');
      const changed = text.replace('\\"v\\":1', '\\"v\\":7');
      expect(changed).not.toBe(text);
      const lines = changed.slice(0, -72);
      const wrong = join(root, 'wrong.backup');
      const into = await placeOf('postgres', join(root, 'unrestored'));
      for (const [content, code] of [
        [text.slice(0, -100), 'damaged-backup'],
        [changed, 'damaged-backup'],
        // Whoever changes it and its digest as well breaks a chain.
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

    test('is never written over, nor taken where there is no record', async () => {
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
