import { existsSync, statSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './temporary.ts';

const folder = temporaryFolder('lazy');
const wasMadeOnLoad = existsSync(folder);
let wasMadeForHooks = false;
let ofHook = '';
beforeAll(() => {
  wasMadeForHooks = existsSync(folder);
  ofHook = temporaryFolder('hook');
});

test('the temporary folder of a test file is made when its tests begin, not when the file loads', () => {
  expect([wasMadeOnLoad, wasMadeForHooks]).toEqual([false, true]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a temporary folder is made at once in a hook and in a test', () => {
  expect([ofHook, temporaryFolder('test')].map((path) => existsSync(path))).toEqual([true, true]);
});
