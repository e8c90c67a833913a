import { amount, time } from '../base/commonSchemas.ts';
import { factValues } from '../rules/facts.ts';
import * as s from '../base/schemas.ts';
import { type Schema, type Optional, type Infer } from '../base/schema.ts';
import { themeSchema } from '../games/tableTheme.ts';
import { cardSchema, cardListSchema, hex64Schema, hex64ListSchema } from '../table/schema/fieldTypes.ts';
import { wagerLimitsSchema } from '../table/schema/settings.ts';
import { resultCodeSchema } from './resultCode.ts';

// What patrons see: the public view of a table, the view of one terminal, and the tiles of the lobby.

export const tablePhaseSchema = s.literals(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const bets = s.literals(['terminals', 'chips']);
export const winnerSchema = s.literals(factValues.winner);
const results = s.array(resultCodeSchema, 'the results of the shoe');
export const handSchema = s.object('a hand with its total', { cards: cardListSchema, total: s.nonNegativeInteger });

const dealtCardSchema = s.object('a dealt card, with its Merkle proof if the shoe is virtual', {
  card: cardSchema,
  /** Index of the card in the committed order of the shoe. */
  index: s.optional(s.nonNegativeInteger),
  salt: s.optional(hex64Schema),
  /**
   * Merkle proof, without its last hashes that also end the proof of the previous card. `shared` is the number of these
   * hashes.
   */
  proof: s.optional(hex64ListSchema),
  shared: s.optional(s.nonNegativeInteger),
});

const handsShape = {
  id: s.string,
  number: s.nonNegativeInteger,
  player: handSchema,
  banker: handSchema,
  winner: s.nullable(winnerSchema),
  /** Ids of the winning wagers; null before the settlement, and for a void round. */
  won: s.nullable(s.strings),
  /** Ids of the pushed wagers; null before the settlement, and for a void round. */
  pushed: s.nullable(s.strings),
  /** Clause by which the round is void; null if the round is not void. */
  voidBy: s.nullable(s.string),
};

const roundShape = {
  ...handsShape,
  closesAt: time,
  /** Time after which no bet is accepted. Null until the close of bets is called. */
  deadline: s.nullable(time),
  settledAgain: s.boolean,
};

const shoeShape = {
  id: s.string,
  cards: s.nonNegativeInteger,
  /** Number of cards that have left the shoe. */
  out: s.nonNegativeInteger,
  ready: s.boolean,
  /** Merkle root that commits the order of a virtual shoe; null for a live shoe. */
  root: s.nullable(hex64Schema),
  cutPosition: s.nullable(s.nonNegativeInteger),
  roundsLeft: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  /** Number of cards of the shoe that are drawn before the cutting card; null before the cut. */
  cut: s.nullable(s.nonNegativeInteger),
};

const spotSchema = s.object('a wager on offer with its limits', {
  wager: s.string,
  name: s.string,
  minimum: amount,
  maximum: amount,
});

const tableShape = {
  table: s.string,
  attended: s.boolean,
  bets,
  currency: s.string,
  game: s.object('a game', { name: s.string, version: s.string }),
  layout: s.array(spotSchema, 'the wagers on offer'),
  /** Denominations of the chips on offer, in minor units. */
  tray: s.array(amount, 'chip denominations'),
  /** Every stake is a multiple of this amount, in minor units. */
  step: amount,
  totalMinimum: amount,
  decks: s.nonNegativeInteger,
  /** Betting time in milliseconds. */
  bettingTime: s.nonNegativeInteger,
  theme: themeSchema,
  phase: tablePhaseSchema,
  /** Time at which the next bets open; null if this time is not known. */
  opensAt: s.nullable(time),
  round: s.nullable(s.object('a round', roundShape)),
  /** The round before `round`; null if the table has none. */
  last: s.nullable(s.object('an earlier round', handsShape)),
  /** Cards of both hands of `round`, in dealing order. */
  cards: s.array(dealtCardSchema, 'dealt cards'),
  /** Total stakes of all patrons by wager. A change of stakes alone is sent at most twice a second. */
  staked: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  shoe: s.nullable(s.object('a shoe', shoeShape)),
  /**
   * Why the table is stopped. `kind` is the kind of an irregularity, `referred`, `cannot-record` (the events of the
   * table cannot be stored for now) or `broken` (the table has crashed). Null while the table is not stopped.
   */
  stopped: s.nullable(s.object('why the table is stopped', { kind: s.string, by: s.nullable(s.string) })),
  /** Notice that a round is void, resumed or corrected; `by` is the clause. */
  notice: s.nullable(
    s.object('a notice', {
      kind: s.literals(['void', 'resumed', 'corrected']),
      round: s.string,
      number: s.nonNegativeInteger,
      by: s.string,
      reason: s.string,
    }),
  ),
  results,
  /** Counts over the settled rounds of this shoe. */
  counts: s.object('counters', {
    rounds: s.nonNegativeInteger,
    banker: s.nonNegativeInteger,
    player: s.nonNegativeInteger,
    tie: s.nonNegativeInteger,
    naturals: s.nonNegativeInteger,
    wagers: s.record(s.string, s.nonNegativeInteger, 'how often each wager has won'),
  }),
};

/** Schema of a change of a list: `items` replace all items of the list from the index `from` on. */
const tailOf = <T>(
  item: Schema<T>,
  description: string,
): Optional<{ readonly from: number; readonly items: readonly T[] }> =>
  s.optional(s.object(description, { from: s.nonNegativeInteger, items: s.array(item, description) }));

export const publicTableViewSchema = s.object('the public view of a table', tableShape);

/**
 * Delta of the public table view: `fields` are changed fields, `parts` are changed fields of objects in the view, and
 * `lists` are changed lists.
 */
export const publicTableDeltaShape = {
  fields: s.optional(s.object('fields of a table', s.partial(tableShape))),
  parts: s.optional(
    s.object('parts of a table', {
      round: s.optional(s.object('fields of the round', s.partial(roundShape))),
      last: s.optional(s.object('fields of the previous round', s.partial(handsShape))),
      shoe: s.optional(s.object('fields of the shoe', s.partial(shoeShape))),
    }),
  ),
  lists: s.optional(
    s.object('lists of a table', {
      layout: tailOf(spotSchema, 'the wagers on offer'),
      tray: tailOf(amount, 'chip denominations'),
      cards: tailOf(dealtCardSchema, 'dealt cards'),
      results: tailOf(resultCodeSchema, 'the results of the shoe'),
    }),
  ),
};

/** Result of one stake; amounts in minor units. */
export const stakeResultSchema = s.object('the result of a stake', {
  wager: s.string,
  stake: amount,
  result: s.literals(['win', 'push', 'lose', 'void']),
  won: amount,
  commission: amount,
  returned: amount,
  by: s.string,
});

export const stakesByWagerSchema = s.record(s.string, amount, 'stakes in whole minor units by wager');

export const terminalTableViewSchema = s.object("a terminal's own view of a table", {
  terminal: s.string,
  credit: amount,
  round: s.nullable(s.object('a round', { id: s.string, number: s.nonNegativeInteger })),
  slip: stakesByWagerSchema,
  stake: amount,
  /**
   * The stakes that RE-BET places: those of the last round in which this credit session bet. Empty if the session has
   * not bet yet.
   */
  rebet: stakesByWagerSchema,
  paid: s.nullable(s.array(stakeResultSchema, 'results of the stakes')),
  /**
   * Stakes and results of this credit session in the previous round; null if the session had no stake in that round.
   */
  last: s.nullable(
    s.object('an earlier round', {
      id: s.string,
      number: s.nonNegativeInteger,
      slip: stakesByWagerSchema,
      paid: s.array(stakeResultSchema, 'results of the stakes'),
    }),
  ),
});

const tileShape = {
  table: s.string,
  attended: s.boolean,
  bets,
  ready: s.boolean,
  /** Game id with version, such as tiger@2021-10-28. */
  game: s.string,
  name: s.string,
  phase: tablePhaseSchema,
  number: s.nullable(s.nonNegativeInteger),
  closesAt: s.nullable(time),
  /** Betting time in milliseconds. */
  bettingTime: s.nonNegativeInteger,
  opensAt: s.nullable(time),
  winner: s.nullable(winnerSchema),
  totals: s.nullable(s.object('totals', { player: s.nonNegativeInteger, banker: s.nonNegativeInteger })),
  /** Clause by which the round of the tile is void; null if this round is not void. */
  voidBy: s.nullable(s.string),
  stopped: s.nullable(s.string),
  /**
   * Limits from the lowest minimum to the highest maximum, in minor units. `main` is for Player and Banker, `sides` for
   * all other wagers; `sides` is null if there are none.
   */
  limits: s.object('limits', { main: wagerLimitsSchema, sides: s.nullable(wagerLimitsSchema) }),
  decks: s.nonNegativeInteger,
  theme: themeSchema,
  patrons: s.nonNegativeInteger,
  results,
};
export const lobbyTileSchema = s.object('a table in the lobby', tileShape);

export const lobbyTileDeltaShape = {
  fields: s.optional(s.object('fields of a table in the lobby', s.partial(tileShape))),
  lists: s.optional(
    s.object('lists of a table in the lobby', { results: tailOf(resultCodeSchema, 'the results of the shoe') }),
  ),
};

export type PublicTableView = Infer<typeof publicTableViewSchema>;
export type TerminalTableView = Infer<typeof terminalTableViewSchema>;
export type LobbyTile = Infer<typeof lobbyTileSchema>;
export type DealtCardView = Infer<typeof dealtCardSchema>;
export type Spot = Infer<typeof spotSchema>;
export type StakeResultView = Infer<typeof stakeResultSchema>;
