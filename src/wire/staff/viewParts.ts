import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';

// Schemas that several staff views share.

/** A prompt as data: screens have a text per code and language; `by` is the clause. */
export const promptSchema = s.object('a sentence', {
  code: s.string,
  with: s.record(s.string, s.string, 'what it speaks of, by name'),
  by: s.nullable(s.string),
});
export type PromptView = Infer<typeof promptSchema>;

/** Actor by role and number; staff screens show no names. */
export const actorViewSchema = s.object('a person', {
  person: s.string,
  number: s.nullable(s.string),
  role: s.string,
  acting: s.nullable(s.string),
});
