import { type ValueOf, object, orNull, text, whole } from '../base/schema.ts';
import { amount, time } from '../base/commonSchemas.ts';

/** What the patron of a session has set, and what the property does for patrons. */
export const limits = object('limits of the session', {
  stake: orNull(amount),
  loss: orNull(amount),
  pausedUntil: orNull(time),
  /** How often time and result are told, in milliseconds. */
  remindEvery: whole,
  /** The property's own words of help, in both languages. */
  help: orNull(object('words of help: en and zh', { en: text, zh: text })),
});
export type Limits = ValueOf<typeof limits>;
