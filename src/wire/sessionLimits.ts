import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { amount, time } from '../base/commonSchemas.ts';

/** What the patron of a session has set, and what the property does for patrons. */
export const limits = s.object('limits of the session', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  pausedUntil: s.nullable(time),
  /** How often time and result are told, in milliseconds. */
  remindEvery: s.nonNegativeInteger,
  /** The property's own words of help, in both languages. */
  help: s.nullable(s.object('words of help: en and zh', { en: s.string, zh: s.string })),
});
export type SessionLimitsView = Infer<typeof limits>;
