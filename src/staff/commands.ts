import { hash, id, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { pitRoleSchema, roleSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { type Refusal } from '../base/refusal.ts';

const currency = s.stringMatching('three capital letters such as SGD', /^[A-Z]{3}$/);
/** What a person is known by on the floor: it stands on a badge, and is no secret. */
const number = s.stringMatching('the number of a person, such as D-214', /^[A-Z]{1,4}-[0-9]{1,6}$/);
const posts = s.refine(
  s.array(roleSchema, 'a list of posts, each once', { min: 1 }),
  'a list of posts, each once',
  (list) => new Set(list).size === list.length,
  { uniqueItems: true },
);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);
export type ConsoleKind = Infer<typeof consoleKind>;
const secretKind = s.literals(['pin', 'password']);
export type SecretKind = Infer<typeof secretKind>;
/** By what somebody signs in; one click will do in a demo alone. */
const proof = s.literals(['pin', 'password', 'click']);
/** What tells a secret from the one before it; by itself it tells nothing of either. */
const secretMark = s.stringMatching('32 hexadecimal digits by chance', /^[0-9a-f]{32}$/);
const count = s.integer('a count', 0);

/** What a secret was given for. */
const purpose = s.literals(['sign-in', 'relief', 'unlock', 'consent', 'change']);
export type SecretPurpose = Infer<typeof purpose>;
/** Why nobody was let in. Wrong secrets, numbers of nobody and of those who have left are counted, and nothing else. */
const signInFailureReason = s.literals([
  'wrong',
  'locked',
  'change-due',
  'post-not-held',
  'post-not-chosen',
  'same-person',
]);
export type SignInFailureReason = Infer<typeof signInFailureReason>;
/** Why a session is over. */
const sessionEndReason = s.literals([
  'signed-out',
  'ended',
  'idle',
  'relieved',
  'replaced',
  'post-ended',
  'secret-changed',
  'turned-back',
]);
export type SessionEndReason = Infer<typeof sessionEndReason>;
const lockReason = s.literals(['asked', 'idle']);

type Declaration = {
  readonly says: string;
  /** The post it takes; `higher` for whoever holds a higher post than the one it is about. Without any only the floor asks. */
  readonly post?: Role | 'higher';
  readonly fields: Shape;
};

/** All that can be asked of the register of people, beside `type`, `at` and `who`. `post` and `held` are brought, so that none has such a field. */
export const staffRegisterCommands = {
  BeginPeople: {
    says: 'A property begins to keep its people; those of a demo sign in by one click.',
    fields: { property: id, currency, demo: s.boolean },
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
} as const satisfies { readonly [name: string]: Declaration };

/** All that can happen to people, beside `type`, `v`, `at` and `who`. */
export const staffRegisterEvents = {
  PeopleBegun: {
    says: 'The property keeps its people from now on.',
    fields: staffRegisterCommands.BeginPeople.fields,
  },
  PersonEnrolled: {
    says: 'A person has begun, with a number and posts.',
    fields: { person: id, number, posts },
  },
  PostsChanged: {
    says: 'A person holds other posts from now on.',
    fields: { person: id, posts },
  },
  PersonEnded: {
    says: 'A person has left.',
    fields: { person: id },
  },
  ActingGiven: {
    says: 'A person acts in a higher post for a time.',
    fields: { acting: id, person: id, post: pitRoleSchema, from: time, until: time },
  },
  ActingEnded: {
    says: 'An acting post ended before its time.',
    fields: { acting: id, person: id },
  },
  ConsoleEnrolled: {
    says: 'A console has begun, by the code of an offer where that is named.',
    fields: { console: id, kind: consoleKind, table: s.nullable(id), offer: s.optional(id) },
  },
  ConsoleOffered: {
    says: 'A console is offered to a device that gives its code in time.',
    fields: { offer: id, kind: consoleKind, table: s.nullable(id), until: time },
  },
  ClaimFailed: {
    says: 'A code for a console was wrong, or given while none are heard.',
    fields: { why: s.literals(['wrong', 'locked']), failures: count, locks: count, until: s.nullable(time) },
  },
  ConsoleEnded: {
    says: 'Nobody signs in at the console any more.',
    fields: { console: id },
  },
  SignedIn: {
    says: 'Somebody signed in, in a post, and a session began.',
    fields: {
      session: id,
      person: id,
      number,
      by: proof,
      post: roleSchema,
      acting: s.optional(pitRoleSchema),
      until: s.optional(time),
      console: s.nullable(id),
      table: s.nullable(id),
    },
  },
  SignInFailed: {
    says: 'Somebody was not let in, or not believed.',
    fields: {
      of: purpose,
      number,
      why: signInFailureReason,
      console: s.nullable(id),
      /** Wrong ones since the last lock, locks since somebody was last let in, and until when nobody is. */
      failures: count,
      locks: count,
      until: s.nullable(time),
    },
  },
  SessionEnded: {
    says: 'A session of a person ended.',
    fields: { session: id, person: id, why: sessionEndReason },
  },
  SessionLocked: {
    says: 'A session is locked until the secret is given again.',
    fields: { session: id, person: id, why: lockReason },
  },
  SessionUnlocked: {
    says: 'A session goes on: the secret was given again.',
    fields: { session: id, person: id },
  },
  ConsentGiven: {
    says: 'Somebody consented to one proposal at a table, and to its hash alone.',
    fields: { person: id, number, table: id, proposal: id, hash, console: s.nullable(id) },
  },
  SecretSet: {
    says: 'A person has another PIN or password.',
    fields: { person: id, kind: secretKind, mark: secretMark, once: s.boolean },
  },
  NameNoted: {
    says: 'The name of a person was written down or erased; it is no part of the record.',
    fields: { person: id, erased: s.boolean },
  },
} as const satisfies { readonly [name: string]: Pick<Declaration, 'says' | 'fields'> };

export const staffRegisterCommandSchemas = s.variants('type', 'the command', staffRegisterCommands, {
  at: time,
  who: actorSchema,
});
type CommandName = keyof typeof staffRegisterCommands;
export type StaffRegisterCommandOf<N extends CommandName> = Infer<(typeof staffRegisterCommandSchemas)[N]>;
export type StaffRegisterCommand = { [N in CommandName]: StaffRegisterCommandOf<N> }[CommandName];

const staffEventSchemas = s.variants('type', 'the event', staffRegisterEvents, {
  v: s.literals([1]),
  at: time,
  who: actorSchema,
});
type EventName = keyof typeof staffRegisterEvents;
export type StaffEventOf<N extends EventName> = Infer<(typeof staffEventSchemas)[N]>;
export type StaffEvent = { [N in EventName]: StaffEventOf<N> }[EventName];

/** Why nothing became of it. A closed list, explained one by one in docs/errors.md. */
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
