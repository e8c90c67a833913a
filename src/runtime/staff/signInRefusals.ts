import { type SignInFailureReason, type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type Role } from '../../access/roles.ts';
import { refuse } from '../../base/refusal.ts';
import { type Denied } from '../stream/pendingCommand.ts';

/** Why somebody is not let in, or does nothing. A closed list, explained one by one in docs/errors.md. */
export const staffRefusals = [
  'codes-locked',
  'post-not-chosen',
  'post-not-held',
  'same-person',
  'secret-due',
  'session-locked',
  'session-over',
  'sign-in-locked',
  'weak-secret',
  'wrong-code',
  'wrong-secret',
] as const;
type Code = (typeof staffRefusals)[number];

/** Why somebody is not let in; until when, or among which posts to choose, where that is the reason. */
export type SignInRefusal = Denied & { readonly until?: number; readonly posts?: readonly Role[] };

const denied = (refused: Code, message: string, by: string | null = null): Denied => ({ refused, message, by });

export const sessionOver = denied('session-over', 'The session is over; sign in again.');
export const sessionLocked = denied('session-locked', 'The session is locked; give the secret again.');
export const weakSecret = denied(
  'weak-secret',
  'A PIN is six digits that are no run and not all the same, a password ten letters or more; choose another.',
);

export const wrongEnrolmentCode = denied(
  'wrong-code',
  'No console is offered by this code, or not any more; ask for another.',
);
export const codesLocked = denied(
  'codes-locked',
  'Too many wrong codes were given; wait, or let an administrator offer the console again.',
);

const told: { readonly [why in SignInFailureReason]: Denied } = {
  wrong: denied('wrong-secret', 'Number and secret do not go together; give them again.'),
  locked: denied('sign-in-locked', 'Too many wrong secrets were given for this number; wait, or ask an administrator.'),
  'change-due': denied('secret-due', 'This secret was given to be changed; choose one of your own first.'),
  'post-not-held': denied(
    'post-not-held',
    'This post is not held, or not for this console; choose another.',
    'HOUSE 2',
  ),
  'post-not-chosen': denied('post-not-chosen', 'Several posts are held; choose one.', 'HOUSE 2'),
  'same-person': denied('same-person', 'This takes another person; give another number.', 'HOUSE 2'),
};

export const isFailed = (event: StaffEvent | undefined): event is StaffEventOf<'SignInFailed'> =>
  event?.type === 'SignInFailed';

/** What whoever tried is told; `posts` are those to choose from. */
export function notLetIn({ why, until }: StaffEventOf<'SignInFailed'>, posts: readonly Role[]): SignInRefusal {
  if (until !== null) return { ...told.locked, until };
  return why === 'post-not-chosen' ? { ...told[why], posts } : told[why];
}

export const badNumber: Denied = {
  ...refuse('bad-request', 'That is no number of a person; give one such as D-214.'),
  by: null,
};

/** Somebody gives a number and a secret; `console` is null where none is enrolled. */
export type SigningIn = {
  readonly number: string;
  readonly secret: string;
  readonly kind: SecretKind;
  readonly post?: Role;
  readonly console: string | null;
};
