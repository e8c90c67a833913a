import { hash, id, time } from '../../base/commonSchemas.ts';
import * as s from '../../base/schema.ts';
import { type Infer } from '../../base/schema.ts';
import { staffAct } from './commands.ts';
import { staffNumberSchema, pin, staffSession } from './session.ts';
import { dealerViewSchema, floorView, supervisorViewSchema } from './views.ts';

// What crosses the network between staff and the server, on a socket of its own. Who asks follows from the session that
// the socket was opened with, never from a message.

const commandId = s.stringMatching('an id of 8 to 64 letters, digits and lines', /^[A-Za-z0-9-]{8,64}$/);
/** Why a session is over, or locked. */
const over = s.literals([
  'signed-out',
  'ended',
  'idle',
  'locked',
  'relieved',
  'replaced',
  'post-ended',
  'secret-changed',
  'turned-back',
]);
export type Ended = Infer<typeof over>;

export type StaffSession = Infer<typeof staffSession>;

/** What staff may say, by its type. */
export const staffSays = s.variants(
  'type',
  'the message',
  {
    /** The first message; the session came with the cookie. */
    hello: { fields: { v: s.nonNegativeInteger } },
    /** See one table as a dealer or a supervisor does. */
    watch: { fields: { table: id, as: s.literals(['dealer', 'supervisor']) } },
    /** Whether to be told of the whole floor: all tables and the queue of what waits. */
    floor: { fields: { wanted: s.boolean } },
    /** See no table any more. */
    leave: { fields: {} },
    /** A command of the table as it is declared there. Sent again with the same id it changes nothing, as all below. */
    command: { fields: { id: commandId, table: id, asked: staffAct } },
    /** The second consent at the console of the first: the number and PIN of another person, for this proposal alone. */
    consent: { fields: { id: commandId, table: id, proposal: s.string, hash, number: staffNumberSchema, pin } },
    /** Open a table of the property with the setting of its file, which the hash is of; the second person signs with it. */
    open: { fields: { id: commandId, table: id, hash, number: staffNumberSchema, pin } },
    /** A command of the people's register: people, posts, acting posts, consoles. */
    people: { fields: { id: commandId, asked: s.anyObject } },
    /** A command of a terminal's credit, by the cage or the floor; `number` and `pin` where a second person signs with it. */
    terminal: {
      fields: {
        id: commandId,
        terminal: id,
        asked: s.anyObject,
        number: s.optional(staffNumberSchema),
        pin: s.optional(pin),
      },
    },
    /** Pay a ticket at the cage, whole and once, by its validation number. */
    pay: { fields: { id: commandId, ticket: s.stringMatching('a number of 18 digits', /^[0-9]{18}$/) } },
    /** Something to be looked up: rounds, a story, meters, terminals, people, a preview. */
    ask: { fields: { id: commandId, what: s.string, with: s.anyObject } },
    /** Somebody is there, though nothing is asked: the session is not idle. */
    here: { fields: {} },
    /** A version was missed: send the whole again. */
    whole: { fields: { of: s.literals(['table', 'floor']) } },
  },
  {},
);

/** What staff are told, by its type. */
export const staffHears = s.variants(
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
        session: staffSession,
      },
    },
    beat: { fields: { at: time } },
    /** A table as its dealer sees it. */
    dealer: { fields: { table: id, version: s.nonNegativeInteger, view: dealerViewSchema } },
    /** A table as a supervisor sees it. */
    supervisor: { fields: { table: id, version: s.nonNegativeInteger, view: supervisorViewSchema } },
    /** What has changed of the table that is watched since the version before, as in the messages of patrons. */
    change: { fields: { table: id, version: s.nonNegativeInteger, change: s.anyObject } },
    /** All tables and what waits. */
    floor: { fields: { version: s.nonNegativeInteger, view: floorView } },
    /** A card that the table did not take, as it was read, with the reason. */
    scanned: {
      fields: { table: id, at: time, text: s.string, code: s.string, message: s.string, by: s.nullable(s.string) },
    },
    /** What was asked with that id stands in the record; the events that it led to, by their names. */
    done: { fields: { id: commandId, events: s.array(s.string, 'names of events'), sequence: s.nonNegativeInteger } },
    /** The answer to something that was looked up. */
    answer: { fields: { id: commandId, data: s.anyObject } },
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
    /** The session is over, or locked: why. */
    ended: { fields: { why: over } },
  },
  {},
);

export type StaffClientMessage = Infer<(typeof staffSays)[keyof typeof staffSays]>;
export type StaffSaysOf<T extends StaffClientMessage['type']> = Extract<StaffClientMessage, { type: T }>;
export type StaffServerMessage = Infer<(typeof staffHears)[keyof typeof staffHears]>;
export type StaffHearsOf<T extends StaffServerMessage['type']> = Extract<StaffServerMessage, { type: T }>;
