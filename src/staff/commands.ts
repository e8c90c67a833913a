import { currencyCode, hash, id, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { staffFieldSchemas } from './fieldTypes.ts';

const { number, roles, consoleKind, secretKind, proof, secretMark, lockReason } = staffFieldSchemas;

export type StaffCommandDeclaration = {
  readonly description: string;
  /** Required role; `higher` for a higher role than the one concerned. Without one only the system may send it. */
  readonly role?: Role | 'higher';
  readonly fields: Shape;
};

/**
 * All commands of the staff register. Each also has `type`, `at` and `actor`. `authority` and `grant` are context fields, so no
 * command has fields of that name.
 */
export const staffRegisterCommands = {
  StartStaffRegister: {
    description: 'A property begins to keep its people; those of a demo sign in by one click.',
    fields: { property: id, currency: currencyCode, demo: s.boolean },
  },
  EnrolPerson: {
    description: 'A person is added, with a number and roles.',
    role: 'administrator',
    fields: { number, roles },
  },
  ChangeRoles: {
    description: 'A person has other roles from now on.',
    role: 'administrator',
    fields: { person: id, roles },
  },
  EndPerson: {
    description: 'A person leaves: all roles end, and the number is not used again.',
    role: 'administrator',
    fields: { person: id },
  },
  GrantActingRole: {
    description: 'A person acts in a higher role for a time.',
    role: 'higher',
    fields: { person: id, as: pitRoleSchema, from: time, until: time },
  },
  EndActingRole: { description: 'An acting role ends before its time.', role: 'higher', fields: { acting: id } },
  EnrolConsole: {
    description: 'A console begins: that of a dealer stands at a table.',
    role: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  OfferConsole: {
    description: 'A console is offered to a device elsewhere, which has the time until it ends to give the code.',
    role: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  ClaimConsole: {
    description: 'A device gives a code to become a console: that of an offer, or of none.',
    fields: { offer: s.optional(id) },
  },
  EndConsole: { description: 'Nobody signs in at a console any more.', role: 'administrator', fields: { console: id } },
  SignIn: {
    description: 'A person gives a number and a secret, which is right or wrong, and chooses a role.',
    fields: { number, by: proof, right: s.boolean, as: s.optional(roleSchema), console: s.nullable(id) },
  },
  SignOut: {
    description: 'A session ends; the session of another person is ended by an administrator or a higher role.',
    role: 'higher',
    fields: { session: id, reason: s.literals(['signed-out', 'ended', 'idle']) },
  },
  EndSessions: { description: 'All sessions end, since the record was turned back.', fields: {} },
  LockSession: {
    description: 'Nothing is done in a session before the secret is given again.',
    fields: { session: id, reason: lockReason },
  },
  UnlockSession: {
    description: 'The secret of a session that is locked is given again, right or not.',
    fields: { session: id, by: proof, right: s.boolean },
  },
  Relieve: {
    description: 'Somebody takes over at a console: one session ends and another begins in one act.',
    fields: { session: id, number, by: proof, right: s.boolean, as: s.optional(roleSchema) },
  },
  NoteConsent: {
    description: 'Somebody gives a number and a PIN for one proposal at a table, and for its hash alone.',
    fields: { number, by: proof, right: s.boolean, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SetSecret: {
    description: 'A person is given a PIN or a password, to be changed when it is first used.',
    role: 'administrator',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ResetSecret: {
    description: 'An administrator is given a secret by whoever runs the machine, to be changed when it is first used.',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ChangeSecret: {
    description:
      'A person chooses another PIN or password, having given the present one, right or not; other sessions end.',
    fields: { number, kind: secretKind, right: s.boolean, mark: secretMark, session: s.optional(id) },
  },
  NoteName: {
    description: 'The name of a person was written down or erased; it is no part of the record.',
    role: 'administrator',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: StaffCommandDeclaration };

export const staffRegisterCommandSchemas = s.variants('type', 'the command', staffRegisterCommands, {
  at: time,
  actor: actorSchema,
});
type CommandName = keyof typeof staffRegisterCommands;
export type StaffRegisterCommandOf<N extends CommandName> = Infer<(typeof staffRegisterCommandSchemas)[N]>;
export type StaffRegisterCommand = { [N in CommandName]: StaffRegisterCommandOf<N> }[CommandName];
