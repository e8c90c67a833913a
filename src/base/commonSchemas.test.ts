import { expect, test } from 'vitest';
import { reason } from './commonSchemas.ts';
import { parse } from './schema.ts';

const jsonPattern = new RegExp((reason.toJsonSchema({}) as { readonly pattern: string }).pattern);

const isReason = (text: string): boolean => {
  expect(jsonPattern.test(text), text).toBe(reason.fits(text));
  return reason.fits(text);
};

test('a reason may be in any script, with line breaks, tabs, emoji and markup, which stays text', () => {
  for (const text of [
    'Card 3 was exposed.',
    '第三张牌翻开了\n第二行\t列',
    'بطاقة مكشوفة',
    'नमस्\u200dते \u200c',
    '👩\u200d🎤',
    '<b onclick="x">bold</b>',
  ]) {
    expect(isReason(text), text).toBe(true);
  }
});

test('a reason with a character that a reader cannot see is refused with what it must be', () => {
  const unseen = [0x00, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029];
  const directions = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff];
  for (const code of [...unseen, ...directions]) {
    expect(isReason(`void ${String.fromCodePoint(code)}dna yap`), code.toString(16)).toBe(false);
  }
  expect(parse('a\u202Eb', reason, 'text')).toEqual({
    refused: 'bad-request',
    message: 'The field "text" is "a\\u202eb"; give a reason of at most 500 characters, without control characters.',
  });
});

test('a reason has 1 to 500 characters', () => {
  expect([isReason(''), isReason(' \n'), isReason('x'.repeat(500)), isReason('👩'.repeat(500))]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(reason.fits('x'.repeat(501))).toBe(false);
});
