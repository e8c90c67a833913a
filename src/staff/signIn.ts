import { type Role, pitRoleRank } from '../access/roles.ts';
import { unknownConsoleRefusal } from './accounts.ts';
import { type SignInFailureReason, type SecretPurpose } from './fieldTypes.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import { type StaffEvent } from './events.ts';
import {
  type StaffRegisterRefusal,
  type StaffDecision,
  refuseStaff,
  sessionEndedEvent,
  staffEventStamp,
} from './decision.ts';
import {
  type StaffMember,
  type StaffState,
  type SignInSession,
  type FailedSignIns,
  findCurrentMember,
} from './state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type Authority, effectiveRole, authoritiesOf } from './roleGrants.ts';
import { findSignInSession } from './sessions.ts';

// Each attempt with a staff number and a PIN or password is recorded as an event. Five wrong attempts lock the number.

export const maxWrongSecrets = 5;
/**
 * Duration of the first lock, in milliseconds. Until a success, each further lock lasts twice as long as the last, up
 * to `maxLockMs`.
 */
export const firstLockMs = 60_000;
export const maxLockMs = 86_400_000;
/** Maximum number of sessions of one person outside consoles; one more session ends the oldest. */
export const maxSessionsWithoutConsole = 5;

type SecretCommand = StaffRegisterCommandOf<'SignIn' | 'UnlockSession' | 'Relieve' | 'NoteConsent' | 'ChangeSecret'>;
type AttemptContext = { readonly of: SecretPurpose; readonly number: string; readonly console: string | null };

/**
 * The staff member who proved their identity, or the event of the failure. The event does not reveal whether the staff
 * number exists.
 */
function authenticate(command: SecretCommand, staff: StaffState, attempt: AttemptContext): StaffMember | StaffEvent {
  const { failures = 0, locks = 0, until = null } = ownValue(staff.failedSignIns, attempt.number) ?? {};
  const fail = (reason: SignInFailureReason, more: FailedSignIns): StaffEvent => ({
    type: 'SignInFailed',
    ...staffEventStamp(command),
    ...attempt,
    reason,
    ...more,
  });
  if (until !== null && command.at < until) return fail('locked', { failures, locks, until });
  const member = findCurrentMember(staff, attempt.number);
  if (member === undefined || !command.right) {
    return fail('wrong', countWrongSecret({ failures, locks }, command.at));
  }
  return isTemporarySecret(command, member) ? notAdmittedEvent(command, staff, attempt, 'change-due') : member;
}

/** Counts one more wrong secret; the fifth since the last lock starts a new lock. */
export function countWrongSecret(
  { failures, locks }: Pick<FailedSignIns, 'failures' | 'locks'>,
  at: number,
): FailedSignIns {
  if (failures + 1 < maxWrongSecrets) return { failures: failures + 1, locks, until: null };
  return { failures: 0, locks: locks + 1, until: at + Math.min(firstLockMs * 2 ** locks, maxLockMs) };
}

/** True when the person gave a one-time secret, which must be changed before any other use. */
const isTemporarySecret = (command: SecretCommand, { secrets }: StaffMember): boolean =>
  'by' in command && command.by !== 'click' && secrets[command.by]?.once === true;

const isFailure = (one: StaffMember | StaffEvent): one is StaffEvent => 'type' in one;

const clickRefusal = ({ by }: { readonly by: string }, staff: StaffState): StaffRegisterRefusal | undefined =>
  by === 'click' && !staff.demo
    ? refuseStaff('not-your-role', 'Sign-in with one click works in a demo only; give your PIN or password.')
    : undefined;

export function decideSignIn(command: StaffRegisterCommandOf<'SignIn'>, staff: StaffState): StaffDecision {
  const { by, number, console } = command;
  const refusal =
    clickRefusal(command, staff) ?? (console === null ? undefined : unknownConsoleRefusal(staff, console));
  if (refusal) return refusal;
  if (by === 'pin' && console === null) {
    return refuseStaff('console-needed', 'A PIN works only at an enrolled console; use your password here.');
  }
  const member = authenticate(command, staff, { of: 'sign-in', number, console });
  return isFailure(member) ? [member] : signedInEvents(command, staff, member, 'sign-in', console);
}

/** The event of a sign-in that failed although the secret was right; this failure does not count towards a lock. */
function notAdmittedEvent(
  command: SecretCommand,
  staff: StaffState,
  attempt: AttemptContext,
  reason: SignInFailureReason,
): StaffEvent {
  const { failures = 0, locks = 0 } = ownValue(staff.failedSignIns, attempt.number) ?? {};
  return { type: 'SignInFailed', ...staffEventStamp(command), ...attempt, reason, failures, locks, until: null };
}

