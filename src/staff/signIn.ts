import { type Role, roleRank } from '../access/roles.ts';
import { unknownConsoleRefusal } from './accounts.ts';
import {
  type SignInFailureReason,
  type StaffRegisterCommandOf,
  type StaffEvent,
  type StaffRegisterRefusal,
  type SecretPurpose,
} from './commands.ts';
import { type StaffDecision, refuseStaff, sessionEndedEvent, staffStamp } from './decision.ts';
import { type StaffMember, type StaffState, type SignInSession, type FailedSignIns, findMember, own } from './state.ts';
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

type Attempt = StaffRegisterCommandOf<'SignIn' | 'UnlockSession' | 'Relieve' | 'NoteConsent' | 'ChangeSecret'>;
type Trying = { readonly of: SecretPurpose; readonly number: string; readonly console: string | null };

/** Who it is, or that it failed. Nobody learns from the answer whether a number is somebody's. */
function tried(command: Attempt, people: StaffState, trying: Trying): StaffMember | StaffEvent {
  const { failures = 0, locks = 0, until = null } = own(people.tries, trying.number) ?? {};
  const fail = (why: SignInFailureReason, more: FailedSignIns): StaffEvent => ({
    type: 'SignInFailed',
    ...staffStamp(command),
    ...trying,
    why,
    ...more,
  });
  if (until !== null && command.at < until) return fail('locked', { failures, locks, until });
  const member = findMember(people, trying.number);
  if (member === undefined || !command.right) {
    return fail('wrong', countWrongSecret({ failures, locks }, command.at));
  }
  return isOnce(command, member) ? notIn(command, people, trying, 'change-due') : member;
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
const isOnce = (command: Attempt, { secrets }: StaffMember): boolean =>
  'by' in command && command.by !== 'click' && secrets[command.by]?.once === true;

const isFailed = (one: StaffMember | StaffEvent): one is StaffEvent => 'type' in one;

/** One click will do in a demo alone. */
const clicked = ({ by }: { readonly by: string }, people: StaffState): StaffRegisterRefusal | undefined =>
  by === 'click' && !people.demo
    ? refuseStaff('not-your-post', 'Nobody signs in by one click outside a demo; give the secret.')
    : undefined;

export function decideSignIn(command: StaffRegisterCommandOf<'SignIn'>, people: StaffState): StaffDecision {
  const { by, number, console } = command;
  const refusal = clicked(command, people) ?? (console === null ? undefined : unknownConsoleRefusal(people, console));
  if (refusal) return refusal;
  if (by === 'pin' && console === null) {
    return refuseStaff('console-needed', 'A PIN is good at an enrolled console; give the password here.');
  }
  const member = tried(command, people, { of: 'sign-in', number, console });
  return isFailed(member) ? [member] : begun(command, people, member, 'sign-in', console);
}

/** The secret was right, and nobody is let in all the same: it counts neither way. */
function notIn(command: Attempt, people: StaffState, trying: Trying, why: SignInFailureReason): StaffEvent {
  const { failures = 0, locks = 0 } = own(people.tries, trying.number) ?? {};
  return { type: 'SignInFailed', ...staffStamp(command), ...trying, why, failures, locks, until: null };
}

/** The session of somebody who is let in; what it takes the place of ends with it. */
function begun(
  command: StaffRegisterCommandOf<'SignIn' | 'Relieve'>,
  people: StaffState,
  member: StaffMember,
  of: SecretPurpose,
  console: string | null,
  relieved?: SignInSession,
): StaffDecision {
  const { person, number } = member;
  const kind = console === null ? undefined : people.consoles[console]!.kind;
  const standing = chosen(authoritiesOf(people, person, command.at), command.as, kind === 'dealer');
  if (typeof standing === 'string') return [notIn(command, people, { of, number, console }, standing)];
  return [
    ...(relieved
      ? [sessionEndedEvent(command, relieved, 'relieved')]
      : replaced(people, person, console).map((one) => sessionEndedEvent(command, one, 'replaced'))),
    {
      type: 'SignedIn',
      ...staffStamp(command),
      session: `s${people.given.sessions + 1}`,
      person,
      number,
      by: command.by,
      ...standing,
      console,
      table: console === null ? null : people.consoles[console]!.table,
    },
  ];
}

/** The post that was chosen, or the only one there is; a dealer's console takes the lowest of the line. */
function chosen(
  standings: readonly Authority[],
  post: Role | undefined,
  isDealers: boolean,
): Authority | SignInFailureReason {
  const fit = isDealers ? standings.filter((one) => roleRank(one.post) >= 0) : standings;
  if (post !== undefined) return fit.find((one) => effectiveRole(one) === post) ?? 'post-not-held';
  if (isDealers) return fit.findLast(({ acting }) => acting === undefined) ?? 'post-not-held';
  return fit.length === 1 ? fit[0]! : 'post-not-chosen';
}

/** A console has one session; who is at none has a few. */
function replaced(people: StaffState, person: string, console: string | null): readonly SignInSession[] {
  const there = Object.values(people.sessions).filter((one) =>
    console === null ? one.console === null && one.person === person : one.console === console,
  );
  return console === null ? there.slice(0, Math.max(0, there.length + 1 - maxSessionsWithoutConsole)) : there;
}

/** The same person goes on where the session was locked. */
export function decideUnlockSession(
  command: StaffRegisterCommandOf<'UnlockSession'>,
  people: StaffState,
): StaffDecision {
  const session = findSession(people, command.session);
  const refusal = clicked(command, people) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { id, number, console } = session;
  const member = tried(command, people, { of: 'unlock', number, console });
  if (isFailed(member)) return [member];
  return [{ type: 'SessionUnlocked', ...staffStamp(command), session: id, person: member.person }];
}

/** The table is never without a dealer: one session ends as the other begins. */
export function decideRelieve(command: StaffRegisterCommandOf<'Relieve'>, people: StaffState): StaffDecision {
  const session = findSession(people, command.session);
  const refusal = clicked(command, people) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { console } = session;
  if (console === null) return refuseStaff('console-needed', 'One is relieved at a console; sign out here instead.');
  const member = tried(command, people, { of: 'relief', number: command.number, console });
  if (isFailed(member)) return [member];
  if (member.person === session.person) {
    return [notIn(command, people, { of: 'relief', number: command.number, console }, 'same-person')];
  }
  return begun(command, people, member, 'relief', console, session);
}

/** A second consent is for one proposal and its hash, and begins no session. */
export function decideNoteConsent(command: StaffRegisterCommandOf<'NoteConsent'>, people: StaffState): StaffDecision {
  const { number, table, proposal, hash, console } = command;
  const refusal = clicked(command, people);
  if (refusal) return refusal;
  const member = tried(command, people, { of: 'consent', number, console });
  if (isFailed(member)) return [member];
  const { person } = member;
  return [{ type: 'ConsentGiven', ...staffStamp(command), person, number, table, proposal, hash, console }];
}

/** Who knows the present secret chooses the next one; whoever else is signed in by it is signed out. */
export function decideChangeSecret(command: StaffRegisterCommandOf<'ChangeSecret'>, people: StaffState): StaffDecision {
  const { number, kind, mark, session } = command;
  const member = tried(command, people, { of: 'change', number, console: null });
  if (isFailed(member)) return [member];
  const { person } = member;
  const others = Object.values(people.sessions).filter((one) => one.person === person && one.id !== session);
  return [
    { type: 'SecretSet', ...staffStamp(command), person, kind, mark, once: false },
    ...others.map((one) => sessionEndedEvent(command, one, 'secret-changed')),
  ];
}
