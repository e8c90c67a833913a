import { amount, id, time } from '../base/commonSchemas.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { cardSchema, hex64Schema, slotSchema } from '../table/schema/fieldTypes.ts';
import { terminalMoneyStateShape, ticketSchema } from './terminalMoneyState.ts';
import { recallCursorSchema, recalledRoundSchema } from './roundRecall.ts';
import { terminalTableViewSchema, tileSchema, tileDeltaShape, tableViewSchema, tableDeltaShape } from './tableView.ts';

// Messages between the server and its clients: terminals, devices, card readers and displays. The server validates the
// messages of clients by these schemas; browsers import only the types. No client message names its terminal: the
// server knows it from the connection.

const wager = s.stringMatching('a name of lower-case letters, digits and hyphens', /^[a-z0-9-]{1,64}$/);
const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
const commandId = s.stringMatching('an id of 8 to 64 letters, digits and hyphens', /^[A-Za-z0-9-]{8,64}$/);

const slip = s.record(wager, amount, 'stakes in whole minor units by wager', 100);
/** Stakes of a patron for one round, in minor units by wager. */
export type SlipStakes = Infer<typeof slip>;

export const clientMessageSchemas = s.variantSchemas(
  'type',
  'the message',
  {
    /** First message of a connection. The server stores only the hash of the secret. A display sends no secret. */
    hello: { fields: { v: s.nonNegativeInteger, secret: s.optional(hex64Schema) } },
    /** Takes a seat at a table. In a demo a new secret gets a new terminal with credit. */
    sit: { fields: { table: id } },
    /** Subscribes to the public view of a table without a seat, as a display does. */
    watch: { fields: { table: id } },
    /** Starts or stops the updates of lobby tiles while the client is at a table. */
    'watch-lobby': { fields: { wanted: s.boolean } },
    /** Returns to the lobby. */
    leave: { fields: {} },
    /** Sets all stakes of this terminal for a round. Idempotent by id. */
    slip: {
      fields: { id: commandId, table: id, round: s.stringMatching('the id of a round', /^[\s\S]{1,200}$/), slip },
    },
    /** Replaces the secret of this terminal; the old secret is revoked. */
    renew: { fields: { id: commandId, secret: hex64Schema } },
    /** Loads a bill from the bill acceptor, which a demo simulates. Idempotent by id. */
    load: { fields: { id: commandId, amount } },
    /** Loads a ticket, given by its validation number. Idempotent by id. */
    redeem: { fields: { id: commandId, number: s.stringMatching('a validation number of 18 digits', /^[0-9]{18}$/) } },
    /** Collects the whole credit as a ticket or a hand-pay. Idempotent by id. */
    collect: { fields: { id: commandId } },
    /**
     * Requests a page of past rounds of this session, newest first. `before` is `next` of the previous page; absent
     * for the first page.
     */
    recall: { fields: { id: commandId, before: s.optional(recallCursorSchema) } },
    /**
     * Sets session limits in minor units: `stake` limits the total stake of one round, `loss` the loss of the whole
     * session.
     */
    limit: { fields: { id: commandId, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) } },
    /** Starts a break: the patron cannot bet for this many minutes. */
    pause: { fields: { id: commandId, minutes: s.integer('a number of minutes, 1 to 1440', 1, 1440) } },
    /** Card readers only: a card or the cutting card left the shoe. `text` is the scan as the card reader gave it. */
    scan: {
      fields: { id: commandId, table: id, text: s.stringMatching('a scan of 1 to 100 characters', /^.{1,100}$/u) },
    },
    /** Requests a full view again, because the client missed a version of that view. */
    whole: { fields: { of: s.literals(['lobby', 'table', 'own', 'balance']) } },
  },
  {},
);

