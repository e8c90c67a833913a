import { roleSchema } from '../access/actor.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';

/** Staff number, as printed on the badge; not a secret. */
const number = s.stringMatching('a staff number such as D-214', /^[A-Z]{1,4}-[0-9]{1,6}$/);
const roles = s.refine(
  s.array(roleSchema, 'a list of roles, each once', { min: 1 }),
  'a list of roles, each once',
  (list) => new Set(list).size === list.length,
  { uniqueItems: true },
);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);
export type ConsoleKind = Infer<typeof consoleKind>;
const secretKind = s.literals(['pin', 'password']);
export type SecretKind = Infer<typeof secretKind>;
/** How a person proves who they are; `click` works in a demo only. */
const proof = s.literals(['pin', 'password', 'click']);
/** Random id under which the hash of a secret is saved; the id reveals nothing about the secret. */
const secretMark = s.stringMatching('32 random hexadecimal digits', /^[0-9a-f]{32}$/);
const count = s.integer('a count', 0);

const purpose = s.literals(['sign-in', 'relief', 'unlock', 'consent', 'change']);
export type SecretPurpose = Infer<typeof purpose>;
/** Why a sign-in failed. Only `wrong` counts towards a lock; an unknown or former staff number also gives `wrong`. */
const signInFailureReason = s.literals([
  'wrong',
  'locked',
  'change-due',
  'role-not-granted',
  'role-not-chosen',
  'same-person',
]);
export type SignInFailureReason = Infer<typeof signInFailureReason>;
const sessionEndReason = s.literals([
  'signed-out',
  'ended',
  'idle',
  'relieved',
  'replaced',
  'role-ended',
  'secret-changed',
  'rolled-back',
]);
export type SessionEndReason = Infer<typeof sessionEndReason>;
const lockReason = s.literals(['requested', 'idle']);

export const staffFieldSchemas = {
  number,
  roles,
  consoleKind,
  secretKind,
  proof,
  secretMark,
  count,
  purpose,
  signInFailureReason,
  sessionEndReason,
  lockReason,
};
