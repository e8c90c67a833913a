import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';

/**
 * A sentence as data. For each `code` and language, a screen has a text with gaps, and fills them with the values of
 * `with`. `by` is the rulebook clause that is the reason for the sentence.
 */
export const promptSchema = s.object('a prompt', {
  code: s.string,
  with: s.record(s.string, s.string, 'values of the prompt, by name'),
  by: s.nullable(s.string),
});
export type PromptView = Infer<typeof promptSchema>;

/** A staff member by number and role. Staff screens show no names. */
export const staffActorViewSchema = s.object('a staff member', {
  person: s.string,
  number: s.nullable(s.string),
  role: s.string,
  acting: s.nullable(s.string),
});
