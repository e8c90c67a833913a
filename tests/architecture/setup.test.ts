import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Packages, type Scope, differences } from '../../scripts/setup.mjs';
import { asOlder, projectForOlder } from './olderNode.ts';
import { root } from './sources.ts';

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' };

const locked = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'a' },
  'node_modules/tool': { version: '1.0.0', integrity: 't', dev: true },
  'node_modules/both': { version: '1.0.0', integrity: 'b', devOptional: true },
  'node_modules/here': { version: '1.0.0', integrity: 'h', optional: true, os: ['linux'], cpu: 'x64', libc: ['glibc'] },
  'node_modules/musl': { version: '1.0.0', integrity: 'm', optional: true, os: ['linux'], cpu: ['x64'], libc: 'musl' },
  'node_modules/there': { version: '1.0.0', integrity: 'o', optional: true, os: 'darwin', cpu: ['x64'] },
  'node_modules/of-there': { version: '1.0.0', integrity: 'p', optional: true },
} satisfies Packages;

const noted = (...names: readonly string[]): Packages =>
  Object.fromEntries(
    names.map((name) => [`node_modules/${name}`, locked[`node_modules/${name}` as keyof typeof locked]]),
  );

const differing = (installed: Packages, scope: Scope, absent?: string): readonly string[] =>
  differences(locked, installed, (path) => path !== absent, scope, linux);

describe('an installation', () => {
  test('is complete for the demo without the packages flagged dev, and then not for all', () => {
    expect(differing(noted('a', 'here'), 'demo')).toEqual([]);
    expect(differing(noted('a', 'here'), 'all')).toEqual(['node_modules/tool', 'node_modules/both']);
  });

  test('of all packages is complete for the demo too', () => {
    const all = noted('a', 'tool', 'both', 'here');
    expect(differing(all, 'all')).toEqual([]);
    expect(differing(all, 'demo')).toEqual([]);
  });

  test('differs when a package has another version or content, is missing or is not in the lockfile', () => {
    const a = { version: '1.0.0', integrity: 'a' };
    const complete = noted('a', 'here');
    expect(differing({ ...complete, 'node_modules/a': { ...a, version: '1.0.1' } }, 'demo')).toEqual([
      'node_modules/a',
    ]);
    expect(differing({ ...complete, 'node_modules/a': { ...a, integrity: 'x' } }, 'demo')).toEqual(['node_modules/a']);
    expect(differing(noted('here'), 'demo')).toEqual(['node_modules/a']);
    expect(differing({ ...complete, 'node_modules/x': a }, 'demo')).toEqual(['node_modules/x']);
    expect(differing(complete, 'demo', 'node_modules/a')).toEqual(['node_modules/a']);
  });

  test('requires the optional packages of this platform and no others', () => {
    expect(differing(noted('a'), 'demo')).toEqual(['node_modules/here']);
    const onMac = { os: 'darwin', cpu: 'x64', libc: 'none' };
    expect(differences(locked, noted('a'), () => true, 'demo', onMac)).toEqual(['node_modules/there']);
  });

  test('for the demo may have a development package in another version', () => {
    const tool = { 'node_modules/tool': { version: '0.9.0', integrity: 'x', dev: true } };
    expect(differing({ ...noted('a', 'here'), ...tool }, 'demo')).toEqual([]);
  });
});

// Starts of a project with three packages, with an npm that only writes what the real one would write.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'punto-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, content: string | object): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
};

