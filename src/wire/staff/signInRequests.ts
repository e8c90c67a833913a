import { id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schemas.ts';
import { type InferShape, type Schema, type Infer } from '../../base/schema.ts';
import { staffNumberSchema, pinSchema, staffSessionSchema } from './session.ts';
import { roleSchema } from '../../access/actor.ts';

// Sign-in requests of staff go by HTTP, since only an HTTP response can set a cookie. Each request below is a POST of
// one JSON object to /staff/NAME, with the header `x-punto-staff`, from a page of this server.

/**
 * Header that protects against cross-site requests (CSRF). A page of another site cannot send it: the browser first
 * asks this server whether it may (CORS preflight), and this server does not allow it.
 */
export const staffHttpHeaderName = 'x-punto-staff';

const secret = s.stringMatching('a password of at most 200 characters', /^[\s\S]{1,200}$/);
const secretKind = s.literals(['pin', 'password']);
const consoleKind = s.literals(['dealer', 'floor', 'office', 'cage']);

export const staffHttpRequestShapes = {
  /**
   * Signs in a staff member. A password is needed at an office console and in a browser that is no console; a PIN is
   * needed at every other console. A staff member with several roles chooses `role`.
   */
  'sign-in': {
    number: staffNumberSchema,
    pin: s.optional(pinSchema),
    password: s.optional(secret),
    role: s.optional(roleSchema),
  },
  'sign-out': {},
  /** Locks the session until the staff member enters the PIN or password again. */
  lock: {},
  unlock: { pin: s.optional(pinSchema), password: s.optional(secret) },
  /**
   * Relief at this console: the session of one staff member ends, and a session of another begins. A demo needs no PIN.
   */
  relief: { number: staffNumberSchema, pin: s.optional(pinSchema), role: s.optional(roleSchema) },
  /**
   * Demo only: signs in with one click, without PIN. If `table` is given, the sign-in is at the console of that table.
   * `code` is the code that the server has printed; it is required if `demoCode` of /staff/me is true.
   */
  demo: {
    number: staffNumberSchema,
    role: s.optional(roleSchema),
    table: s.optional(id),
    code: s.optional(s.stringMatching('a code of at most 20 letters and digits', /^[A-Za-z0-9 -]{0,20}$/)),
  },
  /** Makes this browser a console. An administrator must be signed in in this browser. */
  console: { kind: consoleKind, table: s.nullable(id) },
  /**
   * Creates a one-time code with which another browser becomes a console; the code is in the reply. An administrator
   * must be signed in in this browser.
   */
  offer: { kind: consoleKind, table: s.nullable(id) },
  /** Makes this browser the console for which `code` was created with `offer`. */
  enrol: { code: s.stringMatching('a code of eight letters and digits', /^[A-Za-z0-9 -]{8,20}$/) },
  /** Changes a PIN or password from `old` to `new`. */
  password: { number: staffNumberSchema, kind: secretKind, old: secret, new: secret },
} as const;
export type StaffHttpRequestName = keyof typeof staffHttpRequestShapes;
export const staffHttpRequestSchemas = Object.fromEntries(
  Object.entries(staffHttpRequestShapes).map(([name, form]) => [name, s.object(`the request ${name}`, form)]),
) as unknown as { readonly [N in StaffHttpRequestName]: Schema<InferShape<(typeof staffHttpRequestShapes)[N]>> };
export type StaffHttpRequestBody<N extends StaffHttpRequestName> = InferShape<(typeof staffHttpRequestShapes)[N]>;

/** Reply to GET /staff/me: the console and the sign-in session of this browser. */
export const staffBrowserStateSchema = s.object('the state of a browser', {
  at: time,
  property: s.string,
  currency: s.string,
  demo: s.boolean,
  /** True if the one-click sign-in of the demo needs the code that the server has printed. */
  demoCode: s.boolean,
  console: s.nullable(s.object('a console', { console: id, kind: consoleKind, table: s.nullable(s.string) })),
  session: s.nullable(staffSessionSchema),
  /** Demo only: staff who can sign in with one click. */
  staff: s.array(s.object('a staff member', { number: s.string, roles: s.array(roleSchema, 'roles') }), 'demo staff'),
  /** Demo only: tables with a dealer console. */
  tables: s.strings,
});
export type StaffBrowserState = Infer<typeof staffBrowserStateSchema>;
