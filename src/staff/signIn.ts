import { type Role, roleRank } from '../access/roles.ts';
import { unknownConsole } from './accounts.ts';
import {
  type SignInFailureReason,
  type PeopleCommandOf,
  type PeopleEvent,
  type PeopleRefusal,
  type Purpose,
} from './commands.ts';
import { type StaffDecision, refuseStaff, ended, staffStamp } from './decision.ts';
import { type StaffMember, type StaffState, type SignInSession, type FailedSignIns, memberOf, own } from './state.ts';
import { type Authority, effectiveRole, authoritiesOf } from './roleGrants.ts';
import { sessionIn } from './sessions.ts';

// Whoever gives a number and a secret, for whatever it is: each attempt is an event, and wrong ones lock the number.

/** So many wrong ones in a row lock a number. */
export const maxWrongSecrets = 5;
/** For so long the first time, and twice as long each further time, up to the longest; in milliseconds. */
export const firstLock = 60_000;
export const longestLock = 86_400_000;
/** Of somebody who is at no console so many sessions go on; the oldest ends with one more. */
export const mostSessions = 5;

type Attempt = PeopleCommandOf<'SignIn' | 'UnlockSession' | 'Relieve' | 'NoteConsent' | 'ChangeSecret'>;
type Trying = { readonly of: Purpose; readonly number: string; readonly console: string | null };

/** Who it is, or that it failed. Nobody learns from the answer whether a number is somebody's. */
function tried(command: Attempt, people: StaffState, trying: Trying): StaffMember | PeopleEvent {
  const { failures = 0, locks = 0, until = null } = own(people.tries, trying.number) ?? {};
  const fail = (why: SignInFailureReason, more: FailedSignIns): PeopleEvent => ({
    type: 'SignInFailed',
    ...staffStamp(command),
    ...trying,
    why,
    ...more,
  });
  if (until !== null && command.at < until) return fail('locked', { failures, locks, until });
  const member = memberOf(people, trying.number);
  if (member === undefined || !command.right) {
    return fail('wrong', recordWrongSecret({ failures, locks }, command.at));
  }
  return isOnce(command, member) ? notIn(command, people, trying, 'change-due') : member;
}

/** What one more wrong secret comes to. */
export function recordWrongSecret(
  { failures, locks }: Pick<FailedSignIns, 'failures' | 'locks'>,
  at: number,
): FailedSignIns {
  if (failures + 1 < maxWrongSecrets) return { failures: failures + 1, locks, until: null };
  return { failures: 0, locks: locks + 1, until: at + Math.min(firstLock * 2 ** locks, longestLock) };
}

/** A secret that was given is changed before anything else is done with it. */
const isOnce = (command: Attempt, { secrets }: StaffMember): boolean =>
  'by' in command && command.by !== 'click' && secrets[command.by]?.once === true;

const isFailed = (one: StaffMember | PeopleEvent): one is PeopleEvent => 'type' in one;

/** One click will do in a demo alone. */
const clicked = ({ by }: { readonly by: string }, people: StaffState): PeopleRefusal | undefined =>
  by === 'click' && !people.demo
    ? refuseStaff('not-your-post', 'Nobody signs in by one click outside a demo; give the secret.')
    : undefined;

export function signIn(command: PeopleCommandOf<'SignIn'>, people: StaffState): StaffDecision {
  const { by, number, console } = command;
  const refusal = clicked(command, people) ?? (console === null ? undefined : unknownConsole(people, console));
  if (refusal) return refusal;
  if (by === 'pin' && console === null) {
    return refuseStaff('console-needed', 'A PIN is good at an enrolled console; give the password here.');
  }
  const member = tried(command, people, { of: 'sign-in', number, console });
  return isFailed(member) ? [member] : begun(command, people, member, 'sign-in', console);
}

/** The secret was right, and nobody is let in all the same: it counts neither way. */
function notIn(command: Attempt, people: StaffState, trying: Trying, why: SignInFailureReason): PeopleEvent {
  const { failures = 0, locks = 0 } = own(people.tries, trying.number) ?? {};
  return { type: 'SignInFailed', ...staffStamp(command), ...trying, why, failures, locks, until: null };
}

/** The session of somebody who is let in; what it takes the place of ends with it. */
function begun(
  command: PeopleCommandOf<'SignIn' | 'Relieve'>,
  people: StaffState,
  member: StaffMember,
  of: Purpose,
  console: string | null,
  relieved?: SignInSession,
): StaffDecision {
  const { person, number } = member;
  const kind = console === null ? undefined : people.consoles[console]!.kind;
  const standing = chosen(authoritiesOf(people, person, command.at), command.as, kind === 'dealer');
  if (typeof standing === 'string') return [notIn(command, people, { of, number, console }, standing)];
  return [
    ...(relieved
      ? [ended(command, relieved, 'relieved')]
      : replaced(people, person, console).map((one) => ended(command, one, 'replaced'))),
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
  return console === null ? there.slice(0, Math.max(0, there.length + 1 - mostSessions)) : there;
}

/** The same person goes on where the session was locked. */
export function unlockSession(command: PeopleCommandOf<'UnlockSession'>, people: StaffState): StaffDecision {
  const session = sessionIn(people, command.session);
  const refusal = clicked(command, people) ?? ('refused' in session ? session : undefined);
  if (refusal || 'refused' in session) return refusal!;
  const { id, number, console } = session;
  const member = tried(command, people, { of: 'unlock', number, console });
  if (isFailed(member)) return [member];
  return [{ type: 'SessionUnlocked', ...staffStamp(command), session: id, person: member.person }];
}

/** The table is never without a dealer: one session ends as the other begins. */
export function relieve(command: PeopleCommandOf<'Relieve'>, people: StaffState): StaffDecision {
  const session = sessionIn(people, command.session);
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
export function noteConsent(command: PeopleCommandOf<'NoteConsent'>, people: StaffState): StaffDecision {
  const { number, table, proposal, hash, console } = command;
  const refusal = clicked(command, people);
  if (refusal) return refusal;
  const member = tried(command, people, { of: 'consent', number, console });
  if (isFailed(member)) return [member];
  const { person } = member;
  return [{ type: 'ConsentGiven', ...staffStamp(command), person, number, table, proposal, hash, console }];
}

/** Who knows the present secret chooses the next one; whoever else is signed in by it is signed out. */
export function changeSecret(command: PeopleCommandOf<'ChangeSecret'>, people: StaffState): StaffDecision {
  const { number, kind, mark, session } = command;
  const member = tried(command, people, { of: 'change', number, console: null });
  if (isFailed(member)) return [member];
  const { person } = member;
  const others = Object.values(people.sessions).filter((one) => one.person === person && one.id !== session);
  return [
    { type: 'SecretSet', ...staffStamp(command), person, kind, mark, once: false },
    ...others.map((one) => ended(command, one, 'secret-changed')),
  ];
}
