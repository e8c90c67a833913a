import { currencyCode, hash, id, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schemas.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { staffFieldSchemas } from './fieldTypes.ts';

const { number, roles, consoleKind, secretKind, proof, secretMark, lockReason } = staffFieldSchemas;

export type StaffCommandDeclaration = {
  readonly description: string;
  /**
   * Role that a staff member needs to send the command. `higher`: no fixed role; the decider compares the role of the
   * actor with the acting role or the session that the command is about. If `role` is absent, only the system may send
   * the command.
   */
  readonly role?: Role | 'higher';
  readonly fields: Shape;
};

/**
 * All commands of the staff register. Each also has `type`, `at` and `actor`. The runtime adds the context fields
 * `authority` and `grant`, so no command has fields of these names.
 */
export const staffRegisterCommands = {
  StartStaffRegister: {
    description: 'Start the staff register of a property. In a demo, staff sign in with one click.',
    fields: { property: id, currency: currencyCode, demo: s.boolean },
  },
  EnrolPerson: {
    description: 'Add a person with a staff number and roles.',
    role: 'administrator',
    fields: { number, roles },
  },
  ChangeRoles: {
    description: 'Replace the roles of a person.',
    role: 'administrator',
    fields: { person: id, roles },
  },
  EndPerson: {
    description: 'End the account of a person who leaves: all roles end, and the staff number is not used again.',
    role: 'administrator',
    fields: { person: id },
  },
  GrantActingRole: {
    description: 'Grant a person a higher acting role, `as`, for a time.',
    role: 'higher',
    fields: { person: id, as: pitRoleSchema, from: time, until: time },
  },
  EndActingRole: { description: 'End an acting role before its time.', role: 'higher', fields: { acting: id } },
  EnrolConsole: {
    description: 'Enrol a console: a dealer console needs a table, other kinds have none.',
    role: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  OfferConsole: {
    description:
      'Offer a console to another device. The console will be the device that gives the code of the offer in time.',
    role: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  ClaimConsole: {
    description:
      'Claim a console with a code. `offer` is the id of the offer with this code; absent if no offer has the code.',
    fields: { offer: s.optional(id) },
  },
  EndConsole: {
    description: 'End the enrolment of a console; its sessions end.',
    role: 'administrator',
    fields: { console: id },
  },
  SignIn: {
    description:
      'Sign in with a staff number and a PIN or password (`by`). `right` is true if the PIN or password was correct. `as` is the role chosen.',
    fields: { number, by: proof, right: s.boolean, as: s.optional(roleSchema), console: s.nullable(id) },
  },
  SignOut: {
    description: 'End a session. Only an administrator or a higher role may end the session of another person.',
    role: 'higher',
    fields: { session: id, reason: s.literals(['signed-out', 'ended', 'idle']) },
  },
  EndSessions: { description: 'End all sessions, after a rollback of the event log.', fields: {} },
  LockSession: {
    description: 'Lock a session until its person gives the PIN or password again.',
    fields: { session: id, reason: lockReason },
  },
  UnlockSession: {
    description:
      'Unlock a session with the PIN or password of its person. `right` is true if the PIN or password was correct.',
    fields: { session: id, by: proof, right: s.boolean },
  },
  Relieve: {
    description:
      'Relieve the person at a console: their session ends, and the session of the relieving person starts in the same step. `right` is true if the PIN or password was correct.',
    fields: { session: id, number, by: proof, right: s.boolean, as: s.optional(roleSchema) },
  },
  NoteConsent: {
    description:
      'Record that a second person consents to a proposal at a table. The consent holds only for this `hash` of the proposal. `right` is true if the PIN or password was correct.',
    fields: { number, by: proof, right: s.boolean, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SetSecret: {
    description: 'Give a person a one-time PIN or password, which must be changed at first use.',
    role: 'administrator',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ResetSecret: {
    description:
      'Give an administrator a one-time PIN or password, which must be changed at first use. Only the operator of the server does this.',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ChangeSecret: {
    description:
      'Change the PIN or password of a person, who gives the present one. `right` is true if the present one was correct. Other sessions of the person end.',
    fields: { number, kind: secretKind, right: s.boolean, mark: secretMark, session: s.optional(id) },
  },
  NoteName: {
    description: 'Record that the name of a person was stored or erased. The name itself is not in the event log.',
    role: 'administrator',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: StaffCommandDeclaration };

export const staffRegisterCommandSchemas = s.variantSchemas('type', 'the command', staffRegisterCommands, {
  at: time,
  actor: actorSchema,
});
type CommandName = keyof typeof staffRegisterCommands;
export type StaffRegisterCommandOf<N extends CommandName> = Infer<(typeof staffRegisterCommandSchemas)[N]>;
export type StaffRegisterCommand = { [N in CommandName]: StaffRegisterCommandOf<N> }[CommandName];
