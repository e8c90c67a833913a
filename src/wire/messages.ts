import { amount, id, time } from '../base/commonSchemas.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { card, hex, slot } from '../table/schema/fieldTypes.ts';
import { purseForm, ticket } from './terminalBalance.ts';
import { pagePlace, recalledRound } from './roundRecall.ts';
import { ownView, tile, tileChange, tableViewSchema, viewChange } from './tableView.ts';

// Everything that crosses the network, both ways. The server checks what comes in by these kinds; a browser takes the
// types alone. Whoever is speaking is known by the connection, so that no message names a terminal.

const wager = s.stringMatching('a name of small letters, digits and lines', /^[a-z0-9-]{1,64}$/);
const some = s.integer('a whole number of minor units, one at least', 1);
const commandId = s.stringMatching('an id of 8 to 64 letters, digits and lines', /^[A-Za-z0-9-]{8,64}$/);

/** All stakes of a terminal in a round, in whole minor units by wager. */
const slip = s.record(wager, amount, 'stakes in whole minor units by wager', 100);
/** All stakes of a patron for one round, in cents by wager. */
export type SlipStakes = Infer<typeof slip>;

/** What a client may say, by its type. */
export const clientMessages = s.variants(
  'type',
  'the message',
  {
    /**
     * The first message: the secret is known to this browser alone, and the server keeps no more than its hash. Whoever
     * only watches has none.
     */
    hello: { fields: { v: s.nonNegativeInteger, secret: s.optional(hex) } },
    /** Sit down at a table; a terminal that is new gets its demo credit. */
    sit: { fields: { table: id } },
    /** See a table without sitting down. */
    watch: { fields: { table: id } },
    /** Whether to be told of all tables while one sits at one of them. */
    around: { fields: { wanted: s.boolean } },
    /** Back to the lobby. */
    leave: { fields: {} },
    /** All stakes for a round. Sent again with the same id it changes nothing. */
    slip: {
      fields: { id: commandId, table: id, round: s.stringMatching('the id of a round', /^[\s\S]{1,200}$/), slip },
    },
    /** Another secret for this terminal from now on; the one that hello was said with is dead. */
    renew: { fields: { id: commandId, secret: hex } },
    /** A note in the acceptor; sent again with the same id it changes nothing, as the two below. */
    load: { fields: { id: commandId, amount } },
    /** A ticket in the slot, by its validation number. */
    redeem: { fields: { id: commandId, number: s.stringMatching('a number of 18 digits', /^[0-9]{18}$/) } },
    /** The whole credit as a ticket. */
    collect: { fields: { id: commandId } },
    /** The rounds of this session, the newest first: a page of them, the first or the one that goes on from there. */
    recall: { fields: { id: commandId, before: s.optional(pagePlace) } },
    /** Limits for the rest of this session, in whole minor units, on the stakes of a round and on what is lost in all. */
    limit: { fields: { id: commandId, stake: s.optional(some), loss: s.optional(some) } },
    /** A break: nothing is staked for so many minutes. */
    pause: { fields: { id: commandId, minutes: s.integer('a number of minutes, 1 to 1440', 1, 1440) } },
    /** Of a reader of cards alone: a card came out of the shoe of its table, as it was read. */
    scan: { fields: { id: commandId, table: id, text: s.stringMatching('a scan of 1 to 100 letters', /^.{1,100}$/u) } },
    /** A version was missed: send the whole again. */
    whole: { fields: { of: s.literals(['lobby', 'table', 'own', 'purse']) } },
  },
  {},
);

/** What a server may say, by its type. */
export const serverMessages = s.variants(
  'type',
  'the message',
  {
    /** The answer to hello, with the server's time; the terminal behind the secret, once it has sat down anywhere. */
    welcome: {
      fields: {
        v: s.nonNegativeInteger,
        at: time,
        terminal: s.nullable(s.string),
        /** All money is demo credit. */
        demo: s.boolean,
      },
    },
    /** Sent while nothing else is, so that a broken link is noticed. */
    beat: { fields: { at: time } },
    /** All tables. */
    lobby: { fields: { version: s.nonNegativeInteger, tiles: s.array(tile, 'tables in the lobby') } },
    /** A table of the lobby has changed since the version before. */
    tile: { fields: { version: s.nonNegativeInteger, table: id, ...tileChange } },
    /** What everyone sees of a table. */
    table: { fields: { table: id, version: s.nonNegativeInteger, view: tableViewSchema } },
    /** A table has changed since the version before. */
    change: { fields: { table: id, version: s.nonNegativeInteger, ...viewChange } },
    /** What this terminal alone sees: always whole, since it is small. Each is one version on from the last. */
    own: { fields: { table: id, version: s.nonNegativeInteger, view: ownView } },
    /** All that this terminal's money is, in the lobby and at tables; each is one version on from the last. */
    purse: { fields: { version: s.nonNegativeInteger, ...purseForm } },
    /** The credit of a demo was used up, and this much was given again. */
    refilled: { fields: { amount } },
    /** What was loaded with that id stands in the record. */
    loaded: { fields: { id: commandId, amount } },
    /** The credit went out: as a ticket, or it waits to be paid by hand and the terminal is locked. */
    collected: { fields: { id: commandId, amount, ticket: s.nullable(ticket), hand: s.boolean } },
    /** A page of the rounds of this session; `next` is where the next one goes on. */
    recalled: { fields: { id: commandId, rounds: s.array(recalledRound, 'rounds'), next: s.nullable(pagePlace) } },
    /** The limits or the break with that id stand in the record. */
    limited: { fields: { id: commandId } },
    /** The slip with that id stands in the record. */
    accepted: { fields: { id: commandId, round: s.string, slip } },
    /**
     * The scan with that id is in the record: the card and its slot, no slot for a card that was burned, neither for the
     * cutting card. `together`: it came so soon after the one before that both may have been drawn at once.
     */
    scanned: {
      fields: { id: commandId, card: s.nullable(card), slot: s.nullable(slot), together: s.optional(s.boolean) },
    },
    /** To a reader of cards: where the next card of its table goes, if one is due, and the shoe that it comes from. */
    due: {
      fields: {
        table: id,
        slot: s.nullable(slot),
        /** The first card of the shoe is turned and burned. */
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
            /** How often each card was seen. */
            seen: s.record(s.string, s.nonNegativeInteger, 'how often each card was seen'),
          }),
        ),
      },
    },
    /** The terminal is known by the new secret alone. */
    renewed: { fields: { id: commandId } },
    /** Why not: a code of docs/errors.md, a sentence and, where one says so, the clause. */
    refused: { fields: { id: s.nullable(s.string), code: s.string, message: s.string, by: s.nullable(s.string) } },
  },
  {},
);

/** All that a patron, a screen or a reader may say to the server. */
export type ClientMessage = Infer<(typeof clientMessages)[keyof typeof clientMessages]>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
/** All that the server says to them. */
export type ServerMessage = Infer<(typeof serverMessages)[keyof typeof serverMessages]>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
