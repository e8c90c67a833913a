import { type Session } from '../../../staff/state.ts';
import { linePosts } from '../../../access/roles.ts';
import { type Watched } from '../../socket/staffConnection.ts';

// Who may see what of a table. What may be done is for the table to say.

/** The post that somebody does the duty of at a time. */
export const dutyOf = ({ post, acting, until }: Session, at: number): Session['post'] =>
  acting !== null && until !== null && at <= until ? acting : post;

/** Above the dealer in the line. */
const supervising: ReadonlySet<string> = new Set(linePosts.slice(1));
/** Those who read everything and do nothing. */
const reading: ReadonlySet<string> = new Set(['surveillance', 'auditor']);

/** Whether somebody sees tables as a supervisor does, and the whole floor. */
export function seesAll(session: Session, at: number): boolean {
  const duty = dutyOf(session, at);
  return supervising.has(duty) || reading.has(duty);
}

/** Whether somebody may look at a table in that way: a dealer at the one that the console stands at, and no other. */
export function maySee(session: Session, { table, as }: Watched, at: number): boolean {
  if (seesAll(session, at)) return true;
  return as === 'dealer' && dutyOf(session, at) === 'dealer' && session.table === table;
}

/** Whether what somebody does reaches a table: a console stands at one, and a dealer is at no other. */
export const mayReach = (session: Session, table: string, at: number): boolean =>
  session.table === table || (session.table === null && dutyOf(session, at) !== 'dealer');
