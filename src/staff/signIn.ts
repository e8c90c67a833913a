import { type Role, roleRank } from '../access/roles.ts';
import { unknownConsoleRefusal } from './accounts.ts';
import { type SignInFailureReason, type SecretPurpose } from './fieldTypes.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import { type StaffEvent } from './events.ts';
import { type StaffRegisterRefusal, type StaffDecision, refuseStaff, sessionEndedEvent, staffStamp } from './decision.ts';
import { type StaffMember, type StaffState, type SignInSession, type FailedSignIns, findMember } from './state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type Authority, effectiveRole, authoritiesOf } from './roleGrants.ts';
import { findSession } from './sessions.ts';

// Whoever gives a number and a secret, for whatever it is: each attempt is an event, and wrong ones lock the number.

/** So many wrong ones in a row lock a number. */
export const maxWrongSecrets = 5;
/** For so long the first time, and twice as long each further time, up to the longest; in milliseconds. */
export const firstLockMs = 60_000;
export const maxLockMs = 86_400_000;
/** Of somebody who is at no console so many sessions go on; the oldest ends with one more. */
export const maxSessionsWithoutConsole = 5;

type SecretCommand = StaffRegisterCommandOf<'SignIn' | 'UnlockSession' | 'Relieve' | 'NoteConsent' | 'ChangeSecret'>;
type AttemptContext = { readonly of: SecretPurpose; readonly number: string; readonly console: string | null };

/** Who it is, or that it failed. Nobody learns from the answer whether a number is somebody's. */
function authenticate(command: SecretCommand, staff: StaffState, attempt: AttemptContext): StaffMember | StaffEvent {
  const { failures = 0, locks = 0, until = null } = ownValue(staff.tries, attempt.number) ?? {};
  const fail = (why: SignInFailureReason, more: FailedSignIns): StaffEvent => ({
    type: 'SignInFailed',
    ...staffStamp(command),
    ...attempt,
    why,
    ...more,
  });
  if (until !== null && command.at < until) return fail('locked', { failures, locks, until });
  const member = findMember(staff, attempt.number);
  if (member === undefined || !command.right) {
    return fail('wrong', countWrongSecret({ failures, locks }, command.at));
  }
  return isTemporarySecret(command, member) ? notAdmittedEvent(command, staff, attempt, 'change-due') : member;
}

/** What one more wrong secret comes to. */
export function countWrongSecret(
  { failures, locks }: Pick<FailedSignIns, 'failures' | 'locks'>,
  at: number,
): FailedSignIns {
  if (failures + 1 < maxWrongSecrets) return { failures: failures + 1, locks, until: null };
  return { failures: 0, locks: locks + 1, until: at + Math.min(firstLockMs * 2 ** locks, maxLockMs) };
}

/** A secret that was given is changed before anything else is done with it. */
const isTemporarySecret = (command: SecretCommand, { secrets }: StaffMember): boolean =>
  'by' in command && command.by !== 'click' && secrets[command.by]?.once === true;

const isFailure = (one: StaffMember | StaffEvent): one is StaffEvent => 'type' in one;

/** One click will do in a demo alone. */
const clickRefusal = ({ by }: { readonly by: string }, staff: StaffState): StaffRegisterRefusal | undefined =>
  by === 'click' && !staff.demo
    ? refuseStaff('not-your-post', 'Nobody signs in by one click outside a demo; give the secret.')
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

/** The secret was right, and nobody is let in all the same: it counts neither way. */
function notAdmittedEvent(
  command: SecretCommand,
  staff: StaffState,
  attempt: AttemptContext,
  why: SignInFailureReason,
): StaffEvent {
  const { failures = 0, locks = 0 } = ownValue(staff.tries, attempt.number) ?? {};
  return { type: 'SignInFailed', ...staffStamp(command), ...attempt, why, failures, locks, until: null };
}

/** The session of somebody who is let in; what it takes the place of ends with it. */
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
      ...staffStamp(command),
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

/** The post that was chosen, or the only one there is; a dealer's console takes the lowest of the line. */
function chooseAuthority(
  authorities: readonly Authority[],
  post: Role | undefined,
  isDealerConsole: boolean,
): Authority | SignInFailureReason {
  const eligible = isDealerConsole ? authorities.filter((one) => roleRank(one.post) >= 0) : authorities;
  if (post !== undefined) return eligible.find((one) => effectiveRole(one) === post) ?? 'post-not-held';
  if (isDealerConsole) return eligible.findLast(({ acting }) => acting === undefined) ?? 'post-not-held';
  return eligible.length === 1 ? eligible[0]! : 'post-not-chosen';
}

/** A console has one session; who is at none has a few. */
function replacedSessions(staff: StaffState, person: string, console: string | null): readonly SignInSession[] {
  const sessions = Object.values(staff.sessions).filter((one) =>
    console === null ? one.console === null && one.person === person : one.console === console,
  );
  return console === null ? sessions.slice(0, Math.max(0, sessions.length + 1 - maxSessionsWithoutConsole)) : sessions;
}

/** The same person goes on where the session was locked. */
export function decideUnlockSession(
  command: StaffRegisterCommandOf<'UnlockSession'>,
  staff: StaffState,
): StaffDecision {
  const session = findSession(staff, command.session);
  const refusal = clickRefusal(command, staff) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { id, number, console } = session;
  const member = authenticate(command, staff, { of: 'unlock', number, console });
  if (isFailure(member)) return [member];
  return [{ type: 'SessionUnlocked', ...staffStamp(command), session: id, person: member.person }];
}

/** The table is never without a dealer: one session ends as the other begins. */
export function decideRelieve(command: StaffRegisterCommandOf<'Relieve'>, staff: StaffState): StaffDecision {
  const session = findSession(staff, command.session);
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

/** A second consent is for one proposal and its hash, and begins no session. */
export function decideNoteConsent(command: StaffRegisterCommandOf<'NoteConsent'>, staff: StaffState): StaffDecision {
  const { number, table, proposal, hash, console } = command;
  const refusal = clickRefusal(command, staff);
  if (refusal) return refusal;
  const member = authenticate(command, staff, { of: 'consent', number, console });
  if (isFailure(member)) return [member];
  const { person } = member;
  return [{ type: 'ConsentGiven', ...staffStamp(command), person, number, table, proposal, hash, console }];
}

/** Who knows the present secret chooses the next one; whoever else is signed in by it is signed out. */
export function decideChangeSecret(command: StaffRegisterCommandOf<'ChangeSecret'>, staff: StaffState): StaffDecision {
  const { number, kind, mark, session } = command;
  const member = authenticate(command, staff, { of: 'change', number, console: null });
  if (isFailure(member)) return [member];
  const { person } = member;
  const others = Object.values(staff.sessions).filter((one) => one.person === person && one.id !== session);
  return [
    { type: 'SecretSet', ...staffStamp(command), person, kind, mark, once: false },
    ...others.map((one) => sessionEndedEvent(command, one, 'secret-changed')),
  ];
}
