import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Pipes } from '../../src/cli/command.ts';
import { exampleFile, readProperty } from '../../src/cli/property.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { punto } from './punto.ts';

const folder = mkdtempSync(join(tmpdir(), 'punto-property-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text?: string): string => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

test('init writes a property with comments that can be run as it is, and never writes over a file', async () => {
  const path = file('mine.jsonc');
  const made = await punto(['init', path]);
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toBe(`Written to ${path}; change it to yours, then run \`punto serve --property ${path}\`.\n`);
  expect(readFileSync(path, 'utf8')).toContain('// ');
  const { tables, demo } = readProperty(path, Date.now(), undefined as unknown as Pipes['errors']);
  expect([tables.length, demo]).toEqual([2, null]);
  writeFileSync(path, '// mine\n');
  const again = await punto(['init', path]);
  expect(again).toMatchObject({ status: 1, stdout: '' });
  expect(again.stderr).toMatch(/^punto: There is a file ".*mine\.jsonc" already; .+ \(file-exists\)\n$/);
  expect(readFileSync(path, 'utf8')).toBe('// mine\n');
  expect((await punto(['init', join(folder, 'none', 'x')])).stderr).toMatch(/\(unwritable-output\)\n$/);
});

test('each mistake in a property file is named with its place, and nothing is opened', async () => {
  const data = join(folder, 'untouched');
  const serve = (path: string) => punto(['serve', '--property', path, '--data', data]);
  const wrong = file(
    'wrong.jsonc',
    `{
  // two mistakes, and a table that cannot be
  "owner": { "property": "sg1", "currency": "sgd" },
  "timeZone": "Asia/Singapore", "dayTurns": 6,
  "profile": { "name": "sg", "version": "1", "approved": ["tiger@2021-10-28"] },
  "tables": [
    { "table": "A1", "game": "tiger", "dealing": "virtual", "limits": { "player": [100] } },
  ],
}`,
  );
  const { status, stdout, stderr } = await serve(wrong);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.replaceAll(wrong, 'FILE').split('\n')).toEqual([
    'FILE:3:45: owner.currency is "sgd"; give three capital letters such as SGD.',
    'FILE:7:83: tables[0].limits.player is [100]; give [least, most] in whole minor units.',
    'punto: The property file "FILE" has 2 mistakes; mend it and start again. (bad-property)',
    '',
  ]);
  const twice = await serve(
    file('twice.jsonc', readFileSync(exampleFile, 'utf8').replace(/^ {2}"/m, '  "tables": [], "')),
  );
  expect(twice.stderr).toMatch(/twice\.jsonc:\d+:3: "tables" is given twice here; .+\npunto: .*\(bad-property\)\n$/);
  const torn = await serve(file('torn.jsonc', '{ "owner": '));
  expect(torn.stderr).toMatch(/torn\.jsonc:1:\d+: ValueExpected\n(.*\n)*punto: .*\(bad-property\)\n$/);
  expect((await serve(file('missing.jsonc'))).stderr).toMatch(/cannot be read \(ENOENT\).*\(unreadable-file\)\n$/);
  expect(existsSync(data)).toBe(false);
});

test('a data folder holds one property', async () => {
  const data = join(folder, 'other');
  const store = await sqliteStore(data);
  const note = { id: 'c1', hash: 'x', asked: { type: 'x', who: {} }, brought: {}, decider: 'x@1' };
  await store.append({
    stream: 'sg1/terminal/T1',
    after: 0,
    entries: [{ event: { type: 'x', v: 1, at: 1 }, postings: [], command: note }],
  });
  await store.close();
  const { status, stderr } = await punto(['serve', '--data', data]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^punto: The data folder ".*" holds the record of "sg1"; name another\. \(other-property\)\n$/,
  );
});