/** The events that start a session and end the sessions that it replaces. */
function signedInEvents(
  command: StaffRegisterCommandOf<'SignIn' | 'Relieve'>,
  staff: StaffState,
  member: StaffMember,
  of: SecretPurpose,
  console: string | null,
  relieved?: SignInSession,
): StaffDecision {
  const { person, number } = member;
  const kind = console === null ? undefined : staff.consoles[console]!.kind;
  const authority = chooseAuthority(authoritiesOf(staff, person, command.at), command.as, kind === 'dealer');
  if (typeof authority === 'string') return [notAdmittedEvent(command, staff, { of, number, console }, authority)];
  return [
    ...(relieved
      ? [sessionEndedEvent(command, relieved, 'relieved')]
      : replacedSessions(staff, person, console).map((one) => sessionEndedEvent(command, one, 'replaced'))),
    {
      type: 'SignedIn',
      ...staffEventStamp(command),
      session: `s${staff.given.sessions + 1}`,
      person,
      number,
      by: command.by,
      ...authority,
      console,
      table: console === null ? null : staff.consoles[console]!.table,
    },
  ];
}

/**
 * The authority for a sign-in: the chosen role. Without a choice, it is the only role or, at a dealer console, the
 * lowest own pit role.
 */
function chooseAuthority(
  authorities: readonly Authority[],
  role: Role | undefined,
  isDealerConsole: boolean,
): Authority | SignInFailureReason {
  const eligible = isDealerConsole ? authorities.filter((one) => pitRoleRank(one.role) >= 0) : authorities;
  if (role !== undefined) return eligible.find((one) => effectiveRole(one) === role) ?? 'role-not-granted';
  if (isDealerConsole) return eligible.findLast(({ acting }) => acting === undefined) ?? 'role-not-granted';
  return eligible.length === 1 ? eligible[0]! : 'role-not-chosen';
}

/**
 * Sessions that end because a new session starts. At a console, this is the session there. Outside consoles, these are
 * the oldest sessions of the person, if there would be more than the maximum.
 */
function replacedSessions(staff: StaffState, person: string, console: string | null): readonly SignInSession[] {
  const sessions = Object.values(staff.sessions).filter((one) =>
    console === null ? one.console === null && one.person === person : one.console === console,
  );
  return console === null ? sessions.slice(0, Math.max(0, sessions.length + 1 - maxSessionsWithoutConsole)) : sessions;
}

export function decideUnlockSession(
  command: StaffRegisterCommandOf<'UnlockSession'>,
  staff: StaffState,
): StaffDecision {
  const session = findSignInSession(staff, command.session);
  const refusal = clickRefusal(command, staff) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { id, number, console } = session;
  const member = authenticate(command, staff, { of: 'unlock', number, console });
  if (isFailure(member)) return [member];
  return [{ type: 'SessionUnlocked', ...staffEventStamp(command), session: id, person: member.person }];
}

/** Relieves the person at a console: one session ends as the other starts, so the table always has a dealer. */
export function decideRelieve(command: StaffRegisterCommandOf<'Relieve'>, staff: StaffState): StaffDecision {
  const session = findSignInSession(staff, command.session);
  const refusal = clickRefusal(command, staff) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { console } = session;
  if (console === null) return refuseStaff('console-needed', 'Relief works only at a console; sign out here instead.');
  const member = authenticate(command, staff, { of: 'relief', number: command.number, console });
  if (isFailure(member)) return [member];
  if (member.person === session.person) {
    return [notAdmittedEvent(command, staff, { of: 'relief', number: command.number, console }, 'same-person')];
  }
  return signedInEvents(command, staff, member, 'relief', console, session);
}

/**
 * Records that a person consents to a proposal, without starting a session. The consent holds only for this hash of the
 * proposal.
 */
export function decideNoteConsent(command: StaffRegisterCommandOf<'NoteConsent'>, staff: StaffState): StaffDecision {
  const { number, table, proposal, hash, console } = command;
  const refusal = clickRefusal(command, staff);
  if (refusal) return refusal;
  const member = authenticate(command, staff, { of: 'consent', number, console });
  if (isFailure(member)) return [member];
  const { person } = member;
  return [{ type: 'ConsentGiven', ...staffEventStamp(command), person, number, table, proposal, hash, console }];
}

/** Changes a secret for a person who gave the present one; other sessions of the person end. */
export function decideChangeSecret(command: StaffRegisterCommandOf<'ChangeSecret'>, staff: StaffState): StaffDecision {
  const { number, kind, mark, session } = command;
  const member = authenticate(command, staff, { of: 'change', number, console: null });
  if (isFailure(member)) return [member];
  const { person } = member;
  const others = Object.values(staff.sessions).filter((one) => one.person === person && one.id !== session);
  return [
    { type: 'SecretSet', ...staffEventStamp(command), person, kind, mark, once: false },
    ...others.map((one) => sessionEndedEvent(command, one, 'secret-changed')),
  ];
}
