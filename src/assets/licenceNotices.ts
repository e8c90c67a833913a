import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** Licence notice of a third-party package whose code is in the screens. */
export type LicenceNotice = { readonly name: string; readonly version: string; readonly text: string };

export const licenceNoticesFileName = 'THIRD-PARTY-NOTICES.txt';

/** Reads all licence files of the package in a folder. Throws if there is no such file. */
export function readLicenceNotice(folder: string): LicenceNotice {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const files = globSync('{LICEN[CS]E,COPYING,NOTICE}*', { cwd: folder }).toSorted();
  if (files.length === 0) throw new Error(`${name} has no licence file; use another package for the screens.`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, text: texts.join('\n\n') };
}

/**
 * Gives the folder of the package from which a bundled module comes; undefined for a module of Punto. The bundler adds
 * modules of its own, such as `\0vite/preload-helper.js`. The package of such a module is found by its name.
 */
export function packageFolderOfModule(module: string): string | undefined {
  const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(module) ?? [];
  if (folder !== undefined) return folder;
  const [, name] = /^\0(\w+)\//.exec(module) ?? [];
  return name && dirname(require.resolve(`${name}/package.json`));
}

/** Vite plugin that collects the ids of the modules in all chunks. */
export const createModuleCollectorPlugin = (modules: Set<string>): Plugin => ({
  name: 'punto-module-collector',
  generateBundle(_, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type === 'chunk') for (const module of output.moduleIds) modules.add(module);
    }
  },
});

export function readLicenceNotices(modules: ReadonlySet<string>): readonly LicenceNotice[] {
  const folders = new Set([...modules].map(packageFolderOfModule).filter((folder) => folder !== undefined));
  return [...folders].map(readLicenceNotice);
}

const rule = `\n\n${'='.repeat(80)}\n\n`;

export function formatLicenceNotices(notices: readonly LicenceNotice[]): string {
  const intro = 'The screens of Punto contain third-party works under the licences below.';
  const parts = notices
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, version, text }) => `${name} ${version}\n\n${text}`);
  return `${[intro, ...parts].join(rule)}\n`;
}
