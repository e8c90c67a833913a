import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../freePort.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { started } from '../support/serverProcess.ts';

/** A working directory with the demo data of an earlier program, its keys and its anchors. */
function withOlderDemo(name: string): string {
  const cwd = temporaryFolder(name);
  mkdirSync(join(cwd, 'data'));
  const database = new DatabaseSync(join(cwd, 'data', 'record.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE entries (body TEXT); PRAGMA user_version = 4;');
  database.close();
  for (const end of ['key', 'signer', 'anchor', 'anchor.before-1']) writeFileSync(join(cwd, `data.${end}`), end);
  writeFileSync(join(cwd, 'data.csv'), 'of the user');
  return cwd;
}

const demo = ['data', 'data.anchor', 'data.csv', 'data.key', 'data.signer'];

test('the demo moves data of an earlier schema aside with keys and anchors, says so, and starts anew', async () => {
  const cwd = withOlderDemo('older');
  const { output, program } = await started(['--port', String(await freePort())], { cwd });
  expect(output()).toMatch(
    /^punto: The demo data in \S+data was written by an earlier version; it is now in \S+data-older-1, and a new demo starts\.\n/,
  );
  program.kill('SIGKILL');
  const moved = ['', '.anchor', '.anchor.before-1', '.key', '.signer'].map((end) => `data-older-1${end}`);
  expect(readdirSync(cwd).toSorted()).toEqual([...demo, ...moved].toSorted());
  expect(readFileSync(join(cwd, 'data-older-1.key'), 'utf8')).toBe('key');
});

test('a move that was interrupted is completed under the same name, and a second move gets another', async () => {
  const cwd = withOlderDemo('half');
  writeFileSync(join(cwd, 'data-older-2.key'), 'key');
  mkdirSync(join(cwd, 'data-older-1'));
  const { output } = await started(['--port', String(await freePort())], { cwd });
  expect(output()).toMatch(/it is now in \S+data-older-2, /);
  expect(readdirSync(cwd)).toEqual(expect.arrayContaining(['data-older-1', 'data-older-2', 'data-older-2.anchor']));
});

test.each([
  ['a named folder', ['--data', 'data']],
  ['a property of its own', ['--property', 'floor.jsonc']],
])('data of an earlier schema is refused and left alone with %s', async (_, words) => {
  const cwd = withOlderDemo('refused');
  writeFileSync(join(cwd, 'floor.jsonc'), readFileSync(new URL('../../../properties/demo.jsonc', import.meta.url)));
  const before = readdirSync(cwd);
  const { output } = await started([...words, '--port', String(await freePort())], { cwd });
  expect(output()).toMatch(/has schema 4, and this program reads schema 7 and later; .+ \(older-record\)\n$/);
  expect(readdirSync(cwd)).toEqual(before);
});

test('every command refuses an event store of an earlier schema in one sentence', async () => {
  const data = join(withOlderDemo('commands'), 'data');
  for (const command of ['verify', 'export', 'backup']) {
    const { status, stderr } = await punto([
      command,
      '--data',
      data,
      ...(command === 'backup' ? ['--out', `${data}.b`] : []),
    ]);
    expect([status, stderr], command).toEqual([1, expect.stringMatching(/^punto: .+ \(older-record\)\n$/)]);
  }
});