const npm = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const words = process.argv.slice(2);
const calls = process.env.NPM_CALLS;
const folder = basename(process.cwd()) === 'runtime' ? 'runtime: ' : '';
appendFileSync(calls, folder + words.filter((word) => !/^--(ignore-scripts|no-audit|no-fund|loglevel)/.test(word)).join(' ') + '\\n');
const end = process.env.NPM_DOES;
if (end === 'fail') process.exit(1);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const wanted = Object.entries(packages).filter(([path, entry]) => path && !(entry.dev && words.includes('--omit=dev')));
for (const [path] of wanted) {
  mkdirSync(path, { recursive: true });
  writeFileSync(path + '/package.json', '{}');
}
if (end === 'hang') setInterval(() => {}, 1000);
else if (end !== 'forget') writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }));
`;

function smallProject(): void {
  for (const file of ['scripts/run.mjs', 'scripts/setup.mjs']) cpSync(join(root, file), join(folder, file));
  put('package-lock.json', {
    packages: { '': {}, 'node_modules/a': { version: '1' }, 'node_modules/tool': { version: '1', dev: true } },
  });
  const bin = { node: 'bin/node' };
  const { platform: os, arch: cpu } = process;
  put('scripts/runtime/package-lock.json', {
    packages: { '': {}, 'node_modules/node': { version: '24', os, cpu, bin } },
  });
  put('src/cli/main.ts', 'console.log("demo runs");');
  put('scripts/tool.ts', 'console.log("tool runs");');
  put('npm-cli.js', npm);
}

const callsMade = (): readonly string[] => {
  const file = join(folder, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

type Does = 'install' | 'fail' | 'hang' | 'forget';

const environment = (does: Does): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_execpath: join(folder, 'npm-cli.js'),
  NPM_CALLS: join(folder, 'calls'),
  NPM_DOES: does,
});

const start = (program: string, does: Does = 'install', flags: readonly string[] = []): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...flags, 'scripts/run.mjs', program], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(does),
  });

const demo = 'src/cli/main.ts';
const tool = 'scripts/tool.ts';

describe('a start', () => {
  beforeEach(smallProject);

  test('of the demo installs the packages of the demo, and a second one nothing', () => {
    expect(start(demo)).toMatchObject({ status: 0, stdout: 'demo runs\n' });
    expect(start(demo)).toMatchObject({ status: 0, stdout: 'demo runs\n', stderr: '' });
    expect(callsMade()).toEqual(['ci --omit=dev --include=optional']);
  });

  test('of a tool adds the missing packages to those of the demo', () => {
    start(demo);
    expect(start(tool)).toMatchObject({ status: 0, stdout: 'tool runs\n' });
    expect(start(demo)).toMatchObject({ status: 0, stderr: '' });
    expect(callsMade().slice(1)).toEqual(['install --no-save --include=dev --include=optional']);
  });

  test('of the demo keeps the development packages when the lockfile has changed', () => {
    start(tool);
    put('package-lock.json', {
      packages: { 'node_modules/a': { version: '2' }, 'node_modules/tool': { version: '1', dev: true } },
    });
    expect(start(demo)).toMatchObject({ status: 0, stdout: 'demo runs\n' });
    expect(callsMade()[1]).toContain('--include=dev');
  });

  test('ends with a sentence when npm fails, and the next one begins anew', () => {
    start(demo);
    expect(start(tool, 'fail')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'the installation failed; check that npm can reach its registry, then start again.',
      ),
    });
    start(tool);
    expect(callsMade().at(-1)).toMatch(/^ci /);
    expect(existsSync(join(folder, '.setup'))).toBe(false);
  });

  test('ends with a sentence when npm says that all is well and it is not', () => {
    expect(start(demo, 'forget')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'npm did not install node_modules as locked; run `npm install`, then start again.',
      ),
    });
  });

  test('that is interrupted ends npm and leaves no lock, and the next one begins anew', async () => {
    start(demo);
    const interrupted = spawn(process.execPath, ['scripts/run.mjs', tool], { cwd: folder, env: environment('hang') });
    const ended = once(interrupted, 'close');
    while (!existsSync(join(folder, 'node_modules/tool/package.json'))) await setTimeout(20);
    interrupted.kill('SIGTERM');
    // The pipes close when the last process that holds them has ended, which includes npm.
    expect(await ended).toEqual([143, null]);
    expect(existsSync(join(folder, '.setup'))).toBe(false);
    expect(start(tool)).toMatchObject({ status: 0, stdout: 'tool runs\n' });
    expect(callsMade().at(-1)).toMatch(/^ci /);
  });

  test('waits for another one that installs, and installs nothing itself', async () => {
    const both = [demo, demo].map((program) =>
      spawn(process.execPath, ['scripts/run.mjs', program], { cwd: folder, env: environment('install') }),
    );
    const ends = await Promise.all(both.map((child: ChildProcess) => once(child, 'close')));
    expect(ends).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(callsMade()).toHaveLength(1);
  });

  test('on an older Node installs the packaged one besides, and on this one does not', () => {
    start(demo);
    expect(callsMade()).toHaveLength(1);
    // What this npm installs has no Node in it.
    expect(start(demo, 'install', asOlder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'this needs Node 24 or later, and the packaged one does not start here; install Node 24.',
      ),
    });
    expect(callsMade().slice(1)).toEqual(['runtime: ci --include=dev --include=optional']);
  });

  test('on an older Node of a platform without a packaged one says so and installs nothing', () => {
    put('scripts/runtime/package-lock.json', { packages: { 'node_modules/node': { version: '24', os: 'none' } } });
    expect(start(demo, 'install', asOlder)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'punto: this needs Node 24 or later; install Node 24.\n',
    });
    expect(callsMade()).toEqual([]);
  });
});

test('on an older Node the packaged one runs the program, with its input, output and exit code', () => {
  const bin = projectForOlder(folder);
  const onOlder = (words: readonly string[], input = ''): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [...asOlder, bin, ...words], {
      cwd: tmpdir(),
      input,
      encoding: 'utf8',
    });
  expect(onOlder(['--version'])).toMatchObject({ status: 0, stdout: 'punto 0.2.0\n', stderr: '' });
  expect(onOlder(['lobby'])).toMatchObject({ status: 2, stdout: '' });
  expect(onOlder(['rules', 'lion'])).toMatchObject({ status: 1, stdout: '' });
  const piped = onOlder(['certain', '--jsonl'], '{"game":"tiger","cards":[]}\n');
  expect(piped).toMatchObject({ status: 0, stdout: '{"established":false,"won":[],"lost":[]}\n' });
});

test('the runner runs through a link too', () => {
  const link = join(folder, 'run.mjs');
  symlinkSync(join(root, 'scripts', 'run.mjs'), link);
  const ran = spawnSync(process.execPath, [link, 'src/cli/main.ts', '--version'], { encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: 'punto 0.2.0\n' });
});

test.each(['', 'scripts/runtime/'])('%spackage-lock.json names no registry', (path) => {
  expect(readFileSync(join(root, path, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/registry/);
});

test('the packaged Node has the same major version on every platform', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'scripts/runtime/package.json'), 'utf8')) as {
    readonly optionalDependencies: { readonly [name: string]: string };
  };
  const majors = Object.values(manifest.optionalDependencies).map((version) => version.split('.')[0]);
  expect(new Set(majors)).toEqual(new Set(['24']));
});
