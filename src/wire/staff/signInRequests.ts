import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schema.ts';
import { type InferShape, type Schema, type Infer } from '../../base/schema.ts';
import { staffNumberSchema, pin, post, staffSession } from './session.ts';

// Who signs in, and out again: requests by HTTP, since only a browser's own answer can set a cookie. Each is a POST of one
// JSON object to /staff/ and its name, with the header below and from a page of this server.

/** A header that a page of another site cannot send without being asked first, which it never is here. */
export const staffHeader = 'x-punto-staff';

const secret = s.stringMatching('a password of 200 letters at most', /^[\s\S]{1,200}$/);
const secretKind = s.literals(['pin', 'password']);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);

/** What may be asked, by its name. */
export const staffRequests = {
  /** A number with a PIN at an enrolled console, or with a password elsewhere; the post where more than one is held. */
  'sign-in': { number: staffNumberSchema, pin: s.optional(pin), password: s.optional(secret), post: s.optional(post) },
  'sign-out': {},
  /** Nothing is done here before the secret is given again. */
  lock: {},
  unlock: { pin: s.optional(pin), password: s.optional(secret) },
  /** Another person takes over at this console: one session ends and the other begins. In a demo it takes no PIN. */
  relief: { number: staffNumberSchema, pin: s.optional(pin), post: s.optional(post) },
  /** Sign in with one click, at the console of a table where one is named; a demo alone has it. */
  demo: { number: staffNumberSchema, post: s.optional(post), table: s.optional(id) },
  /** This browser is a console from now on; by an administrator who is signed in here. */
  console: { kind: consoleKind, table: s.nullable(id) },
  /** A console is offered to another device; by an administrator who is signed in here. Answered with a code, told once. */
  offer: { kind: consoleKind, table: s.nullable(id) },
  /** This browser is the console that was offered by that code. */
  enrol: { code: s.stringMatching('a code of eight letters and digits', /^[A-Za-z0-9 -]{8,20}$/) },
  /** Another PIN or password, by whoever knows the present one. */
  password: { number: staffNumberSchema, kind: secretKind, old: secret, new: secret },
} as const;
export type StaffRequestName = keyof typeof staffRequests;
/** Each as it is checked. */
export const staffRequestKinds = Object.fromEntries(
  Object.entries(staffRequests).map(([name, form]) => [name, s.object(`the request ${name}`, form)]),
) as unknown as { readonly [N in StaffRequestName]: Schema<InferShape<(typeof staffRequests)[N]>> };
export type StaffRequest<N extends StaffRequestName> = InferShape<(typeof staffRequests)[N]>;

/** Where a browser stands: what GET /staff/me answers. */
export const staffMe = s.object('where a browser stands', {
  at: time,
  property: s.string,
  currency: s.string,
  demo: s.boolean,
  /** The console that this browser is; null for an office. */
  console: s.nullable(s.object('a console', { console: id, kind: consoleKind, table: s.nullable(s.string) })),
  session: s.nullable(staffSession),
  /** Of a demo: who may sign in with one click. */
  people: s.array(s.object('a person', { number: s.string, posts: s.array(post, 'posts') }), 'people of a demo'),
  /** Of a demo: the tables whose consoles they may sign in at. */
  tables: s.strings,
});
export type StaffMe = Infer<typeof staffMe>;
