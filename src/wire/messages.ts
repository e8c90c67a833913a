import { amount, id, time } from '../base/commonSchemas.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { cardSchema, hex64Schema, slotSchema } from '../table/schema/fieldTypes.ts';
import { terminalMoneyStateShape, ticketSchema } from './terminalMoneyState.ts';
import { recallCursorSchema, recalledRoundSchema } from './roundRecall.ts';
import {
  terminalTableViewSchema,
  lobbyTileSchema,
  lobbyTileDeltaShape,
  publicTableViewSchema,
  publicTableDeltaShape,
} from './tableView.ts';

// Messages between the server and its clients: terminals, other devices, card readers and displays. The server checks
// messages of clients against these schemas; browsers import only the types. No message of a client names its terminal,
// because the server knows the terminal of each connection.

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
    /**
     * First message of a connection. `secret` is the secret of a terminal or device, of which the server stores only
     * the hash. A display sends none.
     */
    hello: { fields: { v: s.nonNegativeInteger, secret: s.optional(hex64Schema) } },
    /** Takes a seat at a table. In a demo a client with a new secret becomes a new terminal with demo credit. */
    sit: { fields: { table: id } },
    /** Subscribes to the public view of a table, as displays do. The client takes no seat. */
    watch: { fields: { table: id } },
    /** Starts or stops updates of lobby tiles for a client that is at a table. */
    'watch-lobby': { fields: { wanted: s.boolean } },
    /** Returns to the lobby. */
    leave: { fields: {} },
    /** Sets all stakes of this terminal for a round. Idempotent by id. */
    slip: {
      fields: { id: commandId, table: id, round: s.stringMatching('the id of a round', /^[\s\S]{1,200}$/), slip },
    },
    /** Replaces the secret of this terminal; the old secret is revoked. */
    renew: { fields: { id: commandId, secret: hex64Schema } },
    /** Loads a bill. Sent by a bill acceptor or, in a demo, by a terminal that simulates one. Idempotent by id. */
    load: { fields: { id: commandId, amount } },
    /** Loads a ticket, given by its validation number. Idempotent by id. */
    redeem: { fields: { id: commandId, number: s.stringMatching('a validation number of 18 digits', /^[0-9]{18}$/) } },
    /** Collects the whole credit of the terminal, as a ticket or a hand-pay. Idempotent by id. */
    collect: { fields: { id: commandId } },
    /**
     * Requests a page of past rounds of this session, newest first. `before` is the value `next` of the previous page;
     * absent for the first page.
     */
    recall: { fields: { id: commandId, before: s.optional(recallCursorSchema) } },
    /**
     * Sets session limits in minor units: `stake` limits the total stake of one round, `loss` the loss of the whole
     * session.
     */
    limit: { fields: { id: commandId, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) } },
    /** Starts a break: the patron cannot bet for this many minutes. */
    pause: { fields: { id: commandId, minutes: s.integer('a number of minutes, 1 to 1440', 1, 1440) } },
    /**
     * From card readers only: a card or the cutting card has left the shoe. `text` is what the card reader has read,
     * unchanged.
     */
    scan: {
      fields: { id: commandId, table: id, text: s.stringMatching('a scan of 1 to 100 characters', /^.{1,100}$/u) },
    },
    /** Requests a full view, because the client has missed a version of it. */
    whole: { fields: { of: s.literals(['lobby', 'table', 'own', 'balance']) } },
  },
  {},
);

export const serverMessageSchemas = s.variantSchemas(
  'type',
  'the message',
  {
    /**
     * Reply to hello. `at` is the clock time of the server. `terminal` is the terminal that owns the secret; null if no
     * terminal owns it.
     */
    welcome: {
      fields: {
        v: s.nonNegativeInteger,
        at: time,
        terminal: s.nullable(s.string),
        demo: s.boolean,
      },
    },
    /** Sent after a while without another message. It shows the client that the connection still works. */
    heartbeat: { fields: { at: time } },
    lobby: { fields: { version: s.nonNegativeInteger, tiles: s.array(lobbyTileSchema, 'tables in the lobby') } },
    tile: { fields: { version: s.nonNegativeInteger, table: id, ...lobbyTileDeltaShape } },
    table: { fields: { table: id, version: s.nonNegativeInteger, view: publicTableViewSchema } },
    change: { fields: { table: id, version: s.nonNegativeInteger, ...publicTableDeltaShape } },
    /**
     * The terminal's own view of a table. It is small, so it is always sent whole. Its version increases by one with
     * each message.
     */
    own: { fields: { table: id, version: s.nonNegativeInteger, view: terminalTableViewSchema } },
    /** Balance of this terminal, sent in the lobby and at tables. Its version increases by one with each message. */
    balance: { fields: { version: s.nonNegativeInteger, ...terminalMoneyStateShape } },
    /** The demo credit was too low for the smallest bet. `amount` was added to it. */
    refilled: { fields: { amount } },
    /** The bill or ticket was loaded, and the load is stored. */
    loaded: { fields: { id: commandId, amount } },
    /**
     * The credit was collected as a ticket (`ticket`) or as a hand-pay (`hand` is true). A hand-pay locks the terminal
     * until it is paid.
     */
    collected: { fields: { id: commandId, amount, ticket: s.nullable(ticketSchema), hand: s.boolean } },
    /** A page of past rounds; `next` is the cursor of the next page, or null after the last page. */
    recalled: {
      fields: { id: commandId, rounds: s.array(recalledRoundSchema, 'rounds'), next: s.nullable(recallCursorSchema) },
    },
    /** The session limits were set or the break was started, and this is stored. */
    limited: { fields: { id: commandId } },
    /**
     * The stakes in `slip` are accepted and stored. There is one exception: an empty slip of a new terminal is accepted
     * but not stored.
     */
    accepted: { fields: { id: commandId, round: s.string, slip } },
    /**
     * The scanned card is stored. `slot` is null for a burned card; `card` and `slot` are null for the cutting card.
     * `together` is true if the previous scan was so close in time that both cards may have been drawn at once.
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
     * For card readers: the slot to which the next card is dealt. `slot` is null if no hand waits for a card. `shoe` is
     * the shoe in use.
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
    /** The secret of the terminal is replaced. The old secret is no longer valid. */
    renewed: { fields: { id: commandId } },
    /**
     * A refusal. docs/errors.md explains each `code`. `by` is the clause, or null. `id` is the id of the refused
     * request; null if the refused message has no id.
     */
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
  },
  {},
);

export type ClientMessage = Infer<(typeof clientMessageSchemas)[keyof typeof clientMessageSchemas]>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessage = Infer<(typeof serverMessageSchemas)[keyof typeof serverMessageSchemas]>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
