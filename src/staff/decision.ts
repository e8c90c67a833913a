import { refuse } from '../base/refusal.ts';
import { type SessionEndReason, type PeopleCommand, type PeopleEvent, type PeopleRefusal } from './commands.ts';
import { type SignInSession } from './state.ts';

export type StaffDecision = readonly PeopleEvent[] | PeopleRefusal;

export const refuseStaff = (
  code: PeopleRefusal['refused'],
  message: string,
  by: string | null = null,
): PeopleRefusal => ({
  ...refuse<PeopleRefusal['refused']>(code, message),
  by,
});

export const staffStamp = ({ at, who }: PeopleCommand) => ({ v: 1, at, who }) as const;

export const ended = (
  command: PeopleCommand,
  { id: session, person }: SignInSession,
  why: SessionEndReason,
): PeopleEvent => ({
  type: 'SessionEnded',
  ...staffStamp(command),
  session,
  person,
  why,
});
