import { type Refusal, refuse } from '../base/refusal.ts';
import { type SessionEndReason } from './fieldTypes.ts';
import { type StaffRegisterCommand } from './commands.ts';
import { type StaffEvent } from './events.ts';
import { type SignInSession } from './state.ts';

/** Error codes: a closed list, see docs/errors.md. */
export const staffRegisterRefusals = [
  'acting-not-higher',
  'acting-over',
  'clock-ran-back',
  'console-needed',
  'not-your-post',
  'number-taken',
  'own-account',
  'people-begun',
  'people-not-begun',
  'post-not-held',
  'posts-clash',
  'same-person',
  'unknown-acting',
  'unknown-console',
  'unknown-person',
  'unknown-session',
] as const;
export type StaffRegisterRefusal = Refusal<(typeof staffRegisterRefusals)[number]> & { readonly by: string | null };

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
