import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { amount, time } from '../base/commonSchemas.ts';

/**
 * Session limits that the patron set, and the property's settings for responsible gaming. `stake` and `loss` are in
 * minor units; a limit that is not set is null.
 */
export const sessionLimitsSchema = s.object('limits of the session', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  pausedUntil: s.nullable(time),
  realityCheckMs: s.nonNegativeInteger,
  /** The property's own text on help with gambling, in English and Chinese; null if the property has no such text. */
  help: s.nullable(s.object('help text: en and zh', { en: s.string, zh: s.string })),
});
export type SessionLimitsView = Infer<typeof sessionLimitsSchema>;
