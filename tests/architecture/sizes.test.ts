import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Sized, bytesIn, megabytes, packagesOf } from '../../bench/support/sizes.ts';
import { root } from './sources.ts';

const demo = packagesOf('demo');
const runtime = packagesOf('runtime');
const total = (packages: readonly Sized[]): number =>
  megabytes(packages.reduce((bytes, one) => bytes + (one.bytes ?? Number.NaN), 0));

test('bench/sizes.json has the measured size of every package that npm start installs', () => {
  for (const { name, folder, bytes } of [...demo, ...runtime]) {
    expect(bytes, `${name}; \`npm run bench -- install\` renews bench/sizes.json`).toBeGreaterThan(0);
    if (existsSync(folder)) expect(bytesIn(folder, true), name).toBe(bytes);
  }
});

test('npm start installs at most 110 MB on Node 24, and 300 MB on an older Node', () => {
  expect(total(demo)).toBeLessThanOrEqual(110);
  expect(runtime).toHaveLength(1);
  expect(total([...demo, ...runtime])).toBeLessThanOrEqual(300);
});

test('README.md states the megabytes that npm start installs on Node 24 and on an older Node', () => {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const [, recent, older] = /: (\d+) MB with Node 24, and (\d+) MB with an older Node/.exec(page)!;
  // npm's own notes and the folders between packages take up to 1 MB more.
  const isStated = (stated: string | undefined, measured: number): boolean =>
    Number(stated) >= measured && Number(stated) - measured <= 2;
  expect(isStated(recent, total(demo)), `${recent} MB for ${total(demo)}`).toBe(true);
  expect(isStated(older, total([...demo, ...runtime])), `${older} MB for ${total([...demo, ...runtime])}`).toBe(true);
});

test('npm start installs no browser, database, compiler, linter or test runner', () => {
  const names = demo.map(({ name }) => name);
  expect(
    names.filter((name) => /chromium|playwright|postgres@|typescript|oxlint|oxfmt|knip|stryker|vitest/.test(name)),
  ).toEqual([]);
});
