import { refuse } from '../base/refusal.ts';
import {
  type SessionEndReason,
  type StaffRegisterCommand,
  type StaffEvent,
  type StaffRegisterRefusal,
} from './commands.ts';
import { type SignInSession } from './state.ts';

export type StaffDecision = readonly StaffEvent[] | StaffRegisterRefusal;

export const refuseStaff = (
  code: StaffRegisterRefusal['refused'],
  message: string,
  by: string | null = null,
): StaffRegisterRefusal => ({
  ...refuse<StaffRegisterRefusal['refused']>(code, message),
  by,
});

export const staffStamp = ({ at, who }: StaffRegisterCommand) => ({ v: 1, at, who }) as const;

export const sessionEndedEvent = (
  command: StaffRegisterCommand,
  { id: session, person }: SignInSession,
  why: SessionEndReason,
): StaffEvent => ({
  type: 'SessionEnded',
  ...staffStamp(command),
  session,
  person,
  why,
});
