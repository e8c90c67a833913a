import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';

// This schema is not in cardScan.ts, so that screens can parse scans without loading the schema library.

/**
 * The scan format of a card reader. In `pattern`, R is the rank and S the suit; other characters are fixed. `cut` is
 * the code of the cutting card. `cards` gives the card of each code, for a reader that sends its own codes.
 */
export const scanFormatSchema = s.object('a scan format: pattern, cut and cards', {
  pattern: s.stringMatching(
    'a text with one R for the rank and one S for the suit, such as RS',
    /^(?=[^R]*R[^R]*$)(?=[^S]*S[^S]*$).{2,40}$/u,
  ),
  cut: s.stringMatching('a text of 1 to 40 characters', /^.{1,40}$/u),
  cards: s.optional(
    s.record(s.stringMatching('a text of 1 to 40 characters', /^.{1,40}$/u), s.string, 'the card of each code', 200),
  ),
});
export type ScanFormat = Infer<typeof scanFormatSchema>;
