import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Glob patterns of the program files in a checkout. Built screens are left out, since they are built from the sources.
 */
const checkoutFiles = [
  '{package.json,package-lock.json,LICENSE}',
  'bin/**/*',
  'scripts/{run,setup}.mjs',
  'scripts/runtime/{package,package-lock}.json',
  'src/**/*',
  'rulebook/**/*',
  'docs/**/*',
  'properties/**/*',
];

type Digest = { readonly file: string; readonly sha256: string };

/** A dependency. `version` is from package.json; `integrity` is the hash in the lockfile, null without a lockfile. */
type PinnedPackage = { readonly name: string; readonly version: string; readonly integrity: string | null };

export type ProgramIdentity = {
  readonly version: string;
  /** Origin of the files: a checkout with the sources, or an installed package. */
  readonly from: 'checkout' | 'package';
  readonly files: readonly Digest[];
  readonly packages: readonly PinnedPackage[];
};

type Manifest = {
  readonly version: string;
  readonly dependencies?: { readonly [name: string]: string };
};
type Lock = { readonly packages: { readonly [path: string]: { readonly integrity?: string } } };

/**
 * Reads the identity of the program: the digests of its files. In an installed package, these are all files outside
 * node_modules.
 */
export function readProgramIdentity(root: string): ProgramIdentity {
  const isCheckout = existsSync(join(root, 'tests'));
  const files = globSync(isCheckout ? checkoutFiles : ['**/*'], {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === 'node_modules',
  })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .toSorted();
  const { version, dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const lockfile = join(root, 'package-lock.json');
  const lockedPackages = existsSync(lockfile) ? (JSON.parse(readFileSync(lockfile, 'utf8')) as Lock).packages : {};
  return {
    version,
    from: isCheckout ? 'checkout' : 'package',
    files: files.map((file) => ({ file, sha256: hash('sha256', readFileSync(join(root, file))) })),
    packages: Object.entries(dependencies).map(([name, pinnedVersion]) => ({
      name,
      version: pinnedVersion,
      integrity: lockedPackages[`node_modules/${name}`]?.integrity ?? null,
    })),
  };
}

/** The list of digests in the format of `sha256sum --check`. */
export const digestListText = ({ files }: ProgramIdentity): string =>
  files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');

/** The SHA-256 of the digest list: one digest for the whole program. */
export const programDigest = (identity: ProgramIdentity): string => hash('sha256', digestListText(identity));
