import { hash, id, time } from '../../base/commonSchemas.ts';
import {
  type ValueOf,
  fieldsByName,
  flag,
  listOf,
  oneOf,
  optional,
  orNull,
  tagged,
  text,
  textLike,
  whole,
} from '../../base/schema.ts';
import { staffAct } from './commands.ts';
import { number, pin, staffSession } from './session.ts';
import { dealerView, floorView, supervisorView } from './views.ts';

// What crosses the network between staff and the server, on a socket of its own. Who asks follows from the session that
// the socket was opened with, never from a message.

const commandId = textLike('an id of 8 to 64 letters, digits and lines', /^[A-Za-z0-9-]{8,64}$/);
/** Why a session is over, or locked. */
const over = oneOf([
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
export type Ended = ValueOf<typeof over>;

export type StaffSession = ValueOf<typeof staffSession>;

/** What staff may say, by its type. */
export const staffSays = tagged(
  'type',
  'the message',
  {
    /** The first message; the session came with the cookie. */
    hello: { fields: { v: whole } },
    /** See one table as a dealer or a supervisor does. */
    watch: { fields: { table: id, as: oneOf(['dealer', 'supervisor']) } },
    /** Whether to be told of the whole floor: all tables and the queue of what waits. */
    floor: { fields: { wanted: flag } },
    /** See no table any more. */
    leave: { fields: {} },
    /** A command of the table as it is declared there. Sent again with the same id it changes nothing, as all below. */
    command: { fields: { id: commandId, table: id, asked: staffAct } },
    /** The second consent at the console of the first: the number and PIN of another person, for this proposal alone. */
    consent: { fields: { id: commandId, table: id, proposal: text, hash, number, pin } },
    /** Open a table of the property with the setting of its file, which the hash is of; the second person signs with it. */
    open: { fields: { id: commandId, table: id, hash, number, pin } },
    /** A command of the people's register: people, posts, acting posts, consoles. */
    people: { fields: { id: commandId, asked: fieldsByName } },
    /** A command of a terminal's credit, by the cage or the floor; `number` and `pin` where a second person signs with it. */
    terminal: {
      fields: { id: commandId, terminal: id, asked: fieldsByName, number: optional(number), pin: optional(pin) },
    },
    /** Pay a ticket at the cage, whole and once, by its validation number. */
    pay: { fields: { id: commandId, ticket: textLike('a number of 18 digits', /^[0-9]{18}$/) } },
    /** Something to be looked up: rounds, a story, meters, terminals, people, a preview. */
    ask: { fields: { id: commandId, what: text, with: fieldsByName } },
    /** Somebody is there, though nothing is asked: the session is not idle. */
    here: { fields: {} },
    /** A version was missed: send the whole again. */
    whole: { fields: { of: oneOf(['table', 'floor']) } },
  },
  {},
);

/** What staff are told, by its type. */
export const staffHears = tagged(
  'type',
  'the message',
  {
    welcome: {
      fields: { v: whole, at: time, property: text, currency: text, demo: flag, session: staffSession },
    },
    beat: { fields: { at: time } },
    /** A table as its dealer sees it. */
    dealer: { fields: { table: id, version: whole, view: dealerView } },
    /** A table as a supervisor sees it. */
    supervisor: { fields: { table: id, version: whole, view: supervisorView } },
    /** What has changed of the table that is watched since the version before, as in the messages of patrons. */
    change: { fields: { table: id, version: whole, change: fieldsByName } },
    /** All tables and what waits. */
    floor: { fields: { version: whole, view: floorView } },
    /** A card that the table did not take, as it was read, with the reason. */
    scanned: {
      fields: { table: id, at: time, text, code: text, message: text, by: orNull(text) },
    },
    /** What was asked with that id stands in the record; the events that it led to, by their names. */
    done: { fields: { id: commandId, events: listOf(text, 'names of events'), sequence: whole } },
    /** The answer to something that was looked up. */
    answer: { fields: { id: commandId, data: fieldsByName } },
    refused: { fields: { id: orNull(text), code: text, message: text, by: orNull(text) } },
    /** The session is over, or locked: why. */
    ended: { fields: { why: over } },
  },
  {},
);

export type StaffSays = ValueOf<(typeof staffSays)[keyof typeof staffSays]>;
export type StaffSaysOf<T extends StaffSays['type']> = Extract<StaffSays, { type: T }>;
export type StaffHears = ValueOf<(typeof staffHears)[keyof typeof staffHears]>;
export type StaffHearsOf<T extends StaffHears['type']> = Extract<StaffHears, { type: T }>;
