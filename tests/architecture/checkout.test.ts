import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesIn, changesSince } from '../../scripts/testing/checkout.ts';
import { temporaryFolder } from '../temporary.ts';

test('a file that a test writes into the checkout is noticed, also where git ignores it', () => {
  const folder = temporaryFolder('checkout');
  spawnSync('git', ['init', '-q'], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n*.key\n');
  const before = changesIn(folder);
  for (const name of ['node_modules', 'dist']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), '');
  }
  expect(changesSince(before, folder)).toEqual([]);
  for (const name of ['new', 'private.key']) writeFileSync(join(folder, name), '');
  expect(changesSince(before, folder)).toEqual([
    'changed in the checkout: ?? new',
    'changed in the checkout: !! private.key',
  ]);
});
