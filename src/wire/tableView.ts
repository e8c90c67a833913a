import { amount, time } from '../base/commonSchemas.ts';
import { factValues } from '../rules/facts.ts';
import * as s from '../base/schema.ts';
import { type Schema, type Optional, type Infer } from '../base/schema.ts';
import { themeSchema } from '../games/tableTheme.ts';
import { card, cards, hex, hexes } from '../table/schema/fieldTypes.ts';
import { limitsRange } from '../table/schema/settings.ts';
import { result } from './resultCode.ts';

// What is shown: of a table to everyone, of itself to a terminal, of all tables in the lobby.

const phase = s.literals(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const bets = s.literals(['terminals', 'chips']);
const winner = s.literals(factValues.winner);
const results = s.array(result, 'the results of the shoe');
const hand = s.object('a hand with its total', { cards, total: s.nonNegativeInteger });

const dealt = s.object('a dealt card, a virtual one with what proves it', {
  card,
  /** Its place in the committed order. */
  index: s.optional(s.nonNegativeInteger),
  salt: s.optional(hex),
  /** Without the hashes at its end that are those of the card before, and how many they are. */
  proof: s.optional(hexes),
  shared: s.optional(s.nonNegativeInteger),
});

/** The hands of a round, and how it ended. */
const handsForm = {
  id: s.string,
  number: s.nonNegativeInteger,
  player: hand,
  banker: hand,
  winner: s.nullable(winner),
  /** The wagers that win and those that push, once it is settled. */
  won: s.nullable(s.strings),
  pushed: s.nullable(s.strings),
  voidBy: s.nullable(s.string),
};

const roundForm = {
  ...handsForm,
  closesAt: time,
  deadline: s.nullable(time),
  settledAgain: s.boolean,
};

const shoeForm = {
  id: s.string,
  cards: s.nonNegativeInteger,
  out: s.nonNegativeInteger,
  ready: s.boolean,
  root: s.nullable(hex),
  turn: s.nullable(s.nonNegativeInteger),
  roundsLeft: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  /** So many cards are out when the cutting card comes. */
  cut: s.nullable(s.nonNegativeInteger),
};

const spot = s.object('a wager on offer with its limits', {
  wager: s.string,
  name: s.string,
  least: amount,
  most: amount,
});

const viewForm = {
  table: s.string,
  /** People deal: they open and close bets when it is time. */
  attended: s.boolean,
  /** How patrons bet: at terminals, or with chips on the felt. */
  bets,
  currency: s.string,
  game: s.object('a game', { name: s.string, version: s.string }),
  layout: s.array(spot, 'the wagers on offer'),
  tray: s.array(amount, 'the chips'),
  step: amount,
  totalMinimum: amount,
  decks: s.nonNegativeInteger,
  /** How long bets are open, in milliseconds. */
  bettingTime: s.nonNegativeInteger,
  look: themeSchema,
  phase,
  /** When the next bets open, where that is known. */
  opensAt: s.nullable(time),
  round: s.nullable(s.object('a round', roundForm)),
  /** The round before. */
  last: s.nullable(s.object('an earlier round', handsForm)),
  /** The cards of the round in the order in which they were dealt. */
  cards: s.array(dealt, 'dealt cards'),
  /** All stakes on each wager; they change at most twice a second. */
  staked: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  shoe: s.nullable(s.object('a shoe', shoeForm)),
  /** Waits for a ruling or a decision, cannot record for the time being (`cannot-record`), or cannot go on (`broken`). */
  stopped: s.nullable(s.object('why the table stands still', { kind: s.string, by: s.nullable(s.string) })),
  /** What happened to a round out of the usual, by which clause. */
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
  /** Over the settled rounds of the shoe: rounds, banker, player, tie, naturals; and how often each wager has won. */
  counts: s.object('counters', {
    rounds: s.nonNegativeInteger,
    banker: s.nonNegativeInteger,
    player: s.nonNegativeInteger,
    tie: s.nonNegativeInteger,
    naturals: s.nonNegativeInteger,
    wagers: s.record(s.string, s.nonNegativeInteger, 'how often each wager has won'),
  }),
};

/** What a list holds from a place on; whatever stood there is gone. */
const tailOf = <T>(one: Schema<T>, wanted: string): Optional<{ readonly from: number; readonly items: readonly T[] }> =>
  s.optional(s.object(wanted, { from: s.nonNegativeInteger, items: s.array(one, wanted) }));

export const tableViewSchema = s.object('a table as everyone sees it', viewForm);

/** What is another than in the version before. */
export const viewChange = {
  fields: s.optional(s.object('fields of a table', s.partial(viewForm))),
  parts: s.optional(
    s.object('parts of a table', {
      round: s.optional(s.object('fields of the round', s.partial(roundForm))),
      last: s.optional(s.object('fields of the round before', s.partial(handsForm))),
      shoe: s.optional(s.object('fields of the shoe', s.partial(shoeForm))),
    }),
  ),
  lists: s.optional(
    s.object('lists of a table', {
      layout: tailOf(spot, 'the wagers on offer'),
      tray: tailOf(amount, 'the chips'),
      cards: tailOf(dealt, 'dealt cards'),
      results: tailOf(result, 'the results of the shoe'),
    }),
  ),
};

/** What becomes of one stake. */
export const paid = s.object('what becomes of a stake', {
  wager: s.string,
  stake: amount,
  result: s.literals(['win', 'push', 'lose', 'void']),
  won: amount,
  commission: amount,
  returned: amount,
  by: s.string,
});

export const stakes = s.record(s.string, amount, 'stakes in whole minor units by wager');

export const ownView = s.object('what a terminal sees of itself', {
  terminal: s.string,
  credit: amount,
  round: s.nullable(s.object('a round', { id: s.string, number: s.nonNegativeInteger })),
  slip: stakes,
  stake: amount,
  /** The stakes of the last round before this one in which it had any. */
  again: stakes,
  paid: s.nullable(s.array(paid, 'what becomes of each stake')),
  /** What became of its stakes in the round before, if it had any. */
  last: s.nullable(
    s.object('an earlier round', {
      id: s.string,
      number: s.nonNegativeInteger,
      slip: stakes,
      paid: s.array(paid, 'what became of each stake'),
    }),
  ),
});

const tileForm = {
  table: s.string,
  attended: s.boolean,
  bets,
  /** There is a shoe from which the next round can be dealt. */
  ready: s.boolean,
  /** Its game with the version: tiger@2021-10-28. */
  game: s.string,
  name: s.string,
  phase,
  number: s.nullable(s.nonNegativeInteger),
  closesAt: s.nullable(time),
  /** How long bets are open, in milliseconds. */
  bettingTime: s.nonNegativeInteger,
  opensAt: s.nullable(time),
  winner: s.nullable(winner),
  totals: s.nullable(s.object('totals', { player: s.nonNegativeInteger, banker: s.nonNegativeInteger })),
  /** The clause by which that round is void, if it is. */
  voidBy: s.nullable(s.string),
  /** Why it stands still, if it does. */
  stopped: s.nullable(s.string),
  /** From the least to the most on Player and Banker, and on any other wager. */
  limits: s.object('limits', { main: limitsRange, sides: s.nullable(limitsRange) }),
  decks: s.nonNegativeInteger,
  look: themeSchema,
  /** How many patrons sit there. */
  patrons: s.nonNegativeInteger,
  results,
};
export const tile = s.object('a table in the lobby', tileForm);

export const tileChange = {
  fields: s.optional(s.object('fields of a table in the lobby', s.partial(tileForm))),
  lists: s.optional(s.object('lists of a table in the lobby', { results: tailOf(result, 'the results of the shoe') })),
};

/** A table as everybody may see it. */
export type View = Infer<typeof tableViewSchema>;
/** What a terminal sees of itself at its table: its slip, what was paid, its credit. */
export type TerminalTableView = Infer<typeof ownView>;
/** A table as the lobby shows it. */
export type Tile = Infer<typeof tile>;
export type Dealt = Infer<typeof dealt>;
export type Spot = Infer<typeof spot>;
export type StakeResultView = Infer<typeof paid>;
