import { hash, id, time } from '../base/commonSchemas.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
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

/** All events of the staff register. Each also has `type`, `v`, `at` and `who`. */
export const staffRegisterEvents = {
  StaffRegisterStarted: {
    description: 'The property keeps its people from now on.',
    fields: staffRegisterCommands.StartStaffRegister.fields,
  },
  PersonEnrolled: {
    description: 'A person was added, with a number and roles.',
    fields: { person: id, number, roles },
  },
  RolesChanged: {
    description: 'A person has other roles from now on.',
    fields: { person: id, roles },
  },
  PersonEnded: {
    description: 'A person has left.',
    fields: { person: id },
  },
  ActingRoleGranted: {
    description: 'A person acts in a higher role for a time.',
    fields: { acting: id, person: id, role: pitRoleSchema, from: time, until: time },
  },
  ActingRoleEnded: {
    description: 'An acting role ended before its time.',
    fields: { acting: id, person: id },
  },
  ConsoleEnrolled: {
    description: 'A console has begun, by the code of an offer where that is named.',
    fields: { console: id, kind: consoleKind, table: s.nullable(id), offer: s.optional(id) },
  },
  ConsoleOffered: {
    description: 'A console is offered to a device that gives its code in time.',
    fields: { offer: id, kind: consoleKind, table: s.nullable(id), until: time },
  },
  ClaimFailed: {
    description: 'A code for a console was wrong, or given while none are heard.',
    fields: { reason: s.literals(['wrong', 'locked']), failures: count, locks: count, until: s.nullable(time) },
  },
  ConsoleEnded: {
    description: 'Nobody signs in at the console any more.',
    fields: { console: id },
  },
  SignedIn: {
    description: 'A person signed in with a role, and a session began.',
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
    description: 'Somebody was not let in, or not believed.',
    fields: {
      of: purpose,
      number,
      reason: signInFailureReason,
      console: s.nullable(id),
      /** Failures since the last lock, locks since the last success, and the end of the lock. */
      failures: count,
      locks: count,
      until: s.nullable(time),
    },
  },
  SessionEnded: {
    description: 'A session of a person ended.',
    fields: { session: id, person: id, reason: sessionEndReason },
  },
  SessionLocked: {
    description: 'A session is locked until the secret is given again.',
    fields: { session: id, person: id, reason: lockReason },
  },
  SessionUnlocked: {
    description: 'A session goes on: the secret was given again.',
    fields: { session: id, person: id },
  },
  ConsentGiven: {
    description: 'Somebody consented to one proposal at a table, and to its hash alone.',
    fields: { person: id, number, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SecretSet: {
    description: 'A person has another PIN or password.',
    fields: { person: id, kind: secretKind, mark: secretMark, once: s.boolean },
  },
  NameNoted: {
    description: 'The name of a person was written down or erased; it is no part of the record.',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: Pick<StaffCommandDeclaration, 'description' | 'fields'> };

const staffEventSchemas = s.variants('type', 'the event', staffRegisterEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof staffRegisterEvents;
export type StaffEventOf<N extends EventName> = Infer<(typeof staffEventSchemas)[N]>;
export type StaffEvent = { [N in EventName]: StaffEventOf<N> }[EventName];
