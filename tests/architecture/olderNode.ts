// A project in which an older Node finds the packaged one installed: the Node of these tests is in its place, so that no
// test needs the npm registry.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

/** Makes the Node of these tests say that it is an older one. */
export const asOlder = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
] as const;

type Runtime = {
  readonly packages: {
    readonly [path: string]: { readonly os: string; readonly cpu: string; readonly bin: { readonly node: string } };
  };
};

/** Makes the project in an empty folder; its command. */
export function projectForOlder(folder: string): string {
  const scripts = ['example.mjs', 'run.mjs', 'setup.mjs', 'runtime/package-lock.json'].map((file) => `scripts/${file}`);
  for (const file of ['bin', ...scripts]) cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const file of ['src', 'examples', 'package.json', 'package-lock.json', 'node_modules']) {
    symlinkSync(join(root, file), join(folder, file));
  }
  const runtime = join(folder, 'scripts/runtime');
  const { packages } = JSON.parse(readFileSync(join(runtime, 'package-lock.json'), 'utf8')) as Runtime;
  const [path, entry] = Object.entries(packages).find(
    ([, { os, cpu }]) => os === process.platform && cpu === process.arch,
  )!;
  mkdirSync(join(runtime, path, 'bin'), { recursive: true });
  writeFileSync(join(runtime, 'node_modules/.package-lock.json'), JSON.stringify({ packages: { [path]: entry } }));
  writeFileSync(join(runtime, path, 'package.json'), '{}');
  symlinkSync(process.execPath, join(runtime, path, entry.bin.node));
  return join(folder, 'bin/punto');
}
