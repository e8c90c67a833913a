import { type SignInSession } from '../../../staff/state.ts';
import { pitRoles } from '../../../access/roles.ts';
import { type TableViewSubscription } from '../../socket/staffConnection.ts';

// Permissions of staff to see views and to act at tables. The table itself decides whether a command is allowed.

/**
 * The role in which a session acts at the time `at`: the acting role while it is valid, otherwise the person's own
 * role.
 */
export const effectiveRoleAt = ({ role, acting, until }: SignInSession, at: number): SignInSession['role'] =>
  acting !== null && until !== null && at <= until ? acting : role;

const supervisingRoles: ReadonlySet<string> = new Set(pitRoles.slice(1));
const readOnlyRoles: ReadonlySet<string> = new Set(['surveillance', 'auditor']);

/** True if the role of the session may see the floor view and the supervisor view of every table. */
export function maySeeWholeFloor(session: SignInSession, at: number): boolean {
  const role = effectiveRoleAt(session, at);
  return supervisingRoles.has(role) || readOnlyRoles.has(role);
}

/**
 * True if the session may subscribe to this view. Dealers may subscribe only to the dealer view of the table at whose
 * console they are signed in.
 */
export function maySubscribeToTable(session: SignInSession, { table, as }: TableViewSubscription, at: number): boolean {
  if (maySeeWholeFloor(session, at)) return true;
  return as === 'dealer' && effectiveRoleAt(session, at) === 'dealer' && session.table === table;
}

/**
 * True if the session may send commands to the table. At the console of a table, a session may act at that table only.
 * At any other console it may act at all tables, unless its role is dealer.
 */
export const mayActAtTable = (session: SignInSession, table: string, at: number): boolean =>
  session.table === table || (session.table === null && effectiveRoleAt(session, at) !== 'dealer');
