import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';
import { filesNotRun, testFiles } from '../../scripts/testing/files.ts';
import { testsOnOldestPostgres } from '../store/postgres/binaries.ts';
import { temporaryFolder } from '../temporary.ts';

test('files of tests are found by every name and in every folder but those of packages and built files', () => {
  const folder = temporaryFolder('files');
  const tests = [
    ...['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].flatMap((end) => [`any/a.test.${end}`, `a.spec.${end}`]),
    'deep/er/b.test.ts',
    'src/dist/c.test.ts',
  ];
  const others = [
    'node_modules/a.test.ts',
    'any/node_modules/b/b.test.js',
    'dist/c.test.js',
    '.git/d.test.ts',
    'any/test.ts',
  ];
  for (const path of [...tests, ...others]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  expect(testFiles(folder)).toEqual(tests.toSorted());
});

test('a test file of which no run has a result is named', () => {
  expect(filesNotRun(['a.test.ts', 'b.test.ts'], [{ path: 'b.test.ts' }])).toEqual(['a.test.ts']);
});

test('every test file of the project is in one project of vitest.config.ts', () => {
  const projects = (config.test!.projects as { test: { include: readonly string[] } }[]).map(
    ({ test: { include } }) => include,
  );
  const isIn = (path: string, include: readonly string[]): boolean =>
    include.some((glob) => !glob.startsWith('!') && matchesGlob(path, glob)) &&
    !include.some((glob) => glob.startsWith('!') && matchesGlob(path, glob.slice(1)));
  const files = testFiles();
  expect(files.length).toBeGreaterThan(300);
  expect(testsOnOldestPostgres.filter((path) => !files.includes(path))).toEqual([]);
  expect(files.filter((path) => projects.filter((include) => isIn(path, include)).length !== 1)).toEqual([]);
});
