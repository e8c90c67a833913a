import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fontCopyrightOf, readFontNames, renameFont } from '../../../src/assets/fontNames.ts';
import { root } from '../../architecture/sources.ts';

const subsetFont = createRequire(import.meta.url)('subset-font') as (
  font: Buffer,
  text: string,
  options: object,
) => Promise<Buffer>;

const source = readFileSync(join(root, 'node_modules/@fontsource/marcellus/files/marcellus-latin-400-normal.woff2'));
const plain = await subsetFont(source, 'Punto', { targetFormat: 'truetype' });
const textsOf = (font: Buffer): readonly (readonly [number, string])[] =>
  readFontNames(font).map(({ id, text }) => [id, text]);

const copyright =
  'Copyright (c) 2012 by Brian J. Bonislawsky DBA Astigmatic (AOETI) (astigma@astigmatic.com), with Reserved Font Name "Marcellus"';

test('readFontNames reads the name table', () => {
  expect(fontCopyrightOf(plain)).toBe(copyright);
  expect(textsOf(plain).filter(([id]) => id > 0)).toEqual([
    [1, 'Marcellus'],
    [2, 'Regular'],
    [3, 'Astigmatic(AOETI): Marcellus: 2012'],
    [4, 'Marcellus'],
    [5, 'Version 1.000'],
    [6, 'Marcellus-Regular'],
  ]);
});

test('renameFont replaces every name, keeps the copyright and leaves a readable font', async () => {
  const renamed = renameFont(plain, 'Marcellus', 'Punto Serif');
  // An independent library rewrites the font.
  const rewritten = await subsetFont(renamed, 'Punto', { targetFormat: 'truetype' });
  for (const font of [renamed, rewritten]) {
    expect(fontCopyrightOf(font)).toBe(copyright);
    expect(textsOf(font).filter(([id]) => id > 0)).toEqual([
      [1, 'Punto Serif'],
      [2, 'Regular'],
      [3, 'Astigmatic(AOETI): Punto Serif: 2012'],
      [4, 'Punto Serif'],
      [5, 'Version 1.000'],
      [6, 'PuntoSerif-Regular'],
    ]);
  }
});

test('readFontNames throws when the font has no name table', () => {
  expect(() => readFontNames(Buffer.alloc(12))).toThrow('The font has no table name.');
});
