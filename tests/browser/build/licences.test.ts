import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureScreens } from '../../../src/assets/ensureScreens.ts';
import { readFontNames } from '../../../src/assets/fontNames.ts';
import { root, sources } from '../../architecture/sources.ts';

const folder = await ensureScreens();
const read = (file: string): string => readFileSync(file, 'utf8');
const notices = read(join(folder, 'THIRD-PARTY-NOTICES.txt'));
const packages = join(root, 'node_modules');

type Manifest = { readonly version: string; readonly dependencies?: { readonly [name: string]: string } };
const manifestOf = (name: string): Manifest => JSON.parse(read(join(packages, name, 'package.json'))) as Manifest;

/** The packages that a source imports, without type-only imports. */
const importsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^import (.*) from '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm)]
    .filter(([, taken = '']) => !/^\{( type \w+,?)+ \}$/.test(taken))
    .map(([, , name, later]) => (name ?? later)!.match(/^(@[^/]+\/)?[^/]+/)![0]);

const withDependencies = (name: string): readonly string[] => [
  name,
  ...Object.keys(manifestOf(name).dependencies ?? {}).flatMap(withDependencies),
];

test('the screens include the licence of every package that their sources import', () => {
  const files = sources('src/{web,base,rules}/**/*.{ts,tsx}').filter(({ path }) => !path.includes('.test.'));
  const imported = new Set(files.flatMap(({ text }) => importsIn(text)).flatMap(withDependencies));
  expect([...imported]).toEqual(expect.arrayContaining(['preact', '@preact/signals-core', 'qr', '@noble/hashes']));
  for (const name of imported) {
    const licence = read(join(packages, name, 'LICENSE')).trim();
    const isThere = notices.includes(`\n${name} ${manifestOf(name).version}\n\n${licence}\n`);
    expect(isThere, `the licence of ${name}`).toBe(true);
  }
});

test('the screens include the licence of the bundler when its code is in a script', () => {
  const scripts = globSync('assets/*.js', { cwd: folder }).map((file) => read(join(folder, file)));
  // The name of an event in vite's own module for lazy scripts.
  expect(scripts.some((text) => text.includes('vite:preloadError'))).toBe(notices.includes('\nvite '));
});

const subsetFont = createRequire(import.meta.url)('subset-font') as (
  font: Buffer,
  text: string,
  options: object,
) => Promise<Buffer>;

const fonts = globSync('assets/*.woff2', { cwd: folder });

test('a font subset has no name that its licence reserves, and comes with its licence', async () => {
  expect(fonts.length).toBeGreaterThan(3);
  const sheets = globSync('assets/*.css', { cwd: folder }).map((file) => read(join(folder, file)));
  const reserved = new Set<string>();
  for (const file of fonts) {
    const font = await subsetFont(readFileSync(join(folder, file)), '', { targetFormat: 'truetype' });
    const [copyright, ...names] = readFontNames(font).map(({ text }) => text.replaceAll(/\s+/g, ' '));
    const [licence] = globSync(file.replace(/-.{8}\.woff2$/, '-licence-*.txt'), { cwd: folder });
    const text = read(join(folder, licence!));
    expect(text, file).toContain('SIL OPEN FONT LICENSE Version 1.1');
    expect(text, file).toContain(copyright);
    expect(notices, file).toContain(text.trim());
    const [, name] = /Reserved Font Name ['"](.+?)['"]/.exec(copyright!) ?? [];
    if (name === undefined) continue;
    reserved.add(name);
    expect(names.join('\n'), file).not.toContain(name);
    for (const sheet of sheets) expect(sheet, file).not.toContain(name);
  }
  // Noto Sans SC derives from a font with that name, which it never had itself.
  expect([...reserved].toSorted()).toEqual(['Marcellus', 'Source']);
});
