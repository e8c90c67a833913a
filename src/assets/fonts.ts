import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontCopyrightOf, renameFont } from './fontNames.ts';
import { type LicenceNotice, readLicenceNotice } from './licenceNotices.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);
const folderOf = (font: string): string => dirname(require.resolve(`${font}/package.json`));
const archivo = folderOf('@fontsource-variable/archivo');
const marcellus = folderOf('@fontsource/marcellus');
const chinese = folderOf('@fontsource-variable/noto-sans-sc');

/**
 * Chinese texts that English screens contain: names of games and wagers, cards, roads, calls and results. A test checks
 * that these texts are those of the screens.
 */
const namesAndCards = ['src/web/shared/{text/gameNames.ts,cards/cardArt.tsx}'];
const chineseOnEnglishScreens = [
  '中文 闲 庄 和',
  '珠盘路 大路 大眼仔 小路 曱甴路 问路',
  '请下注 停止下注 派彩中 下一局即将开始 正在准备新牌靴 本局作废 连接已断开 连接中断',
  '闲赢 庄赢 和局 例牌 闲家补牌 庄家补牌 不补牌 上一局',
  '菜单 本靴 最低 最高',
  '至荷官停止为止 本台等待荷官',
  '牌台屏 换新牌靴 该局作废 本台已关闭 本台暂停 暂不接受投注 没有这张台',
  '赔率表 玩法 补牌规则 异常情况 限额 关于本游戏',
];

const ascii = Array.from({ length: 95 }, (_, n) => String.fromCodePoint(32 + n));

/** A font face that contains only the given letters. */
type FontSubset = {
  readonly family: string;
  /** Name that the licence reserves for the unmodified font; undefined if no name is reserved. */
  readonly reserved?: string;
  readonly file: string;
  readonly letters: readonly string[];
  readonly axes: { readonly [axis: string]: { readonly min: number; readonly max: number } };
  /** OpenType features to keep, such as tabular figures. */
  readonly features: readonly string[];
  readonly face: string;
};

const latinSubsets = (letters: readonly string[]): readonly FontSubset[] => [
  {
    family: 'Archivo Variable',
    file: join(archivo, 'files', 'archivo-latin-wdth-normal.woff2'),
    letters,
    axes: { wght: { min: 400, max: 800 }, wdth: { min: 62, max: 100 } },
    features: ['kern', 'tnum', 'lnum'],
    face: 'font-weight:400 800;font-stretch:62% 100%',
  },
  {
    family: 'Punto Serif',
    reserved: 'Marcellus',
    file: join(marcellus, 'files', 'marcellus-latin-400-normal.woff2'),
    letters,
    axes: {},
    features: ['kern'],
    face: 'font-weight:400',
  },
];

/** One of the files into which a font is split by letters. `has` is true for a letter that the file contains. */
type Slice = { readonly name: string; readonly has: (letter: string) => boolean };

function slicesOf(font: string): readonly Slice[] {
  const ranges = JSON.parse(readFileSync(join(font, 'unicode.json'), 'utf8')) as { readonly [name: string]: string };
  return Object.entries(ranges).map(([name, text]) => {
    const spans = text.split(',').map((span) => {
      const [from, to] = span.slice(2).split('-');
      return [Number.parseInt(from!, 16), Number.parseInt(to ?? from!, 16)] as const;
    });
    return {
      name: name.replaceAll(/[[\]]/g, ''),
      has: (letter) => spans.some(([from, to]) => letter.codePointAt(0)! >= from && letter.codePointAt(0)! <= to),
    };
  });
}

const isLatin = slicesOf(archivo).find(({ name }) => name === 'latin')!.has;

/**
 * Makes subsets of the Chinese font. The font consists of many files. From each file that has some of the letters, one
 * subset is made.
 */
const chineseSubsets = (letters: readonly string[]): readonly FontSubset[] =>
  slicesOf(chinese).flatMap(({ name, has }) => {
    const here = letters.filter(has);
    if (here.length === 0) return [];
    const file = join(chinese, 'files', `noto-sans-sc-${name}-wght-normal.woff2`);
    const axes = { wght: { min: 400, max: 700 } };
    return [{ family: 'Noto Sans SC Variable', file, letters: here, axes, features: [], face: 'font-weight:400 700' }];
  });

/** Gives the letters of `texts` that are neither Latin nor in `others`, sorted and without duplicates. */
function chineseIn(texts: readonly string[], others: readonly string[] = []): readonly string[] {
  const excluded = new Set(others);
  return [...new Set(texts.join(''))].filter((letter) => !isLatin(letter) && !excluded.has(letter)).toSorted();
}

