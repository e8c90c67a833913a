import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/temporary.ts';
import { UnusableStore } from '../store.ts';
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
  ['mysql://u@a/d', `This is no address of a database${way}`],
  ['postgres://a/d', `The address names no user${way}`],
  ['postgres://@a/d', `The address names no user${way}`],
  [
    'postgres://u:secret@a/d',
    'A password does not belong into the address of a database, where others see it; put it into PGPASSWORD, or into a file that the address names as ?passfile=FILE.',
  ],
  ['postgres://u@a', `The address names no database${way}`],
  ['postgres://u@a/', `The address names no database${way}`],
  ['postgres://u@a/d/e', `The address names more than one database${way}`],
  ['postgres://u@/d', `The address names no host, or an empty one${way}`],
  ['postgres://u@a,/d', `The address names no host, or an empty one${way}`],
  ['postgres://u@a:b/d', `The address holds "a:b", which is no host with its port${way}`],
  ['postgres://u@::1/d', `The address holds "::1", which is no host with its port${way}`],
  ['postgres://u@a:0/d', `The address holds "a:0", whose port is none from 1 to 65535${way}`],
  ['postgres://u@a:65536/d', `The address holds "a:65536", whose port is none from 1 to 65535${way}`],
  ['postgres://u@a/d%', `The address holds a broken sign in "d%"${way}`],
  [
    'postgres://u@a/d?pool=3',
    'The address ends with "pool=3", which says nothing here; it may end with sslmode=, sslrootcert=, passfile=.',
  ],
  [
    'postgres://u@a/d?sslmode',
    'The address ends with "sslmode", which says nothing here; it may end with sslmode=, sslrootcert=, passfile=.',
  ],
  ['postgres://u@a/d?sslmode=require&sslmode=require', `The address says sslmode twice${way}`],
  ['postgres://u@a/d?sslmode=prefer', 'The address says sslmode=prefer, and it can be disable, require, verify-full.'],
  [
    'postgres://u@a/d?sslmode=require&sslrootcert=x',
    `The address names certificates (sslrootcert) that only sslmode=verify-full looks at${way}`,
  ],
  [
    'postgres://u@a/d?passfile=/none/there',
    'The file "/none/there" that the address names cannot be read (ENOENT); name one that can.',
  ],
])('%s is refused in one sentence', (text, sentence) => {
  expect(() => parseConnectionUrl(text)).toThrow(new UnusableStore(sentence));
});

test('parseConnectionUrl refuses a password file that is empty or readable by others', () => {
  const empty = file('empty', '\nsecret');
  expect(() => parseConnectionUrl(`postgres://u@a/d?passfile=${empty}`)).toThrow(
    'holds no password; write it into its first line.',
  );
});

test('a file with a password that others may read is refused', ({ skip }) => {
  skip(process.platform === 'win32', 'Windows keeps rights by other means');
  const open = file('open', 'secret', 0o640);
  expect(() => parseConnectionUrl(`postgres://u@a/d?passfile=${open}`)).toThrow('take their rights away (chmod 600).');
});
