import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builder = fileURLToPath(new URL('./buildScreens.ts', import.meta.url));

/** A package has its screens built. */
const packed = join(root, 'screens');

const day = 86_400_000;

/** What the screens are made of. */
const sources = [
  'src/web/**/*',
  'src/{client,wire,base,access,rules,games,roads,odds,sim,table}/**/*.ts',
  'src/assets/{ensureScreens,buildScreens,fonts,fontNames,licenceNotices}.ts',
  'package-lock.json',
];

/** One name for one content of the sources. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** The screens are not built and cannot be built here: one sentence, and the output of the build for a developer. */
export class ScreensNotBuilt extends Error {
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }
}

/**
 * The folder with the built screens. They are built when their sources have changed, into a folder of their own that takes
 * its name last, so that two first starts do not disturb one another. What is built already is only read. `onBuild` is called
 * before a build, which takes seconds.
 */
export async function screens(onBuild = (): void => {}): Promise<string> {
  if (existsSync(packed)) return packed;
  const all = join(root, 'dist', 'web');
  const name = fingerprint();
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const made = join(all, `${name}.${process.pid}`);
  makeFolder(made);
  onBuild();
  try {
    await buildIn(made);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  // Builds of other sources are kept for a day, and so is what an interrupted build has left.
  for (const other of readdirSync(all)) {
    const old = join(all, other);
    if (other !== name && Date.now() - statSync(old).mtimeMs > day) rmSync(old, { recursive: true, force: true });
  }
  return folder;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ScreensNotBuilt(
      `The screens are not built, and ${JSON.stringify(folder)} cannot be written (${code}); ` +
        `run \`npm run build\` in ${JSON.stringify(root)} once as its owner.`,
    );
  }
}

/** Builds in a child process: the bundler takes more memory than the server, and would keep it. */
async function buildIn(folder: string): Promise<void> {
  // The channel that `fork` opens ends the child when this process ends first. What tests build is what is served.
  const child = fork(builder, [folder], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  for (const pipe of [child.stdout!, child.stderr!]) pipe.on('data', (part: Buffer) => (output += String(part)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return;
  throw new ScreensNotBuilt(
    `The screens were not built: the build ended with ${signal ?? code}; see its output above.`,
    output,
  );
}