/** Gives the Chinese letters in the fonts that an English screen loads. */
export function chineseLettersOfEnglishScreens(): readonly string[] {
  const files = globSync(namesAndCards, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  return chineseIn([...chineseOnEnglishScreens, ...files]);
}

/** Type of the package `subset-font`, which has no type declarations. */
type Subset = (font: Buffer, text: string, options: object) => Promise<Buffer>;
const subsetFont: Subset = (...args) => (require('subset-font') as Subset)(...args);

/** Gives the bytes of a font subset, from the cache in `dist/fonts` if it was built before. */
async function buildSubset({ family, reserved, file, letters, axes, features }: FontSubset): Promise<Buffer> {
  const text = letters.join('');
  const source = readFileSync(file);
  const options = { targetFormat: 'woff2', variationAxes: axes, keepFeatures: features, noHinting: true };
  const name = createHash('sha256')
    .update(source)
    .update(JSON.stringify([text, options, ...(reserved === undefined ? [] : [reserved, family])]))
    .digest('hex')
    .slice(0, 24);
  const cachePath = join(root, 'dist', 'fonts', `${name}.woff2`);
  if (existsSync(cachePath)) return readFileSync(cachePath);
  const font =
    reserved === undefined
      ? source
      : renameFont(await subsetFont(source, text, { ...options, targetFormat: 'truetype' }), reserved, family);
  const bytes = await subsetFont(font, text, options);
  mkdirSync(dirname(cachePath), { recursive: true });
  writeFileSync(`${cachePath}.${process.pid}`, bytes);
  renameSync(`${cachePath}.${process.pid}`, cachePath);
  return bytes;
}

const rangeOf = (letters: readonly string[]): string =>
  letters.map((letter) => `U+${letter.codePointAt(0)!.toString(16)}`).join();

/** Writes an asset with a content hash in its name, and returns its path. */
function putAsset(folder: string, name: string, ending: string, content: Buffer | string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const file = `/assets/${name}-${hash}.${ending}`;
  writeFileSync(join(folder, file), content);
  return file;
}

/**
 * The scripts of the screens. The fonts need the letters that occur in them. Patrons and displays load `initial` at
 * once and `onDemand` later; only staff load `staffOnly`.
 */
export type ScriptFilesByLoadTime = {
  readonly initial: readonly string[];
  readonly onDemand: readonly string[];
  readonly staffOnly: readonly string[];
};

/**
 * Writes font subsets for the built screens in a folder, so that a browser loads only the letters it needs. An English
 * screen loads the Chinese subsets for names. A Chinese screen also loads the subsets of its other texts. A part of a
 * screen that is loaded on demand loads its subsets at that time. Letters that only staff screens have are in a second
 * style sheet. Returns both style sheets, the font file that every screen preloads, and the licences. The licences are
 * also written beside the fonts.
 */
export async function writeFontSubsets(
  folder: string,
  scripts: ScriptFilesByLoadTime,
): Promise<{
  readonly sharedSheet: string;
  readonly staffSheet: string;
  readonly preloadedFont: string;
  readonly notices: readonly LicenceNotice[];
}> {
  const read = (files: readonly string[]): string[] => files.map((file) => readFileSync(file, 'utf8'));
  const [first, later, staff] = [read(scripts.initial), read(scripts.onDemand), read(scripts.staffOnly)];
  const english = chineseLettersOfEnglishScreens();
  const soon = chineseIn(first, english);
  const rest = chineseIn(later, [...english, ...soon]);
  const staffLetters = chineseIn(staff, [...english, ...soon, ...rest]);
  const latinLetters = [...new Set([...ascii, ...first, ...later, ...staff].join(''))].filter(isLatin).toSorted();
  const sharedCuts = [...latinSubsets(latinLetters), ...[english, soon, rest].flatMap(chineseSubsets)];
  const [shared, staffOnly] = [await facesOf(folder, sharedCuts), await facesOf(folder, chineseSubsets(staffLetters))];
  const notices = await Promise.all(
    [...new Map(sharedCuts.map((cut) => [assetOf(cut), cut.file]))].map(async ([asset, file]) => {
      const notice = await fontNotice(file);
      putAsset(folder, `${asset}-licence`, 'txt', `${notice.text}\n`);
      return notice;
    }),
  );
  return {
    sharedSheet: putAsset(folder, 'fonts', 'css', shared.faces.join('')),
    staffSheet: putAsset(folder, 'fonts-staff', 'css', staffOnly.faces.join('')),
    preloadedFont: shared.files[0]!,
    notices,
  };
}

/**
 * Reads the licence notice of a font. If the licence files lack the copyright line, that line is taken from the font.
 */
async function fontNotice(file: string): Promise<LicenceNotice> {
  const notice = readLicenceNotice(dirname(dirname(file)));
  const font = await subsetFont(readFileSync(file), '', { targetFormat: 'truetype' });
  const copyright = fontCopyrightOf(font);
  return notice.text.includes(copyright) ? notice : { ...notice, text: `${copyright}\n\n${notice.text}` };
}

const assetOf = ({ family }: FontSubset): string => family.replace(' Variable', '').replaceAll(' ', '-').toLowerCase();

/** Writes the font subsets and returns their @font-face rules. */
async function facesOf(
  folder: string,
  cuts: readonly FontSubset[],
): Promise<{ readonly files: readonly string[]; readonly faces: readonly string[] }> {
  const files: string[] = [];
  const faces: string[] = [];
  for (const cut of cuts) {
    const file = putAsset(folder, assetOf(cut), 'woff2', await buildSubset(cut));
    const range = cut.file.startsWith(chinese) ? `;unicode-range:${rangeOf(cut.letters)}` : '';
    files.push(file);
    faces.push(
      `@font-face{font-family:'${cut.family}';font-display:swap;${cut.face};src:url(${file}) format('woff2')${range}}`,
    );
  }
  return { files, faces };
}
