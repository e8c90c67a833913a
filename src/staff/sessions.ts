import { pitRoleRank } from '../access/roles.ts';
import { type Actor } from '../access/actor.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import {
  type StaffRegisterRefusal,
  type StaffDecision,
  refuseStaff,
  sessionEndedEvent,
  staffEventStamp,
} from './decision.ts';
import { type StaffState, type SignInSession } from './state.ts';
import { ownValue } from '../base/ownValue.ts';
import { effectiveRole } from './roleGrants.ts';

export const findSignInSession = (staff: StaffState, session: string): SignInSession | StaffRegisterRefusal =>
  ownValue(staff.sessions, session) ?? refuseStaff('unknown-session', `The session ${session} is over; sign in again.`);

/**
 * Ends a session. A person may end their own session; an administrator or a higher role may end the session of another
 * person.
 */
export function decideSignOut(command: StaffRegisterCommandOf<'SignOut'>, staff: StaffState): StaffDecision {
  const { reason, actor } = command;
  const session = findSignInSession(staff, command.session);
  if ('refused' in session) return session;
  if (!mayEndSession(actor, session)) {
    const message = 'Only an administrator or a higher role may end the session of another person; ask one.';
    return refuseStaff('not-your-role', message, 'HOUSE 2');
  }
  return [sessionEndedEvent(command, session, reason)];
}

/** Ends all sessions, after a rollback of the event log. */
export function decideEndAllSessions(command: StaffRegisterCommandOf<'EndSessions'>, staff: StaffState): StaffDecision {
  const events = Object.values(staff.sessions).map((session) => sessionEndedEvent(command, session, 'rolled-back'));
  return events.length > 0 ? events : refuseStaff('unknown-session', 'No session is open; there is none to end.');
}

function mayEndSession(actor: Actor, session: SignInSession): boolean {
  if (!('person' in actor)) return true;
  if (actor.person === session.person || actor.role === 'administrator') return true;
  return (
    pitRoleRank(actor.role) >
    pitRoleRank(effectiveRole({ role: session.role, ...(session.acting && { acting: session.acting }) }))
  );
}

/** Locks a session. A lock of a locked session is recorded too, since every accepted command gives an event. */
export function decideLockSession(command: StaffRegisterCommandOf<'LockSession'>, staff: StaffState): StaffDecision {
  const session = findSignInSession(staff, command.session);
  if ('refused' in session) return session;
  const { id, person } = session;
  return [{ type: 'SessionLocked', ...staffEventStamp(command), session: id, person, reason: command.reason }];
}