export const serverMessageSchemas = s.variantSchemas(
  'type',
  'the message',
  {
    /**
     * Reply to hello. `at` is the time of the server. `terminal` is the terminal to which the secret belongs; null if
     * the secret belongs to none.
     */
    welcome: {
      fields: {
        v: s.nonNegativeInteger,
        at: time,
        terminal: s.nullable(s.string),
        demo: s.boolean,
      },
    },
    /** Sent when no other message was sent for a while, so that the client sees that the connection is alive. */
    heartbeat: { fields: { at: time } },
    lobby: { fields: { version: s.nonNegativeInteger, tiles: s.array(tileSchema, 'tables in the lobby') } },
    tile: { fields: { version: s.nonNegativeInteger, table: id, ...tileDeltaShape } },
    table: { fields: { table: id, version: s.nonNegativeInteger, view: tableViewSchema } },
    change: { fields: { table: id, version: s.nonNegativeInteger, ...tableDeltaShape } },
    /**
     * View of a table that only this terminal gets. The view is small, so it is always sent whole. Its version
     * increases by one with each message.
     */
    own: { fields: { table: id, version: s.nonNegativeInteger, view: terminalTableViewSchema } },
    /** Balance of this terminal, sent in the lobby and at tables. Its version increases by one with each message. */
    balance: { fields: { version: s.nonNegativeInteger, ...terminalMoneyStateShape } },
    /** The demo credit was too low for any bet, so this amount was added. */
    refilled: { fields: { amount } },
    /** The load is in the event store. */
    loaded: { fields: { id: commandId, amount } },
    /**
     * The credit was collected: as a ticket (`ticket`) or as a hand-pay (`hand`), which locks the terminal until the
     * hand-pay is paid.
     */
    collected: { fields: { id: commandId, amount, ticket: s.nullable(ticketSchema), hand: s.boolean } },
    /** A page of past rounds; `next` is the cursor of the next page, or null after the last page. */
    recalled: {
      fields: { id: commandId, rounds: s.array(recalledRoundSchema, 'rounds'), next: s.nullable(recallCursorSchema) },
    },
    /** The session limits or the break are in the event store. */
    limited: { fields: { id: commandId } },
    /**
     * The stakes in `slip` are accepted and stored. Only an empty slip of a new terminal is accepted without being
     * stored.
     */
    accepted: { fields: { id: commandId, round: s.string, slip } },
    /**
     * The scan is in the event store. `slot` is null for a burned card; `card` and `slot` are null for the cutting
     * card. `together` is true if the card followed the previous card so soon that both may have been drawn at once.
     */
    scanned: {
      fields: {
        id: commandId,
        card: s.nullable(cardSchema),
        slot: s.nullable(slotSchema),
        together: s.optional(s.boolean),
      },
    },
    /**
     * To card readers: `slot` is the slot of the next card, null if no hand waits for a card. `shoe` is the shoe in
     * use.
     */
    due: {
      fields: {
        table: id,
        slot: s.nullable(slotSchema),
        /** True if the next card is the first card of the shoe, which is burned. */
        burn: s.boolean,
        shoe: s.nullable(
          s.object('a shoe', {
            id: s.string,
            deck: s.literals(['french', 'elements']),
            decks: s.nonNegativeInteger,
            size: s.nonNegativeInteger,
            /** Number of cards that have left the shoe. */
            out: s.nonNegativeInteger,
            /** Number of cards behind the cutting card; null before the cut. */
            behind: s.nullable(s.nonNegativeInteger),
            cuttingCardOut: s.boolean,
            seen: s.record(s.string, s.nonNegativeInteger, 'how often each card was seen'),
          }),
        ),
      },
    },
    /** The secret is replaced: from now on only the new secret is valid. */
    renewed: { fields: { id: commandId } },
    /**
     * A refusal: `code` is in docs/errors.md, `by` is the clause or null. `id` is the id of the refused request; null
     * if the refused message had no id.
     */
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
  },
  {},
);

export type ClientMessage = Infer<(typeof clientMessageSchemas)[keyof typeof clientMessageSchemas]>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessage = Infer<(typeof serverMessageSchemas)[keyof typeof serverMessageSchemas]>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
