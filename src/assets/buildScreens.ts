import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { type ScriptFilesByLoadTime, writeFontSubsets } from './fonts.ts';
import {
  createModuleCollectorPlugin,
  licenceNoticesFileName,
  readLicenceNotices,
  formatLicenceNotices,
} from './licenceNotices.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

/** The entry page of each bundle, with its file name in the output. */
const entries: { readonly [entry: string]: string } = {
  'patron/index.html': 'index.html',
  'display/index.html': 'display.html',
  'staff/index.html': 'staff.html',
};

/** Entry page of the staff bundle. Staff screens have font files of their own, which patrons do not load. */
const staffEntry = 'staff/index.html';

/** Build manifest of Vite: the static and dynamic imports of each chunk. */
type Manifest = {
  readonly [name: string]: {
    readonly file: string;
    readonly isEntry?: boolean;
    readonly imports?: readonly string[];
    readonly dynamicImports?: readonly string[];
  };
};

/**
 * Builds all screens into a folder, with fonts and third-party licences. Each file except fonts also gets compressed
 * copies (Brotli, gzip).
 */
async function buildScreens(folder: string): Promise<void> {
  const modules = new Set<string>();
  await build({
    configFile: false,
    root: web,
    logLevel: 'error',
    plugins: [createModuleCollectorPlugin(modules)],
    oxc: {
      // The output is for production even in tests: no source positions in JSX.
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
      // Removes every import that is used only for types. So the schemas of messages stay out of the bundle.
      typescript: { onlyRemoveTypeImports: false },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2022',
      modulePreload: false,
      manifest: 'manifest.json',
      rolldownOptions: { input: Object.keys(entries).map((entry) => join(web, entry)) },
    },
    worker: { format: 'es', plugins: () => [createModuleCollectorPlugin(modules)] },
  });
  const fonts = await writeFontSubsets(folder, scriptsOf(folder));
  for (const [entry, name] of Object.entries(entries)) {
    const page = readFileSync(join(folder, entry), 'utf8');
    const sheets = entry === staffEntry ? [fonts.sharedSheet, fonts.staffSheet] : [fonts.sharedSheet];
    const links =
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="${fonts.preloadedFont}">` +
      sheets.map((sheet) => `<link rel="stylesheet" href="${sheet}">`).join('');
    writeFileSync(join(folder, entry), page.replace('</head>', `${links}</head>`));
    renameSync(join(folder, entry), join(folder, name));
    rmSync(join(folder, entry, '..'), { recursive: true });
  }
  writeFileSync(
    join(folder, licenceNoticesFileName),
    formatLicenceNotices([...readLicenceNotices(modules), ...fonts.notices]),
  );
  await compressAll(folder);
}

/**
 * Sorts the scripts into three groups: those that patrons and displays load at once, those that they load on demand,
 * and those that only staff load.
 */
function scriptsOf(folder: string): ScriptFilesByLoadTime {
  const manifestPath = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;
  rmSync(manifestPath);
  /**
   * Gives the scripts that the entries `from` import, directly or through other scripts. With `includeDynamic`, scripts
   * of dynamic imports are included.
   */
  const reachableFrom = (from: readonly string[], includeDynamic: boolean): ReadonlySet<string> => {
    const files = new Set<string>();
    const follow = (name: string): void => {
      const { file, imports = [], dynamicImports = [] } = manifest[name]!;
      if (files.has(file)) return;
      files.add(file);
      imports.forEach(follow);
      if (includeDynamic) dynamicImports.forEach(follow);
    };
    from.forEach(follow);
    return files;
  };
  const starts = Object.keys(manifest).filter((name) => manifest[name]!.isEntry);
  const others = starts.filter((name) => name !== staffEntry);
  const first = reachableFrom(others, false);
  const shared = reachableFrom(others, true);
  const staff = reachableFrom([staffEntry], true);
  const all = globSync('assets/*.js', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  const isStaffOnly = (file: string): boolean => staff.has(file) && !shared.has(file);
  const pathOf = (file: string): string => join(folder, file);
  return {
    initial: all.filter((file) => first.has(file)).map(pathOf),
    onDemand: all.filter((file) => !first.has(file) && !isStaffOnly(file)).map(pathOf),
    staffOnly: all.filter(isStaffOnly).map(pathOf),
  };
}

const alreadyCompressed = /\.woff2$/;

async function compressAll(folder: string): Promise<void> {
  const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
  for (const file of globSync('**/*.*', { cwd: folder })) {
    if (alreadyCompressed.test(file)) continue;
    const path = join(folder, file);
    const bytes = readFileSync(path);
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, ...size } }));
    writeFileSync(`${path}.gz`, await zip(bytes, { level: 9 }));
  }
}

// This file is a program that `fork` starts. Its argument is the output folder. It ends when its parent process ends,
// which may have happened already while the modules were loading.
process.on('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
process.channel?.unref();
await buildScreens(process.argv[2]!);
