import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandStreams } from '../../../src/cli/support/commandLine.ts';
import { demoPropertyPath, propertyTemplatePath, readProperty } from '../../../src/cli/support/readProperty.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto, puntoUntilOutput, stoppingLine } from '../support/punto.ts';

const folder = temporaryFolder('property');
const file = (name: string, text?: string): string => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

test('the hand-pay limit of the demo is above the first credit of its terminals', () => {
  const { demo, handPay } = readProperty(
    demoPropertyPath,
    Date.now(),
    undefined as unknown as CommandStreams['errors'],
  );
  expect([demo, handPay]).toEqual([{ credit: 100_000 }, 500_000]);
});

test('init writes a commented property that runs as it is, and never overwrites a file', async () => {
  const path = file('mine.jsonc');
  const made = await punto(['init', path]);
  expect([made.status, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toBe(`Wrote ${path}; adapt it to your floor, then run \`punto serve --property ${path}\`.\n`);
  expect(readFileSync(path, 'utf8')).toContain('// ');
  const { tables, demo } = readProperty(path, Date.now(), undefined as unknown as CommandStreams['errors']);
  expect([tables.length, demo]).toEqual([2, null]);
  writeFileSync(path, '// mine\n');
  const again = await punto(['init', path]);
  expect(again).toMatchObject({ status: 1, stdout: '' });
  expect(again.stderr).toMatch(/^punto: The file ".*mine\.jsonc" exists already; .+ \(file-exists\)\n$/);
  expect(readFileSync(path, 'utf8')).toBe('// mine\n');
  expect((await punto(['init', join(folder, 'none', 'x')])).stderr).toMatch(/\(unwritable-output\)\n$/);
});

test('serve reports each mistake in a property file with line and column, and opens nothing', async () => {
  const data = join(folder, 'untouched');
  const serve = (path: string) => punto(['serve', '--property', path, '--data', data]);
  const wrong = file(
    'wrong.jsonc',
    `{
  // two mistakes, and a table that cannot be
  "owner": { "property": "sg1", "currency": "sgd" },
  "timeZone": "Asia/Singapore", "dayStartHour": 6,
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
    'FILE:7:83: tables[0].limits.player is [100]; give [minimum, maximum] in whole minor units.',
    'punto: The property file "FILE" has 2 mistakes; fix it and start again. (bad-property)',
    '',
  ]);
  const twice = await serve(
    file('twice.jsonc', readFileSync(propertyTemplatePath, 'utf8').replace(/^ {2}"/m, '  "tables": [], "')),
  );
  expect(twice.stderr).toMatch(
    /twice\.jsonc:\d+:3: "tables" appears twice in the same object; .+\npunto: .*\(bad-property\)\n$/,
  );
  const torn = await serve(file('torn.jsonc', '{ "owner": '));
  expect(torn.stderr).toMatch(/torn\.jsonc:1:\d+: ValueExpected\n(.*\n)*punto: .*\(bad-property\)\n$/);
  expect((await serve(file('missing.jsonc'))).stderr).toMatch(/cannot be read \(ENOENT\).*\(unreadable-file\)\n$/);
  expect(existsSync(data)).toBe(false);
});

test('a data folder holds one property only', async () => {
  const data = join(folder, 'other');
  const store = await openSqliteStore(data);
  const note = { id: 'c1', hash: 'x', request: { type: 'x', actor: {} }, context: {}, decider: 'x@1' };
  await store.append({
    stream: 'sg1/terminal/T1',
    after: 0,
    entries: [{ event: { type: 'x', v: 1, at: 1 }, postings: [], command: note }],
  });
  await store.close();
  const { status, stderr } = await punto(['serve', '--data', data]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^punto: The data folder ".*" contains the event log of "sg1"; give another store, or the property file of that property\. \(other-property\)\n$/,
  );
});

/** A property with unattended tables. */
const propertyWith = (changes: object, ...tables: readonly string[]): string =>
  JSON.stringify({
    owner: { property: 'sg1', currency: 'SGD' },
    timeZone: 'Asia/Singapore',
    dayStartHour: 6,
    profile: { name: 'sg', version: '1', approved: ['tiger@2021-10-28'] },
    defaults: { game: 'tiger', dealing: 'virtual', attended: false, limits: { '*': [100, 100_000] } },
    tables: tables.map((table) => ({ table })),
    ...changes,
  });
const demo = { profile: { name: 'demo', version: '1', approved: ['tiger@2021-10-28'] }, demo: { credit: 100_000 } };

const serveProperty = (name: string, data: string, property: string) =>
  puntoUntilOutput(['serve', '--property', file(name, property), '--data', data]);
const isOpen = { status: 0, stdout: expect.stringContaining(' is open at http') as string };

const readHeads = async (data: string) => {
  const store = await openSqliteStore(data);
  const heads = [...(await store.heads())];
  await store.close();
  return heads;
};

test('the password of the first administrator is shown at the first start of a property, and at no other', async () => {
  const data = join(folder, 'staffed');
  const property = propertyWith({}, 'E01');
  const first = await serveProperty('staffed.jsonc', data, property);
  expect(first).toMatchObject({ ...isOpen, stderr: stoppingLine });
  const [, password] = /^The first administrator is N-1, with the password (\S+)\. .+ is shown only this once\.$/m.exec(
    first.stdout,
  )!;
  expect(password).toMatch(/^[a-z2-9-]{19}$/);
  expect((await serveProperty('staffed.jsonc', data, property)).stdout).toMatch(
    /^The floor of sg1 is open at (\S+)\nStaff sign in at \1staff\n$/,
  );
  for (const name of ['record.sqlite', 'record.sqlite-wal']) {
    if (existsSync(join(data, name))) expect(readFileSync(join(data, name)).includes(password!)).toBe(false);
  }
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0, stderr: '' });
});

test('serve refuses a store of another currency or kind of floor and leaves it unchanged', async () => {
  const [real, play] = [join(folder, 'real'), join(folder, 'play')];
  expect(await serveProperty('real.jsonc', real, propertyWith({}, 'E01'))).toMatchObject({
    ...isOpen,
    stderr: stoppingLine,
  });
  expect(await serveProperty('play.jsonc', play, propertyWith(demo, 'E01'))).toMatchObject({
    ...isOpen,
    stderr: stoppingLine,
  });
  const before = [await readHeads(real), await readHeads(play)];
  expect(before.flat().map(([stream]) => stream)).toEqual([
    'sg1/floor/main',
    'sg1/staff/main',
    'sg1/table/E01',
    'sg1/floor/main',
    'sg1/staff/main',
    'sg1/table/E01',
  ]);
  const dollars = { owner: { property: 'sg1', currency: 'USD' } };
  for (const [data, changes, expectedText] of [
    [real, dollars, 'has the currency SGD, but its property file has USD'],
    [real, demo, 'is not of a demo, but its property file is'],
    [play, {}, 'is of a demo, but its property file is not'],
  ] as const) {
    const { status, stdout, stderr } = await serveProperty('other.jsonc', data, propertyWith(changes, 'E01'));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `punto: The event log of sg1 ${expectedText}; use another data folder, or correct the property file. (other-property)\n`,
    );
  }
  expect([await readHeads(real), await readHeads(play)]).toEqual(before);
});

test('serve warns of a stored table that is not in the property file, and does not deal it', async () => {
  const data = join(folder, 'less');
  expect(await serveProperty('both.jsonc', data, propertyWith({}, 'E01', 'E02'))).toMatchObject({
    ...isOpen,
    stderr: stoppingLine,
  });
  const remaining = (await readHeads(data)).find(([stream]) => stream === 'sg1/table/E02');
  expect(remaining).toBeDefined();
  expect(await serveProperty('one.jsonc', data, propertyWith({}, 'E01'))).toMatchObject({
    ...isOpen,
    stderr:
      'punto: table E02 is in the event log but not in the property file; the floor does not run this table, and its open stakes wait ' +
      `until the table is in the file again.\n${stoppingLine}`,
  });
  expect(await readHeads(data)).toContainEqual(remaining);
});
