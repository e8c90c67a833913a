import { rankOf } from '../access/roles.ts';
import { type Who } from '../access/actor.ts';
import { type PeopleCommandOf, type PeopleRefusal } from './commands.ts';
import { type Decision, deny, ended, stampOf } from './decision.ts';
import { type People, type Session, own } from './state.ts';
import { dutyOf } from './roleGrants.ts';

/** A session that goes on. */
export const sessionIn = (people: People, session: string): Session | PeopleRefusal =>
  own(people.sessions, session) ?? deny('unknown-session', `The session ${session} is over; sign in again.`);

/** One's own, or that of somebody else by an administrator or a higher post. */
export function signOut(command: PeopleCommandOf<'SignOut'>, people: People): Decision {
  const { why, who } = command;
  const session = sessionIn(people, command.session);
  if ('refused' in session) return session;
  if (!mayEnd(who, session)) {
    const message = 'A session is ended by an administrator, or by a higher post than the one it is in; ask one.';
    return deny('not-your-post', message, 'HOUSE 2');
  }
  return [ended(command, session, why)];
}

function mayEnd(who: Who, session: Session): boolean {
  if (!('person' in who)) return true;
  if (who.person === session.person || who.post === 'administrator') return true;
  return rankOf(who.post) > rankOf(dutyOf({ post: session.post, ...(session.acting && { acting: session.acting }) }));
}

/** A session that is locked stays as it is. */
export function lockSession(command: PeopleCommandOf<'LockSession'>, people: People): Decision {
  const session = sessionIn(people, command.session);
  if ('refused' in session) return session;
  const { id, person, locked } = session;
  return locked ? [] : [{ type: 'SessionLocked', ...stampOf(command), session: id, person, why: command.why }];
}
