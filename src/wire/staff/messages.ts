import { hash, id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schema.ts';
import { type Infer } from '../../base/schema.ts';
import { staffCommandSchema } from './commands.ts';
import { staffNumberSchema, pinSchema, staffSessionSchema } from './session.ts';
import { dealerViewSchema } from './dealerView.ts';
import { floorViewSchema } from './floorView.ts';
import { supervisorViewSchema } from './supervisorView.ts';

// Messages of the staff socket. The actor comes from the sign-in session of the socket, never from a message.

const commandId = s.stringMatching('an id of 8 to 64 letters, digits and lines', /^[A-Za-z0-9-]{8,64}$/);
/** Why a session ended or is locked. */
const signOutReason = s.literals([
  'signed-out',
  'ended',
  'idle',
  'locked',
  'relieved',
  'replaced',
  'role-ended',
  'secret-changed',
  'rolled-back',
]);
export type SignOutReason = Infer<typeof signOutReason>;

export type StaffSession = Infer<typeof staffSessionSchema>;

/** Messages from staff clients, by type. */
export const staffClientMessageSchemas = s.variants(
  'type',
  'the message',
  {
    /** First message; the session is in the cookie. */
    hello: { fields: { v: s.nonNegativeInteger } },
    /** Subscribe to one table as dealer or supervisor. */
    watch: { fields: { table: id, as: s.literals(['dealer', 'supervisor']) } },
    /** Subscribe to the floor view: all tables and the work queue. */
    floor: { fields: { wanted: s.boolean } },
    /** End the table subscription. */
    leave: { fields: {} },
    /** A table command. Idempotent by id, like all below. */
    command: { fields: { id: commandId, table: id, request: staffCommandSchema } },
    /** Approval at the first person's console: number and PIN of another person, for this proposal only. */
    consent: {
      fields: { id: commandId, table: id, proposal: s.string, hash, number: staffNumberSchema, pin: pinSchema },
    },
    /** Open a table with the settings of the property file, identified by `hash`; a second person signs. */
    open: { fields: { id: commandId, table: id, hash, number: staffNumberSchema, pin: pinSchema } },
    /** A command to the staff stream: members, roles, acting roles, consoles. */
    staff: { fields: { id: commandId, request: s.anyObject } },
    /** A command on terminal credit; `number` and `pin` if a second person signs. */
    terminal: {
      fields: {
        id: commandId,
        terminal: id,
        request: s.anyObject,
        number: s.optional(staffNumberSchema),
        pin: s.optional(pinSchema),
      },
    },
    /** Pay a ticket at the cage, by its validation number. */
    pay: { fields: { id: commandId, ticket: s.stringMatching('a number of 18 digits', /^[0-9]{18}$/) } },
    /** A query. */
    query: { fields: { id: commandId, name: s.string, params: s.anyObject } },
    /** The person is present: the session is not idle. */
    activity: { fields: {} },
    /** A version was missed: send the full view. */
    whole: { fields: { of: s.literals(['table', 'floor']) } },
  },
  {},
);

/** Messages to staff clients, by type. */
export const staffServerMessageSchemas = s.variants(
  'type',
  'the message',
  {
    welcome: {
      fields: {
        v: s.nonNegativeInteger,
        at: time,
        property: s.string,
        currency: s.string,
        demo: s.boolean,
        session: staffSessionSchema,
      },
    },
    heartbeat: { fields: { at: time } },
    dealer: { fields: { table: id, version: s.nonNegativeInteger, view: dealerViewSchema } },
    supervisor: { fields: { table: id, version: s.nonNegativeInteger, view: supervisorViewSchema } },
    /** Delta of the subscribed table view. */
    change: { fields: { table: id, version: s.nonNegativeInteger, change: s.anyObject } },
    /** All tables and the work queue. */
    floor: { fields: { version: s.nonNegativeInteger, view: floorViewSchema } },
    /** A refused card as it was scanned, with the reason. */
    scanned: {
      fields: { table: id, at: time, text: s.string, code: s.string, message: s.string, by: s.nullable(s.string) },
    },
    /** The command is stored; names of its events. */
    done: { fields: { id: commandId, events: s.array(s.string, 'names of events'), sequence: s.nonNegativeInteger } },
    /** Answer to a query. */
    answer: { fields: { id: commandId, data: s.anyObject } },
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
    ended: { fields: { reason: signOutReason } },
  },
  {},
);

export type StaffClientMessage = Infer<(typeof staffClientMessageSchemas)[keyof typeof staffClientMessageSchemas]>;
export type StaffClientMessageOf<T extends StaffClientMessage['type']> = Extract<StaffClientMessage, { type: T }>;
export type StaffServerMessage = Infer<(typeof staffServerMessageSchemas)[keyof typeof staffServerMessageSchemas]>;
export type StaffServerMessageOf<T extends StaffServerMessage['type']> = Extract<StaffServerMessage, { type: T }>;
