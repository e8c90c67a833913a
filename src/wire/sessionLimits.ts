import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { amount, time } from '../base/commonSchemas.ts';

/**
 * Limits that the patron has set for the session, and settings of the property for responsible gaming. `stake` and
 * `loss` are limits in minor units; null if not set.
 */
export const sessionLimitsSchema = s.object('limits of the session', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  pausedUntil: s.nullable(time),
  realityCheckMs: s.nonNegativeInteger,
  /** Text of the property about help with gambling, in English and Chinese; null if the property has none. */
  help: s.nullable(s.object('help text: en and zh', { en: s.string, zh: s.string })),
});
export type SessionLimitsView = Infer<typeof sessionLimitsSchema>;
