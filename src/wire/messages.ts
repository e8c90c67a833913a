import { amount, id, time } from '../base/commonSchemas.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { card, hex, slot } from '../table/schema/fieldTypes.ts';
import { terminalBalanceShape, ticketSchema } from './terminalBalance.ts';
import { recallCursorSchema, recalledRoundSchema } from './roundRecall.ts';
import { terminalTableViewSchema, tileSchema, tileDeltaShape, tableViewSchema, tableDeltaShape } from './tableView.ts';

// Messages between clients and server. The server validates them by these schemas; browsers import only the types. The
// sender is known by the connection, so no message names a terminal.

const wager = s.stringMatching('a name of small letters, digits and lines', /^[a-z0-9-]{1,64}$/);
const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
const commandId = s.stringMatching('an id of 8 to 64 letters, digits and lines', /^[A-Za-z0-9-]{8,64}$/);

/** Stakes of a terminal in a round, in minor units by wager. */
const slip = s.record(wager, amount, 'stakes in whole minor units by wager', 100);
/** Stakes of a patron for one round, in minor units by wager. */
export type SlipStakes = Infer<typeof slip>;

/** Messages from clients, by type. */
export const clientMessageSchemas = s.variants(
  'type',
  'the message',
  {
    /** First message. The server stores only the hash of the secret. A display has none. */
    hello: { fields: { v: s.nonNegativeInteger, secret: s.optional(hex) } },
    /** Take a seat at a table; a new demo terminal gets its credit. */
    sit: { fields: { table: id } },
    /** Subscribe to a table without a seat. */
    watch: { fields: { table: id } },
    /** Receive lobby tiles while at a table. */
    'watch-lobby': { fields: { wanted: s.boolean } },
    /** Return to the lobby. */
    leave: { fields: {} },
    /** All stakes for a round. Idempotent by id. */
    slip: {
      fields: { id: commandId, table: id, round: s.stringMatching('the id of a round', /^[\s\S]{1,200}$/), slip },
    },
    /** Replace the secret of this terminal; the old one is revoked. */
    renew: { fields: { id: commandId, secret: hex } },
    /** A bill in the acceptor. Idempotent by id, like the two below. */
    load: { fields: { id: commandId, amount } },
    /** A ticket by its validation number. */
    redeem: { fields: { id: commandId, number: s.stringMatching('a number of 18 digits', /^[0-9]{18}$/) } },
    /** Collect the whole credit as a ticket. */
    collect: { fields: { id: commandId } },
    /** One page of the rounds of this session, newest first; `before` is a cursor. */
    recall: { fields: { id: commandId, before: s.optional(recallCursorSchema) } },
    /** Limits for the rest of this session in minor units: stakes of a round, and total loss. */
    limit: { fields: { id: commandId, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) } },
    /** A break: no stakes for this time. */
    pause: { fields: { id: commandId, minutes: s.integer('a number of minutes, 1 to 1440', 1, 1440) } },
    /** Card readers only: a card came out of the shoe, as it was scanned. */
    scan: { fields: { id: commandId, table: id, text: s.stringMatching('a scan of 1 to 100 letters', /^.{1,100}$/u) } },
    /** A version was missed: send the full view. */
    whole: { fields: { of: s.literals(['lobby', 'table', 'own', 'balance']) } },
  },
  {},
);

/** Messages from the server, by type. */
export const serverMessageSchemas = s.variants(
  'type',
  'the message',
  {
    /** Reply to hello, with the server's time and the terminal of the secret, if it has one. */
    welcome: {
      fields: {
        v: s.nonNegativeInteger,
        at: time,
        terminal: s.nullable(s.string),
        demo: s.boolean,
      },
    },
    /** Heartbeat, sent while nothing else is. */
    heartbeat: { fields: { at: time } },
    lobby: { fields: { version: s.nonNegativeInteger, tiles: s.array(tileSchema, 'tables in the lobby') } },
    /** Delta of one tile. */
    tile: { fields: { version: s.nonNegativeInteger, table: id, ...tileDeltaShape } },
    /** Public view of a table. */
    table: { fields: { table: id, version: s.nonNegativeInteger, view: tableViewSchema } },
    /** Delta of the public view. */
    change: { fields: { table: id, version: s.nonNegativeInteger, ...tableDeltaShape } },
    /** View of this terminal only; always complete, since it is small. Versions count up by one. */
    own: { fields: { table: id, version: s.nonNegativeInteger, view: terminalTableViewSchema } },
    /** Balance of this terminal, in the lobby and at tables. Versions count up by one. */
    balance: { fields: { version: s.nonNegativeInteger, ...terminalBalanceShape } },
    /** Demo credit was used up and refilled by this amount. */
    refilled: { fields: { amount } },
    /** The load is stored. */
    loaded: { fields: { id: commandId, amount } },
    /** The credit was paid out as a ticket, or is a hand-pay and the terminal is locked. */
    collected: { fields: { id: commandId, amount, ticket: s.nullable(ticketSchema), hand: s.boolean } },
    /** One recall page; `next` is the cursor of the next. */
    recalled: {
      fields: { id: commandId, rounds: s.array(recalledRoundSchema, 'rounds'), next: s.nullable(recallCursorSchema) },
    },
    /** The limits or the break are stored. */
    limited: { fields: { id: commandId } },
    /** The slip is stored. */
    accepted: { fields: { id: commandId, round: s.string, slip } },
    /**
     * The scan is stored: card and slot; no slot for a burned card, neither for the cutting card. `together`: it
     * followed the previous card so soon that both may have been drawn at once.
     */
    scanned: {
      fields: { id: commandId, card: s.nullable(card), slot: s.nullable(slot), together: s.optional(s.boolean) },
    },
    /** To card readers: slot of the next card, if one is due, and its shoe. */
    due: {
      fields: {
        table: id,
        slot: s.nullable(slot),
        /** The first card of the shoe is to be burned. */
        burn: s.boolean,
        shoe: s.nullable(
          s.object('a shoe', {
            id: s.string,
            deck: s.literals(['french', 'elements']),
            decks: s.nonNegativeInteger,
            size: s.nonNegativeInteger,
            out: s.nonNegativeInteger,
            behind: s.nullable(s.nonNegativeInteger),
            cuttingCardOut: s.boolean,
            seen: s.record(s.string, s.nonNegativeInteger, 'how often each card was seen'),
          }),
        ),
      },
    },
    /** Only the new secret is valid. */
    renewed: { fields: { id: commandId } },
    /** A refusal: a code of docs/errors.md, a sentence and, if there is one, the clause. */
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
  },
  {},
);

export type ClientMessage = Infer<(typeof clientMessageSchemas)[keyof typeof clientMessageSchemas]>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessage = Infer<(typeof serverMessageSchemas)[keyof typeof serverMessageSchemas]>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
