import * as s from './schemas.ts';

// Field schemas that several deciders share.

export const id = s.stringMatching(
  'a name of letters, digits, points and lines, 64 at most',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
);
/** Ids within a property; they are parts of round and account ids. */
export const isId = id.fits;

const maxReasonLength = 500;
export const reason = s.refine(
  s.string,
  'a reason in words, 500 letters at most',
  (value) => value.trim() !== '' && (value.length <= maxReasonLength || Array.from(value).length <= maxReasonLength),
  { pattern: '\\S', maxLength: maxReasonLength },
);

/** End of the year 9999. */
const maxTime = 253_402_300_799_999;
export const time = s.integer('a time in milliseconds since 1970', 0, maxTime);
export const amount = s.integer('a whole number of minor units', 0);
export const hash = s.stringMatching('sha256: and 64 hexadecimal digits', /^sha256:[0-9a-f]{64}$/);
export const currencyCode = s.stringMatching('three capital letters such as SGD', /^[A-Z]{3}$/);
