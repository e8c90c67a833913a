import { EventEmitter, once } from 'node:events';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { root } from '../../architecture/sources.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto, stoppingLine } from '../support/punto.ts';
import { started } from '../support/serverProcess.ts';

const folder = temporaryFolder('serve');

test('serve prints both addresses as its help says, answers, refuses a second start on the same data, and closes cleanly', async () => {
  const data = join(folder, 'data');
  const { program, output, address } = await started(['--data', data]);
  expect(output()).toBe(
    `Punto's demo floor is open at ${address}\nStaff sign in at ${address}staff (one click in this demo)\n`,
  );
  const { stdout: help } = await punto(['serve', '--help']);
  expect(help).toContain('\nPrints the addresses for patrons and for staff. ');
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const redirect = await fetch(`${address}staff`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/sign-in']);
  expect((await fetch(`${address}staff`)).status).toBe(200);
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<script type="module"');
  if (process.platform !== 'win32') expect(statSync(`${data}.key`).mode & 0o777).toBe(0o600);

  const second = await punto(['serve', '--data', data]);
  expect(second).toMatchObject({ status: 1, stdout: '' });
  expect(second.stderr).toMatch(/^punto: Another program uses the data folder .+ \(data-in-use\)\n$/);
  const port = new URL(address).port;
  const third = await punto(['serve', '--data', join(folder, 'other'), '--port', port]);
  expect(third).toMatchObject({ status: 1, stdout: '' });
  expect(third.stderr).toMatch(/\(address-unavailable\)\n$/);

  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(output().split('\n').slice(2).join('\n')).toBe(stoppingLine);
});

test.each([[], ['--log', 'json']])(
  'serve prints at once and only once that it stops when Ctrl-C arrives twice, and exits 0 (%s)',
  async (...log) => {
    const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
    const args = ['serve', '--data', join(folder, `stopped${log.length}`), ...log];
    const ended = run(args, { input: Readable.from([]), output, errors, signals });
    while (!output.text.includes('is open at')) await Promise.race([once(output, 'kept'), ended]);
    const before = errors.text;
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    const printed = errors.text.slice(before.length);
    if (log.length === 0) expect(printed).toBe(stoppingLine.replace('SIGTERM', 'SIGINT'));
    else expect(JSON.parse(printed)).toMatchObject({ level: 'info', event: 'stopping', signal: 'SIGINT' });
    expect(await ended).toBe(0);
    signals.emit('SIGTERM');
    expect(errors.text.match(/no more bets/g)).toHaveLength(1);
  },
);

test('serve refuses a store without its encryption key and leaves it unchanged', async () => {
  const data = join(folder, 'data');
  const key = `${data}.key`;
  renameSync(key, `${key}.kept`);
  const missing = await punto(['serve', '--data', data]);
  expect(missing).toMatchObject({ status: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^punto: The key .+ is missing; put back .+ \(wrong-key\)\n$/);
  expect(existsSync(key)).toBe(false);
  for (const [bytes, expectedText] of [
    [32, /^punto: The data key is not .+; put back .+ \(wrong-key\)\n$/],
    [31, /^punto: The key .+ has 31 bytes instead of 32; put back .+ \(wrong-key\)\n$/],
  ] as const) {
    writeFileSync(key, new Uint8Array(bytes));
    const wrong = await punto(['serve', '--data', data]);
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toMatch(expectedText);
  }
  renameSync(`${key}.kept`, key);
  const { program, output } = await started(['--data', data]);
  expect(output()).toContain('http');
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('serve refuses a damaged store', async () => {
  const data = join(folder, 'damaged');
  // Through bin/punto as an older Node runs it: the runner hands the signal on, and takes over the exit code.
  const older =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})';
  const { program, output } = await started(['--data', data], {
    start: ['--import', older, join(root, 'bin', 'punto')],
  });
  expect(output()).toContain('http');
  program.kill('SIGINT');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(output()).toContain('punto: SIGINT received: no more bets are accepted');
  const database = new DatabaseSync(join(data, 'record.sqlite'));
  database.exec("UPDATE entries SET body = replace(body, 'TableOpened', 'TableOpenEd') WHERE sequence = 1");
  database.close();
  const refused = await punto(['serve', '--data', data]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^punto: Entry 1 of demo\/table\/.+; keep the folder .+ \(damaged-record\)\n$/);
  writeFileSync(join(data, 'record.sqlite'), 'no record at all');
  rmSync(join(data, 'record.sqlite-wal'), { force: true });
  const none = await punto(['serve', '--data', data]);
  expect(none.stderr).toMatch(/^punto: The file .+ is not an event store; keep .+ \(damaged-record\)\n$/);
});

test('serve refuses a store of a newer schema and leaves it unchanged', async () => {
  const data = join(folder, 'other');
  const database = new DatabaseSync(join(data, 'record.sqlite'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  const refused = await punto(['serve', '--data', data]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^punto: The event store has schema 99, .+ \(newer-record\)\n$/);
});

test('serve refuses a malformed port and an unusable folder', async () => {
  for (const port of ['0', '65536', 'http', '-1']) {
    expect(await punto(['serve', `--port=${port}`])).toMatchObject({ status: 2, stdout: '' });
  }
  const refused = await punto(['serve', '--data', join(root, 'package.json', 'data')]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/\(unusable-data\)\n$/);
});

test('serve refuses a clock far from the store, and --clock accept continues from the time of the store', async () => {
  const data = join(folder, 'later');
  const year = 365 * 24 * 3_600_000;
  const store = await openSqliteStore(data);
  const futureTime = Date.now() + 30 * year;
  await store.recordHeartbeats(['floor'], futureTime);
  await store.close();
  const refused = await punto(['serve', '--data', data]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^punto: The clock of this machine shows .+ `--clock accept` .+ 10950 days .+ \(clock-far\)\n$/,
  );
  expect(await punto(['serve', '--data', data, '--clock', 'yes'])).toMatchObject({ status: 2, stdout: '' });
  const { program, output, address } = await started(['--data', data, '--clock', 'accept']);
  expect(output()).toMatch(/punto: the clock of this machine was changed from .+ to .+\n/);
  const guest = await PatronSocket.join({ address }, secretOf('1'));
  expect((await guest.receive('welcome')).at).toBeGreaterThanOrEqual(futureTime);
  guest.terminate();
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});
