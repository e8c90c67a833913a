import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builder = fileURLToPath(new URL('./buildScreens.ts', import.meta.url));

/** Folder of the built screens in a published package. */
const packagedScreens = join(root, 'screens');

const dayMs = 86_400_000;

/** Glob patterns of all files that the build of the screens depends on. */
const sources = [
  'src/web/**/*',
  'src/{client,wire,base,access,rules,games,roads,odds,sim,table}/**/*.ts',
  'src/assets/{ensureScreens,buildScreens,fonts,fontNames,licenceNotices}.ts',
  'package-lock.json',
];

/** Hash of all source files of the screens, used as the name of the build folder. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Error of a failed build of the screens. `output` is what the build has printed, for developers. */
export class ScreensNotBuiltError extends Error {
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }
}

/**
 * Returns the folder of the built screens. A published package contains them. A checkout of the sources builds them,
 * unless the present sources were built before. The build goes to a temporary folder that is renamed last, so that two
 * processes may build at the same time. `onBuild` is called before a build, which takes seconds.
 */
export async function ensureScreens(onBuild = (): void => {}): Promise<string> {
  if (existsSync(packagedScreens)) return packagedScreens;
  const all = join(root, 'dist', 'web');
  const name = fingerprint();
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const buildFolder = join(all, `${name}.${process.pid}`);
  makeFolder(buildFolder);
  onBuild();
  try {
    await buildIn(buildFolder);
    renameSync(buildFolder, folder);
  } catch (error) {
    rmSync(buildFolder, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  // Builds of other sources, and the rest of interrupted builds, are deleted when they are a day old.
  for (const other of readdirSync(all)) {
    const old = join(all, other);
    if (other !== name && Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old, { recursive: true, force: true });
  }
  return folder;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ScreensNotBuiltError(
      `The screens are not built, and ${JSON.stringify(folder)} cannot be written (${code}); ` +
        `run \`npm run build\` in ${JSON.stringify(root)} once as its owner.`,
    );
  }
}

/** Builds the screens in a child process. In this process, the memory of the bundler would not be freed. */
async function buildIn(folder: string): Promise<void> {
  // The child ends with this process, because it ends when the IPC channel closes. NODE_ENV makes a build during tests
  // equal to a production build.
  const child = fork(builder, [folder], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  for (const pipe of [child.stdout!, child.stderr!]) pipe.on('data', (part: Buffer) => (output += String(part)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return;
  throw new ScreensNotBuiltError(
    `The build of the screens failed with ${signal ?? code}; see its output above.`,
    output,
  );
}
