import { roleSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';

/** What a person is known by on the floor: it stands on a badge, and is no secret. */
const number = s.stringMatching('the number of a person, such as D-214', /^[A-Z]{1,4}-[0-9]{1,6}$/);
const posts = s.refine(
  s.array(roleSchema, 'a list of posts, each once', { min: 1 }),
  'a list of posts, each once',
  (list) => new Set(list).size === list.length,
  { uniqueItems: true },
);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);
export type ConsoleKind = Infer<typeof consoleKind>;
const secretKind = s.literals(['pin', 'password']);
export type SecretKind = Infer<typeof secretKind>;
/** By what somebody signs in; one click will do in a demo alone. */
const proof = s.literals(['pin', 'password', 'click']);
/** What tells a secret from the one before it; by itself it tells nothing of either. */
const secretMark = s.stringMatching('32 hexadecimal digits by chance', /^[0-9a-f]{32}$/);
const count = s.integer('a count', 0);

/** What a secret was given for. */
const purpose = s.literals(['sign-in', 'relief', 'unlock', 'consent', 'change']);
export type SecretPurpose = Infer<typeof purpose>;
/** Why nobody was let in. Wrong secrets, numbers of nobody and of those who have left are counted, and nothing else. */
const signInFailureReason = s.literals([
  'wrong',
  'locked',
  'change-due',
  'post-not-held',
  'post-not-chosen',
  'same-person',
]);
export type SignInFailureReason = Infer<typeof signInFailureReason>;
/** Why a session is over. */
const sessionEndReason = s.literals([
  'signed-out',
  'ended',
  'idle',
  'relieved',
  'replaced',
  'post-ended',
  'secret-changed',
  'turned-back',
]);
export type SessionEndReason = Infer<typeof sessionEndReason>;
const lockReason = s.literals(['asked', 'idle']);

/** The field schemas that commands and events of the staff register share. */
export const staffFields = {
  number,
  posts,
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
