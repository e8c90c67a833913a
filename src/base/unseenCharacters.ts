/**
 * Characters that a reader cannot see, as the inside of a character class: controls other than tab and line breaks,
 * controls of the text direction, such as U+202E, and separators of zero width. They can make a text look like another
 * one. The joiners U+200C and U+200D, which several scripts need, are not among them.
 */
export const unseenCharacters =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';

const pattern = new RegExp(`[${unseenCharacters}]`);
const allPattern = new RegExp(pattern, 'g');

export const hasUnseenCharacter = (text: string): boolean => pattern.test(text);

/** Escapes each character that a reader cannot see: U+202E becomes `\u202e`. */
export const escapeUnseen = (text: string): string =>
  text.replace(allPattern, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
