import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';

// How a reader of cards is told to a property. It stands by itself, so that screens read scans without the fields.

/**
 * The form of a scan: in `pattern` R stands for the rank and S for the suit, and everything else for itself; `cut` is what
 * the cutting card says; `cards` names the cards of a reader that has codes of its own.
 */
export const scanFormat = s.object('the form of a scan: pattern, cut and cards', {
  pattern: s.stringMatching(
    'a text with one R for the rank and one S for the suit, such as RS',
    /^(?=[^R]*R[^R]*$)(?=[^S]*S[^S]*$).{2,40}$/u,
  ),
  cut: s.stringMatching('a text of 1 to 40 letters', /^.{1,40}$/u),
  cards: s.optional(
    s.record(s.stringMatching('a text of 1 to 40 letters', /^.{1,40}$/u), s.string, 'cards by their codes', 200),
  ),
});
export type ScanFormat = Infer<typeof scanFormat>;
