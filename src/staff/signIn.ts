import { type Role, roleRank } from '../access/roles.ts';
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
  findPresentMember,
} from './state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type Authority, effectiveRole, authoritiesOf } from './roleGrants.ts';
import { findSignInSession } from './sessions.ts';

// Every use of a number and a secret is an event; wrong secrets lock the number.

export const maxWrongSecrets = 5;
/** Lock time doubles from the first to the maximum, in milliseconds. */
export const firstLockMs = 60_000;
export const maxLockMs = 86_400_000;
/** Sessions of one person outside consoles; one more ends the oldest. */
export const maxSessionsWithoutConsole = 5;

type SecretCommand = StaffRegisterCommandOf<'SignIn' | 'UnlockSession' | 'Relieve' | 'NoteConsent' | 'ChangeSecret'>;
type AttemptContext = { readonly of: SecretPurpose; readonly number: string; readonly console: string | null };

/** The member, or the failure event. The answer does not reveal whether a number exists. */
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
  const member = findPresentMember(staff, attempt.number);
  if (member === undefined || !command.right) {
    return fail('wrong', countWrongSecret({ failures, locks }, command.at));
  }
  return isTemporarySecret(command, member) ? notAdmittedEvent(command, staff, attempt, 'change-due') : member;
}

/** Counts one more wrong secret; locks at the maximum. */
export function countWrongSecret(
  { failures, locks }: Pick<FailedSignIns, 'failures' | 'locks'>,
  at: number,
): FailedSignIns {
  if (failures + 1 < maxWrongSecrets) return { failures: failures + 1, locks, until: null };
  return { failures: 0, locks: locks + 1, until: at + Math.min(firstLockMs * 2 ** locks, maxLockMs) };
}

/** A secret set by an administrator must be changed before any other use. */
const isTemporarySecret = (command: SecretCommand, { secrets }: StaffMember): boolean =>
  'by' in command && command.by !== 'click' && secrets[command.by]?.once === true;

const isFailure = (one: StaffMember | StaffEvent): one is StaffEvent => 'type' in one;

/** One click is enough in a demo only. */
const clickRefusal = ({ by }: { readonly by: string }, staff: StaffState): StaffRegisterRefusal | undefined =>
  by === 'click' && !staff.demo
    ? refuseStaff('not-your-role', 'Sign-in by one click works in a demo only; give the secret.')
    : undefined;

export function decideSignIn(command: StaffRegisterCommandOf<'SignIn'>, staff: StaffState): StaffDecision {
  const { by, number, console } = command;
  const refusal =
    clickRefusal(command, staff) ?? (console === null ? undefined : unknownConsoleRefusal(staff, console));
  if (refusal) return refusal;
  if (by === 'pin' && console === null) {
    return refuseStaff('console-needed', 'A PIN is good at an enrolled console; give the password here.');
  }
  const member = authenticate(command, staff, { of: 'sign-in', number, console });
  return isFailure(member) ? [member] : signedInEvents(command, staff, member, 'sign-in', console);
}

/** Refused although the secret was right; not counted. */
function notAdmittedEvent(
  command: SecretCommand,
  staff: StaffState,
  attempt: AttemptContext,
  reason: SignInFailureReason,
): StaffEvent {
  const { failures = 0, locks = 0 } = ownValue(staff.failedSignIns, attempt.number) ?? {};
  return { type: 'SignInFailed', ...staffEventStamp(command), ...attempt, reason, failures, locks, until: null };
}

/** Starts a session; sessions that it replaces end. */
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

/** The chosen role, or the only one; a dealer's console takes the lowest pit role. */
function chooseAuthority(
  authorities: readonly Authority[],
  role: Role | undefined,
  isDealerConsole: boolean,
): Authority | SignInFailureReason {
  const eligible = isDealerConsole ? authorities.filter((one) => roleRank(one.role) >= 0) : authorities;
  if (role !== undefined) return eligible.find((one) => effectiveRole(one) === role) ?? 'role-not-held';
  if (isDealerConsole) return eligible.findLast(({ acting }) => acting === undefined) ?? 'role-not-held';
  return eligible.length === 1 ? eligible[0]! : 'role-not-chosen';
}

/** A console has one session; a person outside consoles has a few. */
function replacedSessions(staff: StaffState, person: string, console: string | null): readonly SignInSession[] {
  const sessions = Object.values(staff.sessions).filter((one) =>
    console === null ? one.console === null && one.person === person : one.console === console,
  );
  return console === null ? sessions.slice(0, Math.max(0, sessions.length + 1 - maxSessionsWithoutConsole)) : sessions;
}

/** The same person continues the locked session. */
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

/** One session ends as the other begins, so the table always has a dealer. */
export function decideRelieve(command: StaffRegisterCommandOf<'Relieve'>, staff: StaffState): StaffDecision {
  const session = findSignInSession(staff, command.session);
  const refusal = clickRefusal(command, staff) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { console } = session;
  if (console === null) return refuseStaff('console-needed', 'One is relieved at a console; sign out here instead.');
  const member = authenticate(command, staff, { of: 'relief', number: command.number, console });
  if (isFailure(member)) return [member];
  if (member.person === session.person) {
    return [notAdmittedEvent(command, staff, { of: 'relief', number: command.number, console }, 'same-person')];
  }
  return signedInEvents(command, staff, member, 'relief', console, session);
}

/** An approval is for one proposal and its hash; it starts no session. */
export function decideNoteConsent(command: StaffRegisterCommandOf<'NoteConsent'>, staff: StaffState): StaffDecision {
  const { number, table, proposal, hash, console } = command;
  const refusal = clickRefusal(command, staff);
  if (refusal) return refusal;
  const member = authenticate(command, staff, { of: 'consent', number, console });
  if (isFailure(member)) return [member];
  const { person } = member;
  return [{ type: 'ConsentGiven', ...staffEventStamp(command), person, number, table, proposal, hash, console }];
}

/** The present secret is needed; other sessions of the person end. */
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
