// `npm run pack`: two packages from one tree, the library `punto` and the server `punto-server`, as folders and as archives.
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureScreens } from '../src/assets/ensureScreens.ts';
import { licenceNoticesFileName } from '../src/assets/licenceNotices.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);

type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly repository?: unknown;
  readonly bugs?: unknown;
};

const ownManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Entry points of the library by import specifier. */
const entryPoints = {
  '.': 'punto',
  './odds': 'odds',
  './sim': 'sim',
  './roads': 'roads',
  './table': 'table',
  './ledger': 'ledger',
  './client': 'client',
};

/** The code that builds the screens is left out: the package contains them built. */
const buildOnly: ReadonlySet<string> = new Set(['assets/buildScreens.js', 'assets/fonts.js']);

/** Files that a built file refers to: imports, and files by `new URL(…, import.meta.url)`. */
const referencesIn = (text: string): readonly string[] =>
  [
    /^(?:import|export)\s+(?:[\w$*{},\s]+\sfrom\s+)?['"]([^'"\n]+)['"]/gm,
    /\bimport\(\s*['"]([^'"\n]+)['"]/g,
    /\bnew URL\(\s*['"](\.{1,2}\/[^'"\n]+\.js)['"]/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));

async function compile(project: string, folder: string, ...options: readonly string[]): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const config = join(root, `scripts/pack/${project}.json`);
  await run(process.execPath, [tsc, '-p', config, '--outDir', folder, ...options]).catch(
    (error: { readonly stdout: string }) => {
      throw new Error(`The ${project} does not compile:\n${error.stdout}`);
    },
  );
  // The compiler rewrites imports; files named by URL are handled here.
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const rewritten = text.replaceAll(/(new URL\(\s*['"]\.{1,2}\/[^'"]+)\.ts(['"],\s*import\.meta\.url)/g, '$1.js$2');
    if (rewritten !== text) writeFileSync(join(folder, file), rewritten);
  }
}

/** Removes all files not reachable from the entry points. Returns the packages that are imported. */
function prune(folder: string, entryFiles: readonly string[], extension: '.js' | '.d.ts'): readonly string[] {
  const reached = new Set<string>();
  const packages = new Set<string>();
  const queue = [...entryFiles];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file) || buildOnly.has(file)) continue;
    reached.add(file);
    for (const name of referencesIn(readFileSync(join(folder, file), 'utf8'))) {
      if (name.startsWith('.')) queue.push(posix.join(posix.dirname(file), name).replace(/\.[jt]s$/, extension));
      else if (!isBuiltin(name)) packages.add(/^(@[^/]+\/)?[^/]+/.exec(name)![0]);
    }
  }
  for (const file of globSync(`**/*${extension}`, { cwd: folder })) {
    if (!reached.has(file.replaceAll('\\', '/'))) rmSync(join(folder, file));
  }
  return [...packages].toSorted();
}

const pinned = (names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(
    names.map((name) => {
      const version = ownManifest.dependencies[name];
      if (version === undefined) throw new Error(`${name} is imported but is no dependency; add it to package.json.`);
      return [name, version];
    }),
  );

/** `repository` and `bugs` are set in package.json by the publisher of a copy. */
const { version, license, repository, bugs } = ownManifest;
const common = { version, license, repository, bugs, type: 'module' };

function finish(folder: string, manifest: object, readme: string): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, readme), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

async function library(folder: string): Promise<void> {
  // Editors show the comments of the types, so the code has none.
  await compile('library', join(folder, 'lib'), '--removeComments', '--declaration', 'false');
  await compile('library', join(folder, 'lib'), '--emitDeclarationOnly');
  const names = Object.values(entryPoints);
  const packages = prune(
    join(folder, 'lib'),
    names.map((name) => `exports/${name}.js`),
    '.js',
  );
  prune(
    join(folder, 'lib'),
    names.map((name) => `exports/${name}.d.ts`),
    '.d.ts',
  );
  const exports = Object.entries(entryPoints).map(([specifier, name]) => [
    specifier,
    { types: `./lib/exports/${name}.d.ts`, default: `./lib/exports/${name}.js` },
  ]);
  const manifest = {
    name: 'punto',
    ...common,
    description: 'Casino baccarat by its rulebooks: settlement, exact odds, roads, tables and a typed client.',
    keywords: ['baccarat', 'casino', 'odds', 'par-sheet', 'punto-banco', 'roads', 'settlement'],
    sideEffects: false,
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    engines: { node: '>=20.19' },
    dependencies: pinned(packages),
  };
  finish(folder, manifest, 'docs/library.md');
}

const starter = `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) >= 24) await import('../src/cli/main.js');
else {
  console.error('punto: this needs Node 24 or later; install Node 24.');
  process.exitCode = 1;
}
`;

async function server(folder: string): Promise<void> {
  await compile('server', join(folder, 'src'));
  const packages = prune(join(folder, 'src'), ['cli/main.js'], '.js');
  cpSync(await ensureScreens(), join(folder, 'screens'), { recursive: true });
  cpSync(join(folder, 'screens', licenceNoticesFileName), join(folder, licenceNoticesFileName));
  const pictures = join(root, 'docs/pictures');
  for (const part of ['properties', 'rulebook', 'docs']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (file) => file !== pictures });
  }
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/punto.js'), starter, { mode: 0o755 });
  const manifest = {
    name: 'punto-server',
    ...common,
    description: ownManifest.description,
    keywords: ownManifest.keywords,
    bin: { punto: 'bin/punto.js', 'punto-server': 'bin/punto.js' },
    engines: { node: '>=24' },
    dependencies: pinned(packages),
  };
  finish(folder, manifest, 'scripts/pack/server.md');
}

/** Builds both packages into a folder. Returns the archives that npm would publish. */
async function pack(out: string): Promise<{ readonly library: string; readonly server: string }> {
  const archived = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
    const folder = join(out, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await make(folder);
    const [program, first] = npm();
    const { stdout } = await run(program, [...first, 'pack', '--json', '--pack-destination', out], { cwd: folder });
    return join(out, (JSON.parse(stdout) as readonly { readonly filename: string }[])[0]!.filename);
  };
  return { library: await archived('punto', library), server: await archived('punto-server', server) };
}

/** Runs npm by its own script, so that no shell is needed on any system. */
export function npm(): readonly [string, readonly string[]] {
  const script = process.env['npm_execpath'];
  return script === undefined ? ['npm', []] : [process.execPath, [script]];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = resolve(process.argv[2] ?? join(root, 'dist/packages'));
  for (const archive of Object.values(await pack(out))) console.log(relative(process.cwd(), archive));
}
