import { currencyCode, hash, id, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { staffFields } from './fieldTypes.ts';

const { number, posts, consoleKind, secretKind, proof, secretMark, lockReason } = staffFields;

export type StaffDeclaration = {
  readonly says: string;
  /** Required role; `higher` for a higher role than the one concerned. Without one only the system may send it. */
  readonly post?: Role | 'higher';
  readonly fields: Shape;
};

/**
 * All commands of the staff register. Each also has `type`, `at` and `who`. `post` and `held` are context fields, so no
 * command has fields of that name.
 */
export const staffRegisterCommands = {
  BeginPeople: {
    says: 'A property begins to keep its people; those of a demo sign in by one click.',
    fields: { property: id, currency: currencyCode, demo: s.boolean },
  },
  EnrolPerson: { says: 'A person begins, with a number and posts.', post: 'administrator', fields: { number, posts } },
  ChangePosts: {
    says: 'A person holds other posts from now on.',
    post: 'administrator',
    fields: { person: id, posts },
  },
  EndPerson: {
    says: 'A person leaves: no post is held any more, and no number used again.',
    post: 'administrator',
    fields: { person: id },
  },
  GiveActing: {
    says: 'A person acts in a higher post for a time.',
    post: 'higher',
    fields: { person: id, as: pitRoleSchema, from: time, until: time },
  },
  EndActing: { says: 'An acting post ends before its time.', post: 'higher', fields: { acting: id } },
  EnrolConsole: {
    says: 'A console begins: that of a dealer stands at a table.',
    post: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  OfferConsole: {
    says: 'A console is offered to a device elsewhere, which has the time until it ends to give the code.',
    post: 'administrator',
    fields: { kind: consoleKind, table: s.nullable(id) },
  },
  ClaimConsole: {
    says: 'A device gives a code to become a console: that of an offer, or of none.',
    fields: { offer: s.optional(id) },
  },
  EndConsole: { says: 'Nobody signs in at a console any more.', post: 'administrator', fields: { console: id } },
  SignIn: {
    says: 'Somebody gives a number and a secret, which was right or not, and chooses a post.',
    fields: { number, by: proof, right: s.boolean, as: s.optional(roleSchema), console: s.nullable(id) },
  },
  SignOut: {
    says: 'A session ends; that of another is ended by an administrator, or by whoever holds a higher post.',
    post: 'higher',
    fields: { session: id, why: s.literals(['signed-out', 'ended', 'idle']) },
  },
  EndSessions: { says: 'All sessions end, since the record was turned back.', fields: {} },
  LockSession: {
    says: 'Nothing is done in a session before the secret is given again.',
    fields: { session: id, why: lockReason },
  },
  UnlockSession: {
    says: 'The secret of a session that is locked is given again, right or not.',
    fields: { session: id, by: proof, right: s.boolean },
  },
  Relieve: {
    says: 'Somebody takes over at a console: one session ends and another begins in one act.',
    fields: { session: id, number, by: proof, right: s.boolean, as: s.optional(roleSchema) },
  },
  NoteConsent: {
    says: 'Somebody gives a number and a PIN for one proposal at a table, and for its hash alone.',
    fields: { number, by: proof, right: s.boolean, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SetSecret: {
    says: 'A person is given a PIN or a password, to be changed when it is first used.',
    post: 'administrator',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ResetSecret: {
    says: 'An administrator is given a secret by whoever runs the machine, to be changed when it is first used.',
    fields: { person: id, kind: secretKind, mark: secretMark },
  },
  ChangeSecret: {
    says: 'A person chooses another PIN or password, having given the present one, right or not; other sessions end.',
    fields: { number, kind: secretKind, right: s.boolean, mark: secretMark, session: s.optional(id) },
  },
  NoteName: {
    says: 'The name of a person was written down or erased; it is no part of the record.',
    post: 'administrator',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: StaffDeclaration };

export const staffRegisterCommandSchemas = s.variants('type', 'the command', staffRegisterCommands, {
  at: time,
  who: actorSchema,
});
type CommandName = keyof typeof staffRegisterCommands;
export type StaffRegisterCommandOf<N extends CommandName> = Infer<(typeof staffRegisterCommandSchemas)[N]>;
export type StaffRegisterCommand = { [N in CommandName]: StaffRegisterCommandOf<N> }[CommandName];
