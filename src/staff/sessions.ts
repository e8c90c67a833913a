import { roleRank } from '../access/roles.ts';
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

/** One's own session, or another's by an administrator or a higher role. */
export function decideSignOut(command: StaffRegisterCommandOf<'SignOut'>, staff: StaffState): StaffDecision {
  const { reason, actor } = command;
  const session = findSignInSession(staff, command.session);
  if ('refused' in session) return session;
  if (!mayEndSession(actor, session)) {
    const message = 'A session is ended by an administrator, or by a higher role than its own; ask one.';
    return refuseStaff('not-your-role', message, 'HOUSE 2');
  }
  return [sessionEndedEvent(command, session, reason)];
}

function mayEndSession(who: Actor, session: SignInSession): boolean {
  if (!('person' in who)) return true;
  if (who.person === session.person || who.role === 'administrator') return true;
  return (
    roleRank(who.role) >
    roleRank(effectiveRole({ role: session.role, ...(session.acting && { acting: session.acting }) }))
  );
}

/** Idempotent: a locked session stays locked. */
export function decideLockSession(command: StaffRegisterCommandOf<'LockSession'>, staff: StaffState): StaffDecision {
  const session = findSignInSession(staff, command.session);
  if ('refused' in session) return session;
  const { id, person, locked } = session;
  return locked
    ? []
    : [{ type: 'SessionLocked', ...staffEventStamp(command), session: id, person, reason: command.reason }];
}
