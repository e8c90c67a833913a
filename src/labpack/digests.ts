import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a checkout has beside the program: screens are built from the sources when they are first asked for. */
const inCheckout = [
  '{package.json,package-lock.json,LICENSE}',
  'bin/**/*',
  'scripts/{run,setup}.mjs',
  'scripts/runtime/{package,package-lock}.json',
  'src/**/*',
  'rulebook/**/*',
  'docs/**/*',
  'properties/**/*',
];

/** A file of the program and the SHA-256 of its bytes. */
type Digest = { readonly file: string; readonly sha256: string };

/** A package that the program runs with, as the lockfile pins it. */
type Pinned = { readonly name: string; readonly version: string; readonly integrity: string | null };

export type Identity = {
  readonly version: string;
  /** Whether these are the sources in a checkout, or an installed package. */
  readonly from: 'checkout' | 'package';
  readonly files: readonly Digest[];
  readonly packages: readonly Pinned[];
};

type Manifest = {
  readonly version: string;
  readonly dependencies?: { readonly [name: string]: string };
};
type Lock = { readonly packages: { readonly [path: string]: { readonly integrity?: string } } };

/** What the program in a folder is, file by file. An installed package is taken whole. */
export function readIdentity(root: string): Identity {
  const isCheckout = existsSync(join(root, 'tests'));
  const files = globSync(isCheckout ? inCheckout : ['**/*'], {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'node_modules',
  })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .toSorted();
  const { version, dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const lock = join(root, 'package-lock.json');
  const locked = existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')) as Lock).packages : {};
  return {
    version,
    from: isCheckout ? 'checkout' : 'package',
    files: files.map((file) => ({ file, sha256: hash('sha256', readFileSync(join(root, file))) })),
    packages: Object.entries(dependencies).map(([name, wanted]) => ({
      name,
      version: wanted,
      integrity: locked[`node_modules/${name}`]?.integrity ?? null,
    })),
  };
}

/** The list as `sha256sum --check` reads it. */
export const digestList = ({ files }: Identity): string =>
  files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');

/** One digest over all: that of the list. */
export const digestOfAll = (identity: Identity): string => hash('sha256', digestList(identity));
