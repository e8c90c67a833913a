// The program with only the packages of the demo, in a read-only folder.
import { type SpawnSyncReturns, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Packages } from '../../scripts/setup.mjs';
import { root } from '../architecture/sources.ts';
import { freePort } from '../freePort.ts';
import { temporaryFolder } from '../temporary.ts';
import { started } from './support/serverProcess.ts';

const folder = temporaryFolder('installation');
const installed = join(folder, 'punto');
const node = join(folder, 'node');
/** Where the server writes: not in its installation. */
const site = join(folder, 'site');

/** Modes do not bind root: the server runs as another user then, from a Node that this user can reach. */
const reader = process.getuid?.() === 0 ? { uid: 65_534 } : {};

const setMode = (mode: 'a-w' | 'u+w'): void => {
  expect(spawnSync('chmod', ['-R', mode, installed]).status).toBe(0);
};

beforeAll(() => {
  chmodSync(folder, 0o755);
  for (const part of [
    'bin',
    'scripts',
    'src',
    'properties',
    'rulebook',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, part), join(installed, part), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
  }
  // Cut fonts take half of a build, and are the same for the same letters.
  if (existsSync(join(root, 'dist/fonts'))) {
    cpSync(join(root, 'dist/fonts'), join(installed, 'dist/fonts'), { recursive: true });
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Packages };
  const ofDemo = Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)),
  );
  for (const [path] of ofDemo) {
    const own = (file: string): boolean => !file.slice(join(root, path).length).includes('node_modules');
    cpSync(join(root, path), join(installed, path), { recursive: true, filter: own });
  }
  const note = JSON.stringify({ packages: Object.fromEntries(ofDemo) });
  writeFileSync(join(installed, 'node_modules/.package-lock.json'), note);
  copyFileSync(process.execPath, node);
  mkdirSync(site);
  if (reader.uid !== undefined) chownSync(site, reader.uid, reader.uid);
});
afterAll(() => setMode('u+w'));

const serveOptions = async (): Promise<readonly string[]> => [
  '--data',
  join(site, 'data'),
  '--port',
  String(await freePort()),
];
const bin = join(installed, 'bin/punto');
const build = (): SpawnSyncReturns<string> =>
  spawnSync(node, ['scripts/run.mjs', 'scripts/build.ts'], { cwd: installed, encoding: 'utf8' });

test('serve ends with one sentence when the screens are not built and the installation is read-only', async () => {
  setMode('a-w');
  const ran = spawnSync(node, [bin, 'serve', ...(await serveOptions())], { cwd: site, encoding: 'utf8', ...reader });
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr).toMatch(
    /^punto: The screens are not built, and "[^"]+" cannot be written \(EACCES\); run `npm run build` in "[^"]+" once as its owner\. \(screens-not-built\)\n$/,
  );
});

test('serve and npm run build end with one sentence below the output of the bundler when the build fails', async () => {
  setMode('u+w');
  const source = join(installed, 'src/web/patron/main.tsx');
  const text = readFileSync(source, 'utf8');
  appendFileSync(source, "\nimport './missing.ts';\n");
  const last = /\npunto: The build of the screens failed with 1; see its output above\. \(screens-not-built\)\n$/;
  for (const ran of [
    spawnSync(node, [bin, 'serve', ...(await serveOptions())], { cwd: site, encoding: 'utf8' }),
    build(),
  ]) {
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain('missing.ts');
    expect(ran.stderr).toMatch(last);
  }
  // Nothing half built is left.
  expect(globSync('dist/web/*', { cwd: installed })).toEqual([]);
  writeFileSync(source, text);
});

test('npm run build needs the packages of the demo alone, and serve then runs from a read-only installation', async () => {
  setMode('u+w');
  expect(build()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^The screens are in dist/) });
  setMode('a-w');
  const before = globSync('**', { cwd: installed });
  const {
    program,
    address,
    output: readOutput,
  } = await started(await serveOptions(), { node, start: [bin], cwd: site, ...reader });
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<html');
  expect(readOutput()).not.toContain('punto:');
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(globSync('**', { cwd: installed })).toEqual(before);
});

test('a build ends when the process that started it is gone', async () => {
  setMode('u+w');
  const child = fork(join(installed, 'src/assets/buildScreens.ts'), [join(installed, 'dist/web/cut')], {
    execPath: node,
  });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  child.disconnect();
  expect(await ended).toEqual([1, null]);
});

test('every command ends with one sentence when packages are missing and the installation is read-only', () => {
  setMode('u+w');
  rmSync(join(installed, 'node_modules/.package-lock.json'));
  setMode('a-w');
  const ran = spawnSync(node, [bin, '--version'], { cwd: site, encoding: 'utf8', ...reader });
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr).toMatch(
    /^punto: packages are missing and "[^"]+" cannot be written \(EACCES\); run `npm run build` there once as its owner\.\n$/,
  );
});
