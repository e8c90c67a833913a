// Reads and changes the names of a TrueType or OpenType font, such as copyright, family and PostScript name. They are
// in the table `name` of the font.

/** Name id of the copyright notice. A modified font must keep this notice. */
const copyrightId = 0;
const postScriptId = 6;

/** Platform id of the names that browsers read (Windows). Texts of these names are in UTF-16 big-endian. */
const windows = 3;

type Name = { readonly id: number; readonly encoding: number; readonly language: number; readonly text: string };

/** Offset of the directory entry of a font table. */
function entryOf(font: Buffer, tag: string): number {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, n) => 12 + 16 * n);
  const entry = entries.find((at) => font.toString('latin1', at, at + 4) === tag);
  if (entry === undefined) throw new Error(`The font has no table ${tag}.`);
  return entry;
}

export function readFontNames(font: Buffer): readonly Name[] {
  const entry = entryOf(font, 'name');
  const table = font.subarray(font.readUInt32BE(entry + 8)).subarray(0, font.readUInt32BE(entry + 12));
  const texts = table.subarray(table.readUInt16BE(4));
  return Array.from({ length: table.readUInt16BE(2) }, (_, n) => table.subarray(6 + 12 * n))
    .filter((record) => record.readUInt16BE(0) === windows)
    .map((record) => ({
      encoding: record.readUInt16BE(2),
      language: record.readUInt16BE(4),
      id: record.readUInt16BE(6),
      text: Buffer.from(texts.subarray(record.readUInt16BE(10)).subarray(0, record.readUInt16BE(8)))
        .swap16()
        .toString('utf16le'),
    }));
}

export const fontCopyrightOf = (font: Buffer): string =>
  readFontNames(font)
    .find(({ id }) => id === copyrightId)
    ?.text.replaceAll(/\s+/g, ' ') ?? '';

function tableOf(names: readonly Name[]): Buffer {
  const texts = names.map(({ text }) => Buffer.from(text, 'utf16le').swap16());
  const begin = 6 + 12 * names.length;
  let offset = 0;
  const records = names.map(({ id, encoding, language }, n) => {
    const fields = [windows, encoding, language, id, texts[n]!.length, offset];
    offset += texts[n]!.length;
    return fields;
  });
  const numbers = [0, names.length, begin, ...records.flat()];
  const head = Buffer.alloc(begin);
  numbers.forEach((number, n) => head.writeUInt16BE(number, 2 * n));
  return Buffer.concat([head, ...texts]);
}

/**
 * Renames a font. A modified font must not keep the name that the licence reserves. The changed table `name` is
 * appended to the font. Checksums are not updated, so `subset-font` must write the font again.
 */
export function renameFont(font: Buffer, reserved: string, name: string): Buffer {
  const names = readFontNames(font).map((one) =>
    one.id === copyrightId
      ? one
      : { ...one, text: one.text.replaceAll(reserved, one.id === postScriptId ? name.replaceAll(' ', '') : name) },
  );
  const table = tableOf(names);
  const entry = entryOf(font, 'name');
  const renamed = Buffer.concat([font, table]);
  renamed.writeUInt32BE(font.length, entry + 8);
  renamed.writeUInt32BE(table.length, entry + 12);
  return renamed;
}
