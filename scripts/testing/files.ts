import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../../tests/architecture/importRules.ts';
import { root } from './vitest.ts';

/** Every test file of the project, relative to it. */
export const testFiles = (): readonly string[] =>
  globSync('{src,tests,bench,scripts,examples}/**/*.test.{ts,tsx,mts,mjs,js}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

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
