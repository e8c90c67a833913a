import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../../tests/architecture/importRules.ts';
import { root } from './vitest.ts';

/** Folders of packages, built files and copies made by tools. */
const isOther = (path: string): boolean => /^dist[\\/]|(?:^|[\\/])(?:node_modules|\.[^\\/]+)[\\/]/.test(path);

/** Every test file in a folder, relative to it, by the names that vitest and its users give to tests. */
export const testFiles = (folder = root): readonly string[] =>
  globSync('**/*.{test,spec}.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', {
    cwd: folder,
    exclude: (path) => /(?:^|[\\/])node_modules$/.test(path),
  })
    .filter((path) => !isOther(path))
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

/** Test files of which no run has a result. */
export const filesNotRun = (files: readonly string[], ran: readonly { readonly path: string }[]): readonly string[] => {
  const paths = new Set(ran.map(({ path }) => path));
  return files.filter((path) => !paths.has(path));
};

/** The test files that import a module, directly or through others. */
export function testFilesThatImport(module: string): readonly string[] {
  const known = new Map<string, boolean>();
  const reaches = (path: string): boolean => {
    if (path === module) return true;
    const found = known.get(path);
    if (found !== undefined) return found;
    // An import cycle reaches the module only by a way that leads out of it.
    known.set(path, false);
    const isReached = importsIn(path).some(reaches);
    known.set(path, isReached);
    return isReached;
  };
  return testFiles().filter(reaches);
}

/** The project's own modules among the imports of a file. Tests of the import rules quote files that do not exist. */
const importsIn = (path: string): readonly string[] =>
  importsOf(readFileSync(posix.join(root, path), 'utf8'))
    .filter((name) => /^\.{1,2}\/.*\.tsx?$/.test(name))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((module) => existsSync(posix.join(root, module)));
