// The size of what `npm start` installs, by the lockfiles and a table of sizes, so that a test needs no network. The
// figures are those of Linux on x64.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Packages, isMadeFor } from '../../scripts/setup.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const table = join(root, 'bench', 'sizes.json');
const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/** A package with the bytes that it takes on a disk; without where the table does not have it. */
export type Sized = { readonly name: string; readonly folder: string; readonly bytes: number | undefined };

type Table = { readonly [nameAndVersion: string]: number };

const block = 4096;
/** The bytes that a folder takes on a disk with blocks of 4 KiB, without the packages inside a package. */
export function bytesIn(folder: string, isPackage = false): number {
  let bytes = block;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += Math.ceil(statSync(path).size / block) * block;
    else if (entry.isDirectory() && !(isPackage && entry.name === 'node_modules')) bytes += bytesIn(path, isPackage);
  }
  return bytes;
}

export const megabytes = (bytes: number): number => bytes / 1e6;

const readTable = (): Table => JSON.parse(readFileSync(table, 'utf8')) as Table;

/** What a start installs: the packages of the demo, or the packaged Node. */
export function packagesOf(part: 'demo' | 'runtime', sizes: Table = readTable()): readonly Sized[] {
  const home = join(root, part === 'demo' ? '.' : 'scripts/runtime');
  const lockfile = readFileSync(join(home, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as { readonly packages: Packages };
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && isMadeFor(entry, platform))
    .map(([path, { version }]) => {
      const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
      return { name, folder: join(home, path), bytes: sizes[name] };
    });
}

/** Measures the packages that are installed here into the table; true when that changed it. */
export function updateSizes(): boolean {
  const sized = [...packagesOf('demo'), ...packagesOf('runtime')]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, folder, bytes }) => [name, existsSync(folder) ? bytesIn(folder, true) : bytes]);
  const text = `${JSON.stringify(Object.fromEntries(sized), null, 2)}\n`;
  const isChanged = text !== readFileSync(table, 'utf8');
  if (isChanged) writeFileSync(table, text);
  return isChanged;
}
