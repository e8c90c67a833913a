/**
 * Invisible characters, as the inside of a character class of a regular expression: control characters except tab and
 * line breaks, controls of the text direction such as U+202E, and separators of zero width. They can make one text look
 * like another. U+200C and U+200D are left out, since several scripts need these joiners.
 */
export const unseenCharacters =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';

const pattern = new RegExp(`[${unseenCharacters}]`);
const allPattern = new RegExp(pattern, 'g');

export const hasUnseenCharacter = (text: string): boolean => pattern.test(text);

/** Escapes each invisible character: U+202E becomes `\u202e`. */
export const escapeUnseen = (text: string): string =>
  text.replace(allPattern, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
