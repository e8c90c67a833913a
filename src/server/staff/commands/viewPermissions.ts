import { type SignInSession } from '../../../staff/state.ts';
import { pitRoles } from '../../../access/roles.ts';
import { type TableViewSubscription } from '../../socket/staffConnection.ts';

// Permissions of staff to see views and to act at tables. The table itself decides whether a command is allowed.

/** The role that counts at the time `at`: the acting role while it is valid, else the person's own role. */
export const effectiveRoleAt = ({ role, acting, until }: SignInSession, at: number): SignInSession['role'] =>
  acting !== null && until !== null && at <= until ? acting : role;

const supervisingRoles: ReadonlySet<string> = new Set(pitRoles.slice(1));
const readOnlyRoles: ReadonlySet<string> = new Set(['surveillance', 'auditor']);

/** True if the role may see the supervisor views of all tables and the floor view. */
export function maySeeWholeFloor(session: SignInSession, at: number): boolean {
  const role = effectiveRoleAt(session, at);
  return supervisingRoles.has(role) || readOnlyRoles.has(role);
}

/**
 * True if the session may subscribe to this view. A dealer may see only the dealer view of the table to which the
 * console belongs.
 */
export function maySubscribeToTable(session: SignInSession, { table, as }: TableViewSubscription, at: number): boolean {
  if (maySeeWholeFloor(session, at)) return true;
  return as === 'dealer' && effectiveRoleAt(session, at) === 'dealer' && session.table === table;
}

/**
 * True if the session may act at the table. At the console of a table a session acts only there. Elsewhere it acts at
 * every table, unless its role is dealer.
 */
export const mayActAtTable = (session: SignInSession, table: string, at: number): boolean =>
  session.table === table || (session.table === null && effectiveRoleAt(session, at) !== 'dealer');
