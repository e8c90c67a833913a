import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A package brings its screens with it. */
const packed = join(root, 'screens');

const day = 86_400_000;

/** What the screens are made of. */
const sources = [
  'src/web/**/*',
  'src/{client,wire,rules,games,roads,odds,sim}/**/*.ts',
  'src/server/{assets,build,fonts,fontNames,licences}.ts',
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

/**
 * The folder with the built screens. They are built when their sources have changed, into a folder of their own that takes
 * its name last, so that two first starts do not disturb one another.
 */
export async function screens(): Promise<string> {
  if (existsSync(packed)) return packed;
  const all = join(root, 'dist', 'web');
  const name = fingerprint();
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const made = join(all, `${name}.${process.pid}`);
  mkdirSync(all, { recursive: true });
  const { buildScreens } = await import('./build.ts');
  await buildScreens(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  // What nobody has built for a day is nobody's any more, also what a start that was killed has left behind.
  for (const other of readdirSync(all)) {
    const old = join(all, other);
    if (other !== name && Date.now() - statSync(old).mtimeMs > day) rmSync(old, { recursive: true, force: true });
  }
  return folder;
}
