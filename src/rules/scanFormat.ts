import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';

// Scan format of a card reader. In a file of its own, so that screens parse scans without the schema library.

/**
 * `pattern` has R for the rank and S for the suit; other characters stand for themselves. `cut` is the code of the
 * cutting card; `cards` maps the codes of a reader that has its own.
 */
export const scanFormatSchema = s.object('the form of a scan: pattern, cut and cards', {
  pattern: s.stringMatching(
    'a text with one R for the rank and one S for the suit, such as RS',
    /^(?=[^R]*R[^R]*$)(?=[^S]*S[^S]*$).{2,40}$/u,
  ),
  cut: s.stringMatching('a text of 1 to 40 letters', /^.{1,40}$/u),
  cards: s.optional(
    s.record(s.stringMatching('a text of 1 to 40 letters', /^.{1,40}$/u), s.string, 'cards by their codes', 200),
  ),
});
export type ScanFormat = Infer<typeof scanFormatSchema>;
