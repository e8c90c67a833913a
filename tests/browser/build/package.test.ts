import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { npm } from '../../../scripts/pack.ts';
import { demoOf, started } from '../../cli/support/serverProcess.ts';
import { root } from '../../architecture/sources.ts';
import { temporaryFolder } from '../../temporary.ts';
import { freshPage } from '../support/browser.ts';

// The packages for npm, installed into empty projects.

const run = promisify(execFile);
const folder = temporaryFolder('package');
const [ours, theirs] = [join(folder, 'library'), join(folder, 'server')];
let printed: string;
let archives: { readonly library: string; readonly server: string };

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly [field: string]: unknown;
};
const manifestIn = (place: string): Manifest =>
  JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;

/** An empty project with installed packages. */
async function project(place: string, ...packages: readonly string[]): Promise<void> {
  cpSync(join(root, 'tests/package'), place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }\n');
  const [program, first] = npm();
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await run(program, [...first, 'install', ...quiet, ...packages], { cwd: place });
}

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/pack.ts'), 'dist/packages'], { cwd: folder });
  printed = stdout;
  const [library, server] = printed.split('\n').map((path) => join(folder, path));
  archives = { library: library!, server: server! };
  await Promise.all([
    project(ours, archives.library, `ws@${manifestIn(root).dependencies['ws']}`),
    project(theirs, archives.server),
  ]);
});

/** The Nodes of this machine by version: those of the tests, of npm and of the shell. */
function nodes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of [process.execPath, process.env['npm_node_execpath'], 'node']) {
    if (node === undefined) continue;
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) found.set(version, node);
  }
  return found;
}

test('`npm run pack` prints the paths of both archives from the working directory', () => {
  const { version } = manifestIn(root);
  expect(printed).toBe(`dist/packages/punto-${version}.tgz\ndist/packages/punto-server-${version}.tgz\n`);
});

