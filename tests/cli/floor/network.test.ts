import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { loadOrCreateDataKey } from '../../../src/runtime/encryption/dataKey.ts';
import { SecretBindings } from '../../../src/runtime/terminals/secretBindings.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto, puntoUntilOutput, stoppingLine } from '../support/punto.ts';

const folder = temporaryFolder('network');

/** Runs serve until it prints its address; returns its standard error. */
async function serveErrors(...args: readonly string[]): Promise<string> {
  const signals = new EventEmitter();
  const errors = new Kept();
  const output = new Writable({
    write(_, __, done) {
      done();
      output.emit('output');
    },
  });
  const firstOutput = once(output, 'output');
  const ended = run(['serve', ...args], { input: Readable.from([]), output, errors, signals });
  await Promise.race([firstOutput, ended]);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
  return errors.text;
}

test('serve warns of missing TLS only when it listens beyond this machine', async () => {
  expect(await serveErrors('--data', join(folder, 'activity'))).toBe(stoppingLine);
  expect(await serveErrors('--data', join(folder, 'activity'), '--host', 'localhost', '--proxy', '::1')).toBe(
    stoppingLine,
  );
  const warned = await serveErrors('--data', join(folder, 'there'), '--host', '0.0.0.0', '--proxy', '10.0.0.0/8');
  expect(warned.replace(stoppingLine, '')).toMatch(
    /^punto: other machines can reach 0\.0\.0\.0 without TLS: .+ behind a proxy with TLS\.\n$/,
  );
});

test('serve prints the code of the one-click sign-in when other machines can reach the demo', async () => {
  const text = async (...args: readonly string[]): Promise<string> =>
    (await puntoUntilOutput(['serve', '--data', join(folder, 'there'), ...args])).stdout;
  expect(await text('--host', '0.0.0.0')).toMatch(
    /\nOther machines can reach this demo: the one-click sign-in of staff needs the code \w{4}-\w{4} until the server stops\.\n/,
  );
  expect(await text()).not.toContain('code');
});

test('serve refuses an empty --host', async () => {
  const refused = await punto(['serve', '--data', join(folder, 'none'), '--host', '']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toBe(
    'punto: --host is empty; write a value after it, or leave it out. (malformed-argument)\n',
  );
});

test('serve refuses a malformed --proxy', async () => {
  for (const proxy of ['proxy.example', '10.0.0.0/33', '']) {
    const refused = await punto(['serve', '--data', join(folder, 'none'), '--proxy', proxy]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^punto: --proxy is .+; write an address or .+ \(malformed-argument\)\n$/);
  }
});

test('revoke disconnects a terminal from its secret, once', async () => {
  const data = join(folder, 'revoked');
  const store = await openSqliteStore(data);
  const key = loadOrCreateDataKey(`${data}.key`, true);
  const links = new SecretBindings(store, key);
  await links.bind('a', 'T1');
  await links.bind('b', 'T2');
  await store.close();
  const done = { status: 0, stdout: 'All keys of T1 are revoked; no browser or device can use it.\n', stderr: '' };
  expect(await punto(['revoke', '--data', data, 'T1'])).toEqual(done);
  const again = await punto(['revoke', '--data', data, 'T1']);
  expect(again).toMatchObject({ status: 1, stdout: '' });
  expect(again.stderr).toBe(
    'punto: No browser or device has a key for the terminal "T1"; give another terminal. (unknown-terminal)\n',
  );
  const after = await openSqliteStore(data);
  const bindings = new SecretBindings(after, key);
  await bindings.load();
  expect(['a', 'b'].map((secret) => [bindings.terminalOf(secret), bindings.isRevoked(secret)])).toEqual([
    [undefined, true],
    ['T2', false],
  ]);
  // Not while a floor runs on it.
  expect((await punto(['revoke', '--data', data, 'T2'])).stderr).toMatch(/\(data-in-use\)\n$/);
  await after.close();
  expect(await punto(['revoke', '--data', data])).toMatchObject({ status: 2, stdout: '' });
  expect((await punto(['revoke', '--data', join(folder, 'nothing'), 'T1'])).stderr).toMatch(/\(missing-record\)\n$/);
});

test('enrol creates a key for a terminal and each of its devices, shown once; revoke removes all of them', async () => {
  const data = join(folder, 'enrolled');
  const store = await openSqliteStore(data);
  const key = loadOrCreateDataKey(`${data}.key`, true);
  await store.close();
  const enrol = (...args: readonly string[]) => punto(['enrol', '--data', data, ...args]);
  const keys = new Map<string, string>();
  for (const role of ['terminal', 'acceptor', 'printer']) {
    const { status, stdout, stderr } = await enrol('--as', role, 'E7');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, secretText] =
      new RegExp(`^The key of the ${role} E7, shown only this once: ([0-9a-f]{64})\n$`).exec(stdout) ?? [];
    keys.set(role, createHash('sha256').update(secretText!).digest('hex'));
  }
  expect(new Set(keys.values()).size).toBe(3);
  expect((await enrol('E7')).stderr).toBe(
    'punto: The terminal of E7 has a key already; revoke it first, with `punto revoke E7`. (already-enrolled)\n',
  );
  const after = await openSqliteStore(data);
  const links = new SecretBindings(after, key);
  expect(await links.load()).toEqual([]);
  expect(links.terminalOf(keys.get('terminal')!)).toBe('E7');
  for (const role of ['acceptor', 'printer']) {
    expect(links.terminalOf(keys.get(role)!)).toBeUndefined();
    expect(links.device(keys.get(role)!)).toEqual({ terminal: 'E7', role });
  }
  expect((await enrol('E8')).stderr).toMatch(/\(data-in-use\)\n$/);
  await after.close();
  expect(await punto(['revoke', '--data', data, 'E7'])).toMatchObject({ status: 0 });
  expect(await enrol('E7')).toMatchObject({ status: 0 });
});

test('enrol is refused before the first start and names punto serve', async () => {
  const none = join(folder, 'none-yet');
  const { status, stderr } = await punto(['enrol', '--data', none, 'E7']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^punto: There is no event log in ".+" yet; start the floor once .+ \(missing-record\)\n$/);
  expect(existsSync(none)).toBe(false);
});

test('enrol refuses malformed arguments', async () => {
  const enrol = (...args: readonly string[]) => punto(['enrol', '--data', join(folder, 'nothing'), ...args]);
  expect((await enrol()).stderr).toBe('punto: Give the terminal, as in `punto enrol T7`. (missing-argument)\n');
  expect((await enrol('T 7')).stderr).toMatch(/^punto: The terminal is "T 7"; .+ \(malformed-argument\)\n$/);
  expect((await enrol('--as', 'bank', 'T7')).stderr).toBe(
    'punto: --as is "bank"; write one of terminal, acceptor, printer, shoe. (malformed-argument)\n',
  );
  expect((await enrol('T7')).stderr).toMatch(/\(missing-record\)\n$/);
});
