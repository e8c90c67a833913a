import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/temporary.ts';
import { UnusableStoreError } from '../store.ts';
import { parseConnectionUrl, redactedUrl } from './connectionUrl.ts';

const folder = temporaryFolder('address');

const file = (name: string, text: string, rights = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, rights);
  return path;
};

test('parseConnectionUrl reads user, hosts with ports, and database', () => {
  expect(parseConnectionUrl('postgres://punto@a.example:6000,b.example/the%20record')).toEqual({
    hosts: [
      { host: 'a.example', port: 6000 },
      { host: 'b.example', port: 5432 },
    ],
    user: 'punto',
    database: 'the record',
    sslMode: 'verify-full',
  });
  expect(parseConnectionUrl('postgresql://p%40q@[::1]:6000,127.0.0.1,localhost/d')).toEqual({
    hosts: [
      { host: '::1', port: 6000 },
      { host: '127.0.0.1', port: 5432 },
      { host: 'localhost', port: 5432 },
    ],
    user: 'p@q',
    database: 'd',
    sslMode: 'disable',
  });
});

test('sslmode defaults to verify-full for hosts other than loopback', () => {
  const modeOf = (end: string): string => parseConnectionUrl(`postgres://u@a,127.0.0.1/d${end}`).sslMode;
  expect([modeOf(''), modeOf('?sslmode=disable'), modeOf('?sslmode=require')]).toEqual([
    'verify-full',
    'disable',
    'require',
  ]);
});

test('parseConnectionUrl reads password and certificates from files', () => {
  const [password, authority] = [file('password', 'se cret\nmore'), file('authority', 'PEM', 0o644)];
  const address = parseConnectionUrl(
    `postgres://u@a/d?passfile=${password}&sslmode=verify-full&sslrootcert=${authority}`,
  );
  expect(address).toMatchObject({ password: 'se cret', caCertificates: 'PEM' });
  expect(redactedUrl(address)).toBe('postgres://u@a:5432/d');
});

const way = '; write it as postgres://user@host:5432,host:5432/database.';

test.each([
  ['mysql://u@a/d', `This is not a database URL${way}`],
  ['postgres://a/d', `The database URL has no user${way}`],
  ['postgres://@a/d', `The database URL has no user${way}`],
  [
    'postgres://u:secret@a/d',
    'A database URL must not contain a password, because others can see it; set PGPASSWORD, or name a file with ?passfile=FILE.',
  ],
  ['postgres://u@a', `The database URL has no database${way}`],
  ['postgres://u@a/', `The database URL has no database${way}`],
  ['postgres://u@a/d/e', `The database URL has more than one database${way}`],
  ['postgres://u@/d', `The database URL has no host, or an empty host in its list${way}`],
  ['postgres://u@a,/d', `The database URL has no host, or an empty host in its list${way}`],
  ['postgres://u@a:b/d', `The database URL contains "a:b", which is not a host with a port${way}`],
  ['postgres://u@::1/d', `The database URL contains "::1", which is not a host with a port${way}`],
  ['postgres://u@a:0/d', `The database URL contains "a:0", whose port is not between 1 and 65535${way}`],
  ['postgres://u@a:65536/d', `The database URL contains "a:65536", whose port is not between 1 and 65535${way}`],
  ['postgres://u@a/d%', `The database URL has an invalid character code in "d%"${way}`],
  [
    'postgres://u@a/d?pool=3',
    'The database URL has the parameter "pool=3", which is not supported or has no value; use sslmode=, sslrootcert=, passfile=.',
  ],
  [
    'postgres://u@a/d?sslmode',
    'The database URL has the parameter "sslmode", which is not supported or has no value; use sslmode=, sslrootcert=, passfile=.',
  ],
  ['postgres://u@a/d?sslmode=require&sslmode=require', 'The database URL has sslmode twice; remove one of them.'],
  [
    'postgres://u@a/d?sslmode=prefer',
    'The database URL has sslmode=prefer, but it can only be disable, require, verify-full.',
  ],
  [
    'postgres://u@a/d?sslmode=require&sslrootcert=x',
    'The database URL has sslrootcert, which only sslmode=verify-full uses; use that mode, or remove sslrootcert.',
  ],
  [
    'postgres://u@a/d?passfile=/none/there',
    'The file "/none/there" in the database URL cannot be read (ENOENT); name another file.',
  ],
])('%s is refused in one sentence', (text, sentence) => {
  expect(() => parseConnectionUrl(text)).toThrow(new UnusableStoreError(sentence));
});

test('parseConnectionUrl refuses a password file that is empty or readable by others', () => {
  const empty = file('empty', '\nsecret');
  expect(() => parseConnectionUrl(`postgres://u@a/d?passfile=${empty}`)).toThrow(
    'contains no password; write it in the first line.',
  );
});

test('a file with a password that others may read is refused', ({ skip }) => {
  skip(process.platform === 'win32', 'Windows has no permission bits');
  const open = file('open', 'secret', 0o640);
  expect(() => parseConnectionUrl(`postgres://u@a/d?passfile=${open}`)).toThrow('make the file private (chmod 600).');
});
