import { type SignInFailureReason, type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type Role } from '../../access/roles.ts';
import { refuse } from '../../base/refusal.ts';
import { type CommandRefusal } from '../stream/refusals.ts';

/** Codes of sign-in and staff refusals; docs/errors.md explains each. */
export const staffRefusals = [
  'codes-locked',
  'role-not-chosen',
  'role-not-held',
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

/** A sign-in refusal; with the end of a block, or the roles to choose from. */
export type SignInRefusal = CommandRefusal & { readonly until?: number; readonly roles?: readonly Role[] };

const refusal = (refused: Code, message: string, by: string | null = null): CommandRefusal => ({
  refused,
  message,
  by,
});

export const sessionOver = refusal('session-over', 'The session is over; sign in again.');
export const sessionLocked = refusal('session-locked', 'The session is locked; give the secret again.');
export const weakSecret = refusal(
  'weak-secret',
  'A PIN is six digits that are no run and not all the same, a password ten letters or more; choose another.',
);

export const wrongEnrolmentCode = refusal(
  'wrong-code',
  'No console is offered by this code, or not any more; ask for another.',
);
export const codesLocked = refusal(
  'codes-locked',
  'Too many wrong codes were given; wait, or let an administrator offer the console again.',
);

const failureRefusals: { readonly [why in SignInFailureReason]: CommandRefusal } = {
  wrong: refusal('wrong-secret', 'Number and secret do not go together; give them again.'),
  locked: refusal(
    'sign-in-locked',
    'Too many wrong secrets were given for this number; wait, or ask an administrator.',
  ),
  'change-due': refusal('secret-due', 'This secret was given to be changed; choose one of your own first.'),
  'role-not-held': refusal(
    'role-not-held',
    'This person does not have that role, or not at this console; choose another role.',
    'HOUSE 2',
  ),
  'role-not-chosen': refusal('role-not-chosen', 'This person has several roles; choose one.', 'HOUSE 2'),
  'same-person': refusal('same-person', 'This takes another person; give another number.', 'HOUSE 2'),
};

export const isSignInFailed = (event: StaffEvent | undefined): event is StaffEventOf<'SignInFailed'> =>
  event?.type === 'SignInFailed';

/** The refusal for a failed sign-in; `roles` are those to choose from. */
export function signInRefusal({ reason, until }: StaffEventOf<'SignInFailed'>, roles: readonly Role[]): SignInRefusal {
  if (until !== null) return { ...failureRefusals.locked, until };
  return reason === 'role-not-chosen' ? { ...failureRefusals[reason], roles } : failureRefusals[reason];
}

export const badStaffNumber: CommandRefusal = {
  ...refuse('bad-request', 'That is no number of a person; give one such as D-214.'),
  by: null,
};

/** `console` is null if the browser is not enrolled. */
export type SignInRequest = {
  readonly number: string;
  readonly secret: string;
  readonly kind: SecretKind;
  readonly role?: Role;
  readonly console: string | null;
};
