import { type SignInFailureReason, type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type Role } from '../../access/roles.ts';
import { refuse } from '../../base/refusal.ts';
import { type CommandRefusal } from '../stream/refusals.ts';

/**
 * Codes of the refusals of sign-in, of sign-in sessions and of console enrolment. docs/errors.md explains each code.
 */
export const signInRefusalCodes = [
  'codes-locked',
  'role-not-chosen',
  'role-not-granted',
  'same-person',
  'secret-due',
  'session-locked',
  'session-over',
  'sign-in-locked',
  'weak-secret',
  'wrong-code',
  'wrong-secret',
] as const;
type Code = (typeof signInRefusalCodes)[number];

/**
 * A refusal of a sign-in. `until` is the end of a block, in milliseconds since 1970. `roles` are the roles to choose
 * from.
 */
export type SignInRefusal = CommandRefusal & { readonly until?: number; readonly roles?: readonly Role[] };

const refusal = (refused: Code, message: string, by: string | null = null): CommandRefusal => ({
  refused,
  message,
  by,
});

export const sessionOverRefusal = refusal('session-over', 'Your session has ended. Sign in again.');
export const sessionLockedRefusal = refusal('session-locked', 'Your session is locked. Enter your PIN or password.');
export const weakSecretRefusal = refusal(
  'weak-secret',
  'A PIN has six digits, not in sequence and not all the same. A password has at least ten characters. Choose a PIN or password that differs from the old one.',
);

export const wrongEnrolmentCodeRefusal = refusal(
  'wrong-code',
  'This code is wrong or has expired. Ask an administrator for a new code.',
);
export const enrolmentCodesLockedRefusal = refusal(
  'codes-locked',
  'Too many wrong codes. Wait, or ask an administrator for a new code.',
);

const failureRefusals: { readonly [why in SignInFailureReason]: CommandRefusal } = {
  wrong: refusal('wrong-secret', 'Staff number, PIN or password is wrong. Try again.'),
  locked: refusal(
    'sign-in-locked',
    'Too many wrong attempts with this staff number. Wait, or ask an administrator for a new PIN or password.',
  ),
  'change-due': refusal('secret-due', 'This PIN or password works only once. Choose a new PIN or password first.'),
  'role-not-granted': refusal(
    'role-not-granted',
    'This person does not have that role, or may not use it at this console. Choose another role.',
    'HOUSE 2',
  ),
  'role-not-chosen': refusal('role-not-chosen', 'This person has several roles. Choose a role.', 'HOUSE 2'),
  'same-person': refusal(
    'same-person',
    'This staff number belongs to the person who is signed in here. Enter the number of another person.',
    'HOUSE 2',
  ),
};

export const isSignInFailedEvent = (event: StaffEvent | undefined): event is StaffEventOf<'SignInFailed'> =>
  event?.type === 'SignInFailed';

export function refusalOfFailedSignIn(
  { reason, until }: StaffEventOf<'SignInFailed'>,
  roles: readonly Role[],
): SignInRefusal {
  if (until !== null) return { ...failureRefusals.locked, until };
  return reason === 'role-not-chosen' ? { ...failureRefusals[reason], roles } : failureRefusals[reason];
}

export const badStaffNumberRefusal: CommandRefusal = {
  ...refuse('bad-request', 'This is not a staff number. Enter a staff number such as D-214.'),
  by: null,
};

/** Request to sign in. `console` is null if the browser is not enrolled. */
export type SignInRequest = {
  readonly number: string;
  readonly secret: string;
  readonly kind: SecretKind;
  readonly role?: Role;
  readonly console: string | null;
};
