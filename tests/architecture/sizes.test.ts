import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Sized, bytesIn, megabytes, packagesOf } from '../../bench/support/sizes.ts';

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

test('npm start installs no browser, database, compiler, linter or test runner', () => {
  const names = demo.map(({ name }) => name);
  expect(
    names.filter((name) => /chromium|playwright|postgres@|typescript|oxlint|oxfmt|knip|stryker|vitest/.test(name)),
  ).toEqual([]);
});
