import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schema.ts';
import { type InferShape, type Schema, type Infer } from '../../base/schema.ts';
import { staffNumberSchema, pinSchema, staffSessionSchema } from './session.ts';
import { roleSchema } from '../../access/actor.ts';

// Sign-in requests by HTTP, since only an HTTP response can set a cookie. Each is a POST of one JSON object to
// /staff/NAME, with the header below, from a page of this server.

/** Forces a CORS preflight on foreign pages, which this server never grants. */
export const staffHttpHeaderName = 'x-punto-staff';

const secret = s.stringMatching('a password of 200 letters at most', /^[\s\S]{1,200}$/);
const secretKind = s.literals(['pin', 'password']);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);

/** Requests by name. */
export const staffHttpRequestShapes = {
  /** Number with a PIN at an enrolled console, or with a password elsewhere; the role if the person has several. */
  'sign-in': {
    number: staffNumberSchema,
    pin: s.optional(pinSchema),
    password: s.optional(secret),
    role: s.optional(roleSchema),
  },
  'sign-out': {},
  /** Locks until the secret is given again. */
  lock: {},
  unlock: { pin: s.optional(pinSchema), password: s.optional(secret) },
  /** Relief: one session ends and another begins at this console. A demo needs no PIN. */
  relief: { number: staffNumberSchema, pin: s.optional(pinSchema), role: s.optional(roleSchema) },
  /** Demo only: one-click sign-in, at the console of `table` if given. */
  demo: { number: staffNumberSchema, role: s.optional(roleSchema), table: s.optional(id) },
  /** Makes this browser a console; by an administrator signed in here. */
  console: { kind: consoleKind, table: s.nullable(id) },
  /** Offers a console to another device; by an administrator signed in here. The reply contains a one-time code. */
  offer: { kind: consoleKind, table: s.nullable(id) },
  /** Makes this browser the offered console. */
  enrol: { code: s.stringMatching('a code of eight letters and digits', /^[A-Za-z0-9 -]{8,20}$/) },
  /** Changes a PIN or password with the current one. */
  password: { number: staffNumberSchema, kind: secretKind, old: secret, new: secret },
} as const;
export type StaffHttpRequestName = keyof typeof staffHttpRequestShapes;
export const staffHttpRequestSchemas = Object.fromEntries(
  Object.entries(staffHttpRequestShapes).map(([name, form]) => [name, s.object(`the request ${name}`, form)]),
) as unknown as { readonly [N in StaffHttpRequestName]: Schema<InferShape<(typeof staffHttpRequestShapes)[N]>> };
export type StaffHttpRequestBody<N extends StaffHttpRequestName> = InferShape<(typeof staffHttpRequestShapes)[N]>;

/** Reply of GET /staff/me: state of this browser. */
export const staffBrowserStateSchema = s.object('the state of a browser', {
  at: time,
  property: s.string,
  currency: s.string,
  demo: s.boolean,
  /** Console of this browser; null for an office. */
  console: s.nullable(s.object('a console', { console: id, kind: consoleKind, table: s.nullable(s.string) })),
  session: s.nullable(staffSessionSchema),
  /** Demo only: accounts for one-click sign-in. */
  staff: s.array(s.object('a person', { number: s.string, roles: s.array(roleSchema, 'roles') }), 'people of a demo'),
  /** Demo only: tables with a dealer console. */
  tables: s.strings,
});
export type StaffBrowserState = Infer<typeof staffBrowserStateSchema>;
