import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type Source } from './sources.ts';

type ImportRules = {
  /** The folders that a folder may import, beside its own files. A folder that is not listed may not be imported. */
  readonly allowed: ReadonlyMap<string, readonly string[]>;
  /** Folders without packages, Node modules, clock or randomness: their code runs in a browser unchanged. */
  readonly pure: ReadonlySet<string>;
};

type Row = { readonly folder: string; readonly isPure: boolean; readonly imports: string };

const rowsIn = (page: string): readonly Row[] =>
  [...page.matchAll(/^\| `src\/([a-z/]+)`( \*pure\*)? \|[^|]+\| ([^|]+) \|$/gim)].map(([, folder, pure, imports]) => ({
    folder: folder!,
    isPure: pure !== undefined,
    imports: imports!,
  }));

/** Splits at the commas outside braces, then expands `a/{b, c}` to a/b and a/c. */
const expandBraces = (list: string): readonly string[] =>
  list.split(/, (?![^{]*\})/).flatMap((item) => {
    const [, prefix, names] = /^(.*)\{(.+)\}$/.exec(item) ?? [];
    return names === undefined ? [item] : names.split(', ').map((name) => `${prefix}${name}`);
  });

/** Expands `a/*` to the folders below a. `all but x, y` is every other folder outside x and y. */
function foldersOf({ folder, imports }: Row, folders: readonly string[]): readonly string[] {
  if (imports === '-') return [];
  const [, excluded] = /^all but (.+)$/.exec(imports) ?? [];
  if (excluded !== undefined) {
    const isExcluded = (one: string): boolean =>
      [folder, ...excluded.split(', ')].some((name) => one === name || one.startsWith(`${name}/`));
    return folders.filter((one) => !isExcluded(one));
  }
  return expandBraces(imports).flatMap((item) =>
    item.endsWith('/*') ? folders.filter((one) => one.startsWith(item.slice(0, -1)) && one !== folder) : [item],
  );
}

/** The rules that a page states in its table: one row for each folder. */
export function parseImportRules(page: string): ImportRules {
  const rows = rowsIn(page);
  const folders = rows.map(({ folder }) => folder);
  return {
    allowed: new Map(rows.map((row) => [row.folder, foldersOf(row, folders)])),
    pure: new Set(rows.filter(({ isPure }) => isPure).map(({ folder }) => folder)),
  };
}

export const importRules = parseImportRules(readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8'));

/** The one package that pure folders may import. */
const purePackage = /^@noble\/hashes(\/|$)/;

/** The one file of a pure folder that talks to threads. */
const worker = 'src/sim/worker.ts';

/** What a file imports, however it is written: static, side effect, dynamic, re-export or by URL. */
export const importsOf = (text: string): readonly string[] =>
  [
    /\bfrom\s*(['"`])(.+?)\1/g,
    /\bimport\s*(['"`])(.+?)\1/g,
    /\bimport\s*\(\s*(['"`])(.+?)\1/g,
    /\brequire\s*\(\s*(['"`])(.+?)\1/g,
    /\bnew URL\(\s*(['"`])(\.{1,2}\/.+?\.[cm]?tsx?)\1/g,
  ].flatMap((form) => [...text.matchAll(form)].map((match) => match[2]!));

/** The folder of a file that has a row: its own, or the nearest one above. */
function folderOf(path: string, { allowed }: ImportRules): string | undefined {
  for (let folder = posix.dirname(path).slice('src/'.length); folder.length > 0;) {
    if (allowed.has(folder)) return folder;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  }
  return undefined;
}

const topFolder = (folder: string): string => folder.split('/')[0]!;

/** The name of a folder includes its sub-folders, but not for a folder within the same top folder. */
const mayImport = (folder: string, other: string, { allowed }: ImportRules): boolean =>
  other === folder ||
  allowed
    .get(folder)!
    .some((named) => named === other || (topFolder(other) !== topFolder(folder) && named === topFolder(other)));

/** The imports of a file of src/ that the rules do not allow. */
export function breaches({ path, text }: Source, rules = importRules): readonly string[] {
  const folder = folderOf(path, rules);
  if (folder === undefined) return [`${path} is in a folder without a row in ARCHITECTURE.md`];
  const isPure = rules.pure.has(folder) && path !== worker;
  return importsOf(text).flatMap((from) => {
    if (!from.startsWith('.')) {
      return isPure && !purePackage.test(from) ? [`${path} imports ${from}, but ${folder} is pure`] : [];
    }
    const target = posix.join(posix.dirname(path), from);
    const other = target.startsWith('src/') ? folderOf(target, rules) : undefined;
    if (other === undefined) return [`${path} imports ${target}, which is in no folder of ARCHITECTURE.md`];
    return mayImport(folder, other, rules) ? [] : [`${path} imports ${target}, but ${folder} may not import ${other}`];
  });
}

/** Side effects: clock, randomness, process, network, screen. */
const sideEffect =
  /Math\.random|\bDate\b|performance\.now|\bprocess\.|\bconsole\.|\bglobalThis\b|\bsetTimeout\b|\bsetInterval\b|\bfetch\s*\(|\bcrypto\.|\bwindow\.|\bdocument\./;

/** The first side effect in the code of a pure file; comments are ignored. */
export function impurities({ path, text }: Source): readonly string[] {
  const folder = folderOf(path, importRules);
  if (folder === undefined || !importRules.pure.has(folder) || path === worker) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const found = sideEffect.exec(code);
  return found ? [`${path} uses ${found[0]}`] : [];
}
