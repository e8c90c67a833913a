import { amount, time } from '../base/commonSchemas.ts';
import { factValues } from '../rules/facts.ts';
import * as s from '../base/schema.ts';
import { type Schema, type Optional, type Infer } from '../base/schema.ts';
import { themeSchema } from '../games/tableTheme.ts';
import { card, cards, hex, hexes } from '../table/schema/fieldTypes.ts';
import { limitsRange } from '../table/schema/settings.ts';
import { resultCodeSchema } from './resultCode.ts';

// Views of patrons: public table view, terminal view, lobby tiles.

export const tablePhaseSchema = s.literals(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const bets = s.literals(['terminals', 'chips']);
export const winnerSchema = s.literals(factValues.winner);
const results = s.array(resultCodeSchema, 'the results of the shoe');
export const handSchema = s.object('a hand with its total', { cards, total: s.nonNegativeInteger });

const dealtCardSchema = s.object('a dealt card, a virtual one with what proves it', {
  card,
  /** Position in the committed order. */
  index: s.optional(s.nonNegativeInteger),
  salt: s.optional(hex),
  /** `proof` lacks the last `shared` hashes, which equal those of the previous card. */
  proof: s.optional(hexes),
  shared: s.optional(s.nonNegativeInteger),
});

const handsShape = {
  id: s.string,
  number: s.nonNegativeInteger,
  player: handSchema,
  banker: handSchema,
  winner: s.nullable(winnerSchema),
  /** Winning and pushed wagers, once settled. */
  won: s.nullable(s.strings),
  pushed: s.nullable(s.strings),
  voidBy: s.nullable(s.string),
};

const roundShape = {
  ...handsShape,
  closesAt: time,
  deadline: s.nullable(time),
  settledAgain: s.boolean,
};

const shoeShape = {
  id: s.string,
  cards: s.nonNegativeInteger,
  out: s.nonNegativeInteger,
  ready: s.boolean,
  root: s.nullable(hex),
  cutPosition: s.nullable(s.nonNegativeInteger),
  roundsLeft: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  /** Number of cards drawn when the cutting card appears. */
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
  /** A dealer opens and closes bets. */
  attended: s.boolean,
  /** Bets at terminals, or with chips on the felt. */
  bets,
  currency: s.string,
  game: s.object('a game', { name: s.string, version: s.string }),
  layout: s.array(spotSchema, 'the wagers on offer'),
  tray: s.array(amount, 'the chips'),
  step: amount,
  totalMinimum: amount,
  decks: s.nonNegativeInteger,
  /** Betting time in milliseconds. */
  bettingTime: s.nonNegativeInteger,
  theme: themeSchema,
  phase: tablePhaseSchema,
  /** When the next bets open, if known. */
  opensAt: s.nullable(time),
  round: s.nullable(s.object('a round', roundShape)),
  /** The previous round. */
  last: s.nullable(s.object('an earlier round', handsShape)),
  /** In dealing order. */
  cards: s.array(dealtCardSchema, 'dealt cards'),
  /** Total stakes by wager; they change at most twice a second. */
  staked: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  shoe: s.nullable(s.object('a shoe', shoeShape)),
  /** Stopped by an irregularity or referral; `cannot-record`: the table cannot append for now; `broken`: it crashed. */
  stopped: s.nullable(s.object('why the table is stopped', { kind: s.string, by: s.nullable(s.string) })),
  /** Something unusual happened to a round, with the clause. */
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
  /** Counters over the settled rounds of the shoe, and wins by wager. */
  counts: s.object('counters', {
    rounds: s.nonNegativeInteger,
    banker: s.nonNegativeInteger,
    player: s.nonNegativeInteger,
    tie: s.nonNegativeInteger,
    naturals: s.nonNegativeInteger,
    wagers: s.record(s.string, s.nonNegativeInteger, 'how often each wager has won'),
  }),
};

/** Items of a list from index `from` on; they replace the old tail. */
const tailOf = <T>(
  item: Schema<T>,
  description: string,
): Optional<{ readonly from: number; readonly items: readonly T[] }> =>
  s.optional(s.object(description, { from: s.nonNegativeInteger, items: s.array(item, description) }));

export const tableViewSchema = s.object('the public view of a table', tableShape);

/** Fields of a delta. */
export const tableDeltaShape = {
  fields: s.optional(s.object('fields of a table', s.partial(tableShape))),
  parts: s.optional(
    s.object('parts of a table', {
      round: s.optional(s.object('fields of the round', s.partial(roundShape))),
      last: s.optional(s.object('fields of the round before', s.partial(handsShape))),
      shoe: s.optional(s.object('fields of the shoe', s.partial(shoeShape))),
    }),
  ),
  lists: s.optional(
    s.object('lists of a table', {
      layout: tailOf(spotSchema, 'the wagers on offer'),
      tray: tailOf(amount, 'the chips'),
      cards: tailOf(dealtCardSchema, 'dealt cards'),
      results: tailOf(resultCodeSchema, 'the results of the shoe'),
    }),
  ),
};

/** Result of one stake. */
export const stakeResultSchema = s.object('what becomes of a stake', {
  wager: s.string,
  stake: amount,
  result: s.literals(['win', 'push', 'lose', 'void']),
  won: amount,
  commission: amount,
  returned: amount,
  by: s.string,
});

export const stakesSchema = s.record(s.string, amount, 'stakes in whole minor units by wager');

export const terminalTableViewSchema = s.object('what a terminal sees of itself', {
  terminal: s.string,
  credit: amount,
  round: s.nullable(s.object('a round', { id: s.string, number: s.nonNegativeInteger })),
  slip: stakesSchema,
  stake: amount,
  /** Stakes of the last round with a bet, for repetition. */
  rebet: stakesSchema,
  paid: s.nullable(s.array(stakeResultSchema, 'what becomes of each stake')),
  /** Results in the previous round, if it had stakes. */
  last: s.nullable(
    s.object('an earlier round', {
      id: s.string,
      number: s.nonNegativeInteger,
      slip: stakesSchema,
      paid: s.array(stakeResultSchema, 'what became of each stake'),
    }),
  ),
});

const tileShape = {
  table: s.string,
  attended: s.boolean,
  bets,
  /** A shoe is ready for the next round. */
  ready: s.boolean,
  /** Game with version: tiger@2021-10-28. */
  game: s.string,
  name: s.string,
  phase: tablePhaseSchema,
  number: s.nullable(s.nonNegativeInteger),
  closesAt: s.nullable(time),
  /** In milliseconds. */
  bettingTime: s.nonNegativeInteger,
  opensAt: s.nullable(time),
  winner: s.nullable(winnerSchema),
  totals: s.nullable(s.object('totals', { player: s.nonNegativeInteger, banker: s.nonNegativeInteger })),
  /** Clause by which the shown round is void. */
  voidBy: s.nullable(s.string),
  /** Why the table is stopped. */
  stopped: s.nullable(s.string),
  /** Range of limits on Player and Banker, and on the other wagers. */
  limits: s.object('limits', { main: limitsRange, sides: s.nullable(limitsRange) }),
  decks: s.nonNegativeInteger,
  theme: themeSchema,
  patrons: s.nonNegativeInteger,
  results,
};
export const tileSchema = s.object('a table in the lobby', tileShape);

export const tileDeltaShape = {
  fields: s.optional(s.object('fields of a table in the lobby', s.partial(tileShape))),
  lists: s.optional(
    s.object('lists of a table in the lobby', { results: tailOf(resultCodeSchema, 'the results of the shoe') }),
  ),
};

export type View = Infer<typeof tableViewSchema>;
export type TerminalTableView = Infer<typeof terminalTableViewSchema>;
export type Tile = Infer<typeof tileSchema>;
export type DealtCardView = Infer<typeof dealtCardSchema>;
export type Spot = Infer<typeof spotSchema>;
export type StakeResultView = Infer<typeof stakeResultSchema>;
