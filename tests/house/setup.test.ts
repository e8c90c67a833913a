import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isComplete } from '../../scripts/setup.mjs';
import { root } from './sources.ts';

type Packages = Parameters<typeof isComplete>[0];

const wanted: Packages = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'x' },
  'node_modules/here': { version: '1.0.0', integrity: 'y', optional: true },
  'node_modules/elsewhere': { version: '1.0.0', integrity: 'z', optional: true },
};
const { 'node_modules/a': a, 'node_modules/here': here } = wanted as Required<Packages>;
const noted: Packages = { 'node_modules/a': a!, 'node_modules/here': here! };
const there = (): boolean => true;

test('what is noted down, there and equal to the lockfile is complete', () => {
  expect(isComplete(wanted, noted, there, 'node_modules/here')).toBe(true);
});

test('another version, another content, a missing or a surplus package, an absent folder or runtime is not', () => {
  expect(isComplete(wanted, { ...noted, 'node_modules/a': { ...a!, version: '1.0.1' } }, there)).toBe(false);
  expect(isComplete(wanted, { ...noted, 'node_modules/a': { ...a!, integrity: 'w' } }, there)).toBe(false);
  expect(isComplete(wanted, { 'node_modules/here': here! }, there)).toBe(false);
  expect(isComplete(wanted, { ...noted, 'node_modules/b': a! }, there)).toBe(false);
  expect(isComplete(wanted, noted, (path) => path !== 'node_modules/a')).toBe(false);
  expect(isComplete(wanted, { 'node_modules/a': a! }, there, 'node_modules/here')).toBe(false);
  expect(isComplete(wanted, { 'node_modules/a': a! }, there)).toBe(true);
});

/** Runs on the Node at hand as though it were too old for TypeScript, so that the packaged one takes over. */
const asNode20 = (script: string, words: readonly string[], input = '') =>
  spawnSync(
    process.execPath,
    [
      '--import',
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
      script,
      ...words,
    ],
    { cwd: tmpdir(), input, encoding: 'utf8' },
  );

test('on an older Node the packaged one takes over: input, output and exit code are handed on', () => {
  const bin = join(root, 'bin', 'punto');
  expect(asNode20(bin, ['--version'])).toMatchObject({ status: 0, stdout: 'punto 0.2.0\n', stderr: '' });
  expect(asNode20(bin, ['lobby'])).toMatchObject({ status: 2, stdout: '' });
  expect(asNode20(bin, ['rules', 'lion'])).toMatchObject({ status: 1, stdout: '' });
  const piped = asNode20(bin, ['certain', '--jsonl'], '{"game":"tiger","cards":[]}\n');
  expect(piped).toMatchObject({ status: 0, stdout: '{"established":false,"won":[],"lost":[]}\n' });
});

test('the runner runs through a link too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'punto-link-'));
  try {
    const link = join(folder, 'run.mjs');
    symlinkSync(join(root, 'scripts', 'run.mjs'), link);
    const ran = spawnSync(process.execPath, [link, 'src/cli/main.ts', '--version'], { encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stdout: 'punto 0.2.0\n' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