test('the library is small, has one dependency, and contains only built code with its types', () => {
  const place = join(ours, 'node_modules/punto');
  expect(statSync(archives.library).size).toBeLessThan(250_000);
  const { version, dependencies, ...rest } = manifestIn(place);
  expect(version).toBe(manifestIn(root).version);
  expect(dependencies).toEqual({ '@noble/hashes': manifestIn(root).dependencies['@noble/hashes'] });
  for (const field of ['optionalDependencies', 'devDependencies', 'scripts', 'bin', 'private']) {
    expect(rest).not.toHaveProperty(field);
  }
  const files = globSync('**/*', { cwd: place, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => name);
  expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  expect(files.filter((name) => /test/.test(name))).toEqual([]);
  const texts = globSync('lib/**/*.js', { cwd: place }).map((file) => readFileSync(join(place, file), 'utf8'));
  expect(texts.length).toBeGreaterThan(50);
  for (const text of texts) expect(text).not.toMatch(/from ['"](node:|.*\.ts['"])/);
});

test.each(['nodenext', 'bundler'])(
  'a strict program that imports every entry point type-checks with %s',
  async (how) => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--target', 'es2022', '--lib', 'es2023,dom', '--types', ''];
    const kind = how === 'bundler' ? ['--module', 'esnext', '--moduleResolution', 'bundler'] : ['--module', 'nodenext'];
    // A copy with one type error: it fails because of that error only.
    writeFileSync(
      join(ours, 'wrong.ts'),
      readFileSync(join(ours, 'consumer.ts'), 'utf8').replace("'french'", "'tarot'"),
    );
    const checked = run(process.execPath, [compiler, ...options, ...target, ...kind, 'consumer.ts', 'wrong.ts'], {
      cwd: ours,
    });
    const { stdout } = await checked.catch((error: { stdout: string }) => error);
    const faults = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(faults).toEqual([expect.stringMatching(/^wrong\.ts\(.*tarot/)]);
  },
);

const examples = globSync('*.mjs', { cwd: join(root, 'examples') }).toSorted();

test('every example has less than thirty lines, and prints the text of the docs on every installed Node', async () => {
  expect(examples).toHaveLength(7);
  cpSync(join(root, 'examples'), ours, { recursive: true });
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  expect(nodes().size).toBeGreaterThan(0);
  for (const name of examples) {
    const text = readFileSync(join(root, 'examples', name), 'utf8');
    expect(text.trimEnd().split('\n').length, name).toBeLessThan(30);
    expect(page, name).toContain(`\`\`\`js\n${text}\`\`\``);
    if (name === 'bot.mjs') continue;
    for (const [version, node] of nodes()) {
      const { stdout } = await run(node, [name], { cwd: ours });
      const command = `npm run --silent example ${name.replace('.mjs', '')}`;
      expect(page, `${name} on ${version}`).toContain(`$ ${command}\n${stdout}`);
    }
  }
});

test('the library settles a round in a browser', async () => {
  await build({
    configFile: false,
    root: ours,
    logLevel: 'error',
    build: {
      outDir: 'built',
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(ours, 'page.html') },
    },
  });
  const server = createServer((request, response) => {
    const file = join(ours, 'built', new URL(request.url!, 'http://x').pathname);
    if (!existsSync(file)) response.writeHead(404).end();
    else
      response
        .setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'text/html')
        .end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { page, complaints } = await freshPage(800, 600);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`);
  await page.waitForSelector('pre');
  expect(JSON.parse(await page.locator('pre').innerText())).toEqual({
    settled: { result: 'win', stake: 500, won: 10_000, commission: 0, returned: 10_500, by: 'ETG 4.10' },
    edge: '114753351728/10847218479825',
    bigEye: 'r',
    agrees: true,
  });
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('the README of each package states the Node and the version of its manifest, and options that exist', async () => {
  const [library, server] = [join(ours, 'node_modules/punto'), join(theirs, 'node_modules/punto-server')];
  const nodeOf = (place: string): string => {
    const { engines } = manifestIn(place) as unknown as { readonly engines: { readonly node: string } };
    return `Node ${engines.node.replace('>=', '')} or later`;
  };
  const [libraryPage, serverPage] = [library, server].map((place) => readFileSync(join(place, 'README.md'), 'utf8'));
  expect(libraryPage).toContain(`| the package \`punto\` | ${nodeOf(library)}`);
  expect(libraryPage).toContain(`| the package \`punto-server\` | ${nodeOf(server)}`);
  expect(libraryPage).toContain(`| a checkout | ${nodeOf(root)}`);
  expect(serverPage).toContain(`It needs ${nodeOf(server)}.`);
  const { version } = manifestIn(root);
  expect(libraryPage).toContain(`/dist/packages/punto-${version}.tgz`);
  expect(serverPage).toContain(`/dist/packages/punto-server-${version}.tgz`);
  const { stdout: help } = await run(process.execPath, [join(server, 'bin/punto.js'), 'serve', '--help']);
  const options = [...new Set([...serverPage!.matchAll(/--\w[\w-]*/g)].map(([option]) => option))];
  expect(options).toEqual(expect.arrayContaining(['--cert', '--key-file', '--proxy', '--data']));
  expect(options.filter((option) => option !== '--help' && !help.includes(`  ${option} `))).toEqual([]);
});

test('the server package includes the licences of its screens', () => {
  const place = join(theirs, 'node_modules/punto-server');
  const notices = readFileSync(join(place, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toBe(readFileSync(join(place, 'screens/THIRD-PARTY-NOTICES.txt'), 'utf8'));
  for (const name of ['preact', '@preact/signals', 'qr', '@fontsource-variable/archivo', '@fontsource/marcellus']) {
    expect(notices).toContain(`\n${name} ${manifestIn(join(root, 'node_modules', name)).version}\n`);
  }
  expect(globSync('screens/assets/*-licence-*.txt', { cwd: place })).toHaveLength(3);
});

test('the server runs from node_modules without the build tools of its screens', async () => {
  expect(existsSync(join(theirs, 'node_modules/vite'))).toBe(false);
  const place = join(theirs, 'node_modules/punto-server');
  expect(globSync('**/*.{ts,tsx}', { cwd: place })).toEqual([]);
  expect(Object.keys(manifestIn(place).dependencies)).not.toContain('vite');
  // The pages that its commands and pages refer to are included.
  for (const file of ['server.md', 'record.md', 'check.mjs', 'settle.mjs', 'errors.md', 'lab.md']) {
    expect(existsSync(join(place, 'docs', file)), file).toBe(true);
  }
  expect(existsSync(join(place, 'docs/pictures'))).toBe(false);
  const bin = join(place, 'bin/punto.js');
  const data = join(theirs, 'data');
  const property = join(theirs, 'demo.jsonc');
  writeFileSync(property, demoOf('X09').replace('"bettingTime": 15000', '"bettingTime": 2000'));
  const { program, address } = await started(['--data', data, '--property', property], { start: [bin] });
  const lobby = await fetch(address);
  expect(lobby.status).toBe(200);
  const script = /src="([^"]+\.js)"/.exec(await lobby.text())![1]!;
  expect((await fetch(new URL(script, address))).status).toBe(200);
  // The bot plays with the library until a round is paid.
  const { stdout } = await run(process.execPath, ['bot.mjs', address, 'X09', '1'], { cwd: ours });
  expect(stdout).toMatch(/^\d+ accepted\n\d+ (win|lose|push) \d+ ETG [\d.]+ credit \d+\n$/);
  const ended = new Promise((resolve) => program.on('exit', resolve));
  program.kill('SIGTERM');
  expect(await ended).toBe(0);
  const punto = (...options: readonly string[]): Promise<{ stdout: string }> =>
    run(process.execPath, [bin, ...options], { cwd: theirs });
  expect((await punto('--version')).stdout).toBe(`punto ${manifestIn(root).version}\n`);
  expect((await punto('verify', '--data', data)).stdout).toMatch(/./);
  expect((await punto('simulate', 'tiger', '--shoes', '1000')).stdout).toContain('agrees with its exact odds');
  await punto('vectors', '--out', 'vectors');
  expect(readFileSync(join(theirs, 'vectors/README.md'), 'utf8')).toBe(
    readFileSync(join(root, 'docs/vectors.md'), 'utf8'),
  );
  await punto('labpack', '--out', 'lab', '--shoes', '200');
  expect(globSync('lab/**/*.html', { cwd: theirs }).length).toBeGreaterThan(70);
  for (const [version, node] of nodes()) {
    if (Number(version.slice(1).split('.')[0]) >= 24) continue;
    const old = run(node, [bin, 'games']);
    await expect(old).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Node 24') as string });
  }
});
