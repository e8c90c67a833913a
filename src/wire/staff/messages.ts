import { hash, id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { staffTableCommandSchema } from './staffTableCommands.ts';
import { staffNumberSchema, pinSchema, staffSessionSchema } from './session.ts';
import { dealerViewSchema } from './dealerView.ts';
import { floorViewSchema } from './floorView.ts';
import { supervisorViewSchema } from './supervisorView.ts';

// Messages between the server and staff clients. No message of a client names its actor, because the server knows the
// actor from the sign-in session of the connection.

const commandId = s.stringMatching('an id of 8 to 64 letters, digits and hyphens', /^[A-Za-z0-9-]{8,64}$/);
/** Why a sign-in session ended or is locked. */
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

export const staffClientMessageSchemas = s.variantSchemas(
  'type',
  'the message',
  {
    /**
     * First message of a connection. It names no session, because the cookie of the connection contains the token of
     * the sign-in session.
     */
    hello: { fields: { v: s.nonNegativeInteger } },
    /** Subscribes to the dealer's or the supervisor's view of one table. */
    watch: { fields: { table: id, as: s.literals(['dealer', 'supervisor']) } },
    /** Starts or ends the subscription to the floor view: all tables and all work items. */
    floor: { fields: { wanted: s.boolean } },
    leave: { fields: {} },
    /** Sends a command to a table. Idempotent by id. */
    command: { fields: { id: commandId, table: id, request: staffTableCommandSchema } },
    /** Approves a proposal in the name of a second person, who enters staff number and PIN at this console. */
    consent: {
      fields: { id: commandId, table: id, proposal: s.string, hash, number: staffNumberSchema, pin: pinSchema },
    },
    /**
     * Opens a table with the settings of the property file, whose hash is `hash`. A second person approves these
     * settings with `number` and `pin`.
     */
    open: { fields: { id: commandId, table: id, hash, number: staffNumberSchema, pin: pinSchema } },
    /** Sends a command about staff: members, roles, acting roles or consoles. */
    staff: { fields: { id: commandId, request: s.anyObject } },
    /**
     * Sends a command to a terminal. Some commands need a second person, whose staff number and PIN are `number` and
     * `pin`.
     */
    terminal: {
      fields: {
        id: commandId,
        terminal: id,
        request: s.anyObject,
        number: s.optional(staffNumberSchema),
        pin: s.optional(pinSchema),
      },
    },
    /** Pays a ticket in cash at the cage. `ticket` is its validation number. */
    pay: { fields: { id: commandId, ticket: s.stringMatching('a validation number of 18 digits', /^[0-9]{18}$/) } },
    query: { fields: { id: commandId, name: s.string, params: s.anyObject } },
    /** The person has used the screen. This keeps the sign-in session from becoming idle. */
    activity: { fields: {} },
    /** Requests a full view, because the client has missed a version of it. */
    whole: { fields: { of: s.literals(['table', 'floor']) } },
  },
  {},
);

export const staffServerMessageSchemas = s.variantSchemas(
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
    change: { fields: { table: id, version: s.nonNegativeInteger, change: s.anyObject } },
    floor: { fields: { version: s.nonNegativeInteger, view: floorViewSchema } },
    /**
     * A card reader's scan that was refused, or two cards that it scanned too close together. `text` is what the card
     * reader has read, unchanged.
     */
    scanned: {
      fields: { table: id, at: time, text: s.string, code: s.string, message: s.string, by: s.nullable(s.string) },
    },
    /**
     * The command was carried out, and its events are stored. `sequence` is the sequence of the last entry of the
     * command.
     */
    done: { fields: { id: commandId, events: s.array(s.string, 'names of events'), sequence: s.nonNegativeInteger } },
    /** Reply that contains data. Sent for a query, and for a staff command that sets a secret or a name. */
    answer: { fields: { id: commandId, data: s.anyObject } },
    /** `until` is the time at which a block ends, such as the block of a staff number after wrong PINs. */
    refused: {
      fields: {
        id: s.nullable(s.string),
        code: s.string,
        message: s.string,
        by: s.nullable(s.string),
        until: s.optional(time),
      },
    },
    ended: { fields: { reason: signOutReason } },
  },
  {},
);

export type StaffClientMessage = Infer<(typeof staffClientMessageSchemas)[keyof typeof staffClientMessageSchemas]>;
export type StaffClientMessageOf<T extends StaffClientMessage['type']> = Extract<StaffClientMessage, { type: T }>;
export type StaffServerMessage = Infer<(typeof staffServerMessageSchemas)[keyof typeof staffServerMessageSchemas]>;
export type StaffServerMessageOf<T extends StaffServerMessage['type']> = Extract<StaffServerMessage, { type: T }>;
