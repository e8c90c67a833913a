import { hash, id, time } from '../base/commonSchemas.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { type StaffCommandDeclaration, staffRegisterCommands } from './commands.ts';
import { staffFieldSchemas } from './fieldTypes.ts';

const {
  number,
  roles,
  consoleKind,
  secretKind,
  proof,
  secretMark,
  count,
  purpose,
  signInFailureReason,
  sessionEndReason,
  lockReason,
} = staffFieldSchemas;

/** All events of the staff register. Each also has `type`, `v`, `at` and `actor`. */
export const staffRegisterEvents = {
  StaffRegisterStarted: {
    description: 'The staff register of the property was started.',
    fields: staffRegisterCommands.StartStaffRegister.fields,
  },
  PersonEnrolled: {
    description: 'A person was added with a staff number and roles.',
    fields: { person: id, number, roles },
  },
  RolesChanged: {
    description: 'The roles of a person were replaced.',
    fields: { person: id, roles },
  },
  PersonEnded: {
    description: 'The account of a person was ended.',
    fields: { person: id },
  },
  ActingRoleGranted: {
    description: 'A person was granted a higher acting role for a time.',
    fields: { acting: id, person: id, role: pitRoleSchema, from: time, until: time },
  },
  ActingRoleEnded: {
    description: 'An acting role was ended before its time.',
    fields: { acting: id, person: id },
  },
  ConsoleEnrolled: {
    description: 'A console was enrolled; `offer` is the offer whose code the device gave, if any.',
    fields: { console: id, kind: consoleKind, table: s.nullable(id), offer: s.optional(id) },
  },
  ConsoleOffered: {
    description: 'A console was offered to a device that gives the code of the offer in time.',
    fields: { offer: id, kind: consoleKind, table: s.nullable(id), until: time },
  },
  ClaimFailed: {
    description:
      'A code for a console was wrong, or claims were locked. `failures` are the wrong codes since the last lock; `until` is the end of the lock.',
    fields: { reason: s.literals(['wrong', 'locked']), failures: count, locks: count, until: s.nullable(time) },
  },
  ConsoleEnded: {
    description: 'The enrolment of a console was ended.',
    fields: { console: id },
  },
  SignedIn: {
    description: 'A person signed in with a role, and a session started.',
    fields: {
      session: id,
      person: id,
      number,
      by: proof,
      role: roleSchema,
      acting: s.optional(pitRoleSchema),
      until: s.optional(time),
      console: s.nullable(id),
      table: s.nullable(id),
    },
  },
  SignInFailed: {
    description: 'A use of a staff number with a PIN or password failed; `of` is its purpose.',
    fields: {
      of: purpose,
      number,
      reason: signInFailureReason,
      console: s.nullable(id),
      /** Number of wrong secrets since the last lock. */
      failures: count,
      /** Number of locks since the last success. */
      locks: count,
      /** End of the lock; null while the number is not locked. */
      until: s.nullable(time),
    },
  },
  SessionEnded: {
    description: 'A sign-in session ended; `reason` says why.',
    fields: { session: id, person: id, reason: sessionEndReason },
  },
  SessionLocked: {
    description: 'A session was locked until its person gives the PIN or password again.',
    fields: { session: id, person: id, reason: lockReason },
  },
  SessionUnlocked: {
    description: 'A session was unlocked with the PIN or password of its person.',
    fields: { session: id, person: id },
  },
  ConsentGiven: {
    description: 'A person consented to a proposal at a table. The consent holds only for this `hash` of the proposal.',
    fields: { person: id, number, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SecretSet: {
    description: 'A person got a new PIN or password. `once`: it must be changed at first use.',
    fields: { person: id, kind: secretKind, mark: secretMark, once: s.boolean },
  },
  NameNoted: {
    description: 'The name of a person was stored or erased. The name itself is not in the event log.',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: Pick<StaffCommandDeclaration, 'description' | 'fields'> };

const staffEventSchemas = s.variantSchemas('type', 'the event', staffRegisterEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof staffRegisterEvents;
export type StaffEventOf<N extends EventName> = Infer<(typeof staffEventSchemas)[N]>;
export type StaffEvent = { [N in EventName]: StaffEventOf<N> }[EventName];
