import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';

// Schema of a scan format. It is apart from cardScan.ts, so that screens can parse scans without loading the schema
// library.

/**
 * The scan format of a card reader. `pattern`: R is the rank, S the suit, other characters stand for themselves. `cut`:
 * the code of the cutting card. `cards`: the card of each code, for a reader with codes of its own.
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
