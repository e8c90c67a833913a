import * as s from './schemas.ts';
import { hasUnseenCharacter, unseenCharacters } from './unseenCharacters.ts';

// Field schemas that several deciders share.

export const id = s.stringMatching(
  'an id of letters, digits, ".", "_" and "-", at most 64 characters',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
);
/** True for a valid id. An id has no slash, because round ids and account names use slashes as separators. */
export const isId = id.fits;

const maxReasonLength = 500;
/** Free text that a person entered. Markup stays text: no page interprets it. */
export const reason = s.refine(
  s.string,
  'a reason of at most 500 characters, without control characters',
  (value) =>
    value.trim() !== '' &&
    (value.length <= maxReasonLength || Array.from(value).length <= maxReasonLength) &&
    !hasUnseenCharacter(value),
  { pattern: `^[^${unseenCharacters}]*[^\\s${unseenCharacters}][^${unseenCharacters}]*$`, maxLength: maxReasonLength },
);

/** The last millisecond of the year 9999 (UTC). */
const maxTime = 253_402_300_799_999;
export const time = s.integer('a time in milliseconds since 1970', 0, maxTime);
export const amount = s.integer('a whole number of minor units', 0);
export const hash = s.stringMatching('sha256: and 64 hexadecimal digits', /^sha256:[0-9a-f]{64}$/);
export const currencyCode = s.stringMatching('three capital letters such as SGD', /^[A-Z]{3}$/);
