import { type SignInSession } from '../../../staff/state.ts';
import { pitRoles } from '../../../access/roles.ts';
import { type Subscription } from '../../socket/staffConnection.ts';

// Who may see what. Whether a command is allowed is decided by the table.

/** The acting role while it is valid, else the own role. */
export const effectiveRoleAt = ({ role, acting, until }: SignInSession, at: number): SignInSession['role'] =>
  acting !== null && until !== null && at <= until ? acting : role;

/** Roles above dealer. */
const supervisingRoles: ReadonlySet<string> = new Set(pitRoles.slice(1));
const readOnlyRoles: ReadonlySet<string> = new Set(['surveillance', 'auditor']);

/** True for supervisor views and the floor view. */
export function maySeeAll(session: SignInSession, at: number): boolean {
  const role = effectiveRoleAt(session, at);
  return supervisingRoles.has(role) || readOnlyRoles.has(role);
}

/** A dealer sees only the table of the console. */
export function maySubscribe(session: SignInSession, { table, as }: Subscription, at: number): boolean {
  if (maySeeAll(session, at)) return true;
  return as === 'dealer' && effectiveRoleAt(session, at) === 'dealer' && session.table === table;
}

/** A console acts at its own table only; a dealer without a console acts at none. */
export const mayActAt = (session: SignInSession, table: string, at: number): boolean =>
  session.table === table || (session.table === null && effectiveRoleAt(session, at) !== 'dealer');
