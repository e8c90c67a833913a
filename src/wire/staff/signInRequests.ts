import { id, time } from '../../base/commonSchemas.ts';
import {
  type FieldsOf,
  type Kind,
  type ValueOf,
  flag,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  text,
  textLike,
  texts,
} from '../../base/schema.ts';
import { number, pin, post, staffSession } from './session.ts';

// Who signs in, and out again: requests by HTTP, since only a browser's own answer can set a cookie. Each is a POST of one
// JSON object to /staff/ and its name, with the header below and from a page of this server.

/** A header that a page of another site cannot send without being asked first, which it never is here. */
export const staffHeader = 'x-punto-staff';

const secret = textLike('a password of 200 letters at most', /^[\s\S]{1,200}$/);
const secretKind = oneOf(['pin', 'password']);
const consoleKind = oneOf(['dealer', 'floor', 'office', 'cage']);

/** What may be asked, by its name. */
export const staffRequests = {
  /** A number with a PIN at an enrolled console, or with a password elsewhere; the post where more than one is held. */
  'sign-in': { number, pin: optional(pin), password: optional(secret), post: optional(post) },
  'sign-out': {},
  /** Nothing is done here before the secret is given again. */
  lock: {},
  unlock: { pin: optional(pin), password: optional(secret) },
  /** Another person takes over at this console: one session ends and the other begins. In a demo it takes no PIN. */
  relief: { number, pin: optional(pin), post: optional(post) },
  /** Sign in with one click, at the console of a table where one is named; a demo alone has it. */
  demo: { number, post: optional(post), table: optional(id) },
  /** This browser is a console from now on; by an administrator who is signed in here. */
  console: { kind: consoleKind, table: orNull(id) },
  /** A console is offered to another device; by an administrator who is signed in here. Answered with a code, told once. */
  offer: { kind: consoleKind, table: orNull(id) },
  /** This browser is the console that was offered by that code. */
  enrol: { code: textLike('a code of eight letters and digits', /^[A-Za-z0-9 -]{8,20}$/) },
  /** Another PIN or password, by whoever knows the present one. */
  password: { number, kind: secretKind, old: secret, new: secret },
} as const;
export type StaffRequestName = keyof typeof staffRequests;
/** Each as it is checked. */
export const staffRequestKinds = Object.fromEntries(
  Object.entries(staffRequests).map(([name, form]) => [name, object(`the request ${name}`, form)]),
) as unknown as { readonly [N in StaffRequestName]: Kind<FieldsOf<(typeof staffRequests)[N]>> };
export type StaffRequest<N extends StaffRequestName> = FieldsOf<(typeof staffRequests)[N]>;

/** Where a browser stands: what GET /staff/me answers. */
export const staffMe = object('where a browser stands', {
  at: time,
  property: text,
  currency: text,
  demo: flag,
  /** The console that this browser is; null for an office. */
  console: orNull(object('a console', { console: id, kind: consoleKind, table: orNull(text) })),
  session: orNull(staffSession),
  /** Of a demo: who may sign in with one click. */
  people: listOf(object('a person', { number: text, posts: listOf(post, 'posts') }), 'people of a demo'),
  /** Of a demo: the tables whose consoles they may sign in at. */
  tables: texts,
});
export type StaffMe = ValueOf<typeof staffMe>;
