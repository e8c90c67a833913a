import { type Refusal, refuse } from '../base/refusal.ts';
import { type SessionEndReason } from './fieldTypes.ts';
import { type StaffRegisterCommand } from './commands.ts';
import { type StaffEvent } from './events.ts';
import { type SignInSession } from './state.ts';

/** Error codes of the staff register: a closed list, see docs/errors.md. */
export const staffRegisterErrorCodes = [
  'acting-not-higher',
  'acting-over',
  'clock-ran-back',
  'console-needed',
  'not-your-role',
  'number-taken',
  'own-account',
  'staff-register-started',
  'staff-register-not-started',
  'role-not-granted',
  'roles-clash',
  'same-person',
  'unknown-acting',
  'unknown-console',
  'unknown-person',
  'unknown-session',
] as const;
export type StaffRegisterRefusal = Refusal<(typeof staffRegisterErrorCodes)[number]> & { readonly by: string | null };

export type StaffDecision = readonly StaffEvent[] | StaffRegisterRefusal;

export const refuseStaff = (
  code: StaffRegisterRefusal['refused'],
  message: string,
  by: string | null = null,
): StaffRegisterRefusal => ({
  ...refuse<StaffRegisterRefusal['refused']>(code, message),
  by,
});

export const staffEventStamp = ({ at, actor }: StaffRegisterCommand) => ({ v: 1, at, actor }) as const;

export const sessionEndedEvent = (
  command: StaffRegisterCommand,
  { id: session, person }: SignInSession,
  reason: SessionEndReason,
): StaffEvent => ({
  type: 'SessionEnded',
  ...staffEventStamp(command),
  session,
  person,
  reason,
});
