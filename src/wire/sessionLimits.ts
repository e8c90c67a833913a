import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { amount, time } from '../base/commonSchemas.ts';

/** Limits set by the patron, and the property's responsible gaming settings. */
export const sessionLimitsSchema = s.object('limits of the session', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  pausedUntil: s.nullable(time),
  /** Interval of reality checks, in milliseconds. */
  realityCheckMs: s.nonNegativeInteger,
  /** Help text of the property, in both languages. */
  help: s.nullable(s.object('help text: en and zh', { en: s.string, zh: s.string })),
});
export type SessionLimitsView = Infer<typeof sessionLimitsSchema>;
