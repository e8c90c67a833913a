import { type SignInSession } from '../../../staff/state.ts';
import { pitRoles } from '../../../access/roles.ts';
import { type Subscription } from '../../socket/staffConnection.ts';

// Who may see what of a table. What may be done is for the table to say.

/** The post that somebody does the duty of at a time. */
export const effectiveRoleAt = ({ post, acting, until }: SignInSession, at: number): SignInSession['post'] =>
  acting !== null && until !== null && at <= until ? acting : post;

/** Above the dealer in the line. */
const supervising: ReadonlySet<string> = new Set(pitRoles.slice(1));
/** Those who read everything and do nothing. */
const reading: ReadonlySet<string> = new Set(['surveillance', 'auditor']);

/** Whether somebody sees tables as a supervisor does, and the whole floor. */
export function seesAll(session: SignInSession, at: number): boolean {
  const duty = effectiveRoleAt(session, at);
  return supervising.has(duty) || reading.has(duty);
}

/** Whether somebody may look at a table in that way: a dealer at the one that the console stands at, and no other. */
export function maySubscribe(session: SignInSession, { table, as }: Subscription, at: number): boolean {
  if (seesAll(session, at)) return true;
  return as === 'dealer' && effectiveRoleAt(session, at) === 'dealer' && session.table === table;
}

/** Whether what somebody does reaches a table: a console stands at one, and a dealer is at no other. */
export const mayReach = (session: SignInSession, table: string, at: number): boolean =>
  session.table === table || (session.table === null && effectiveRoleAt(session, at) !== 'dealer');
