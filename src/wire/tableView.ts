import { amount, time } from '../base/commonSchemas.ts';
import { factValues } from '../rules/facts.ts';
import {
  type Kind,
  type Optional,
  type ValueOf,
  flag,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  partly,
  recordOf,
  text,
  texts,
  whole,
} from '../base/schema.ts';
import { look } from '../games/tableTheme.ts';
import { card, cards, hex, hexes } from '../table/schema/fieldTypes.ts';
import { range } from '../table/schema/settings.ts';
import { result } from './resultCode.ts';

// What is shown: of a table to everyone, of itself to a terminal, of all tables in the lobby.

const phase = oneOf(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const bets = oneOf(['terminals', 'chips']);
const winner = oneOf(factValues.winner);
const results = listOf(result, 'the results of the shoe');
const hand = object('a hand with its total', { cards, total: whole });

const dealt = object('a dealt card, a virtual one with what proves it', {
  card,
  /** Its place in the committed order. */
  index: optional(whole),
  salt: optional(hex),
  /** Without the hashes at its end that are those of the card before, and how many they are. */
  proof: optional(hexes),
  shared: optional(whole),
});

/** The hands of a round, and how it ended. */
const handsForm = {
  id: text,
  number: whole,
  player: hand,
  banker: hand,
  winner: orNull(winner),
  /** The wagers that win and those that push, once it is settled. */
  won: orNull(texts),
  pushed: orNull(texts),
  voidBy: orNull(text),
};

const roundForm = {
  ...handsForm,
  closesAt: time,
  deadline: orNull(time),
  settledAgain: flag,
};

const shoeForm = {
  id: text,
  cards: whole,
  out: whole,
  ready: flag,
  root: orNull(hex),
  turn: orNull(whole),
  roundsLeft: orNull(whole),
  cuttingCardOut: flag,
  /** So many cards are out when the cutting card comes. */
  cut: orNull(whole),
};

const spot = object('a wager on offer with its limits', { wager: text, name: text, least: amount, most: amount });

const viewForm = {
  table: text,
  /** People deal: they open and close bets when it is time. */
  attended: flag,
  /** How patrons bet: at terminals, or with chips on the felt. */
  bets,
  currency: text,
  game: object('a game', { name: text, version: text }),
  layout: listOf(spot, 'the wagers on offer'),
  tray: listOf(amount, 'the chips'),
  step: amount,
  totalMinimum: amount,
  decks: whole,
  /** How long bets are open, in milliseconds. */
  bettingTime: whole,
  look,
  phase,
  /** When the next bets open, where that is known. */
  opensAt: orNull(time),
  round: orNull(object('a round', roundForm)),
  /** The round before. */
  last: orNull(object('an earlier round', handsForm)),
  /** The cards of the round in the order in which they were dealt. */
  cards: listOf(dealt, 'dealt cards'),
  /** All stakes on each wager; they change at most twice a second. */
  staked: recordOf(text, object('a total', { stake: amount, bettors: whole }), 'totals by wager'),
  shoe: orNull(object('a shoe', shoeForm)),
  /** Waits for a ruling or a decision, cannot record for the time being (`cannot-record`), or cannot go on (`broken`). */
  stopped: orNull(object('why the table stands still', { kind: text, by: orNull(text) })),
  /** What happened to a round out of the usual, by which clause. */
  notice: orNull(
    object('a notice', {
      kind: oneOf(['void', 'resumed', 'corrected']),
      round: text,
      number: whole,
      by: text,
      reason: text,
    }),
  ),
  results,
  /** Over the settled rounds of the shoe: rounds, banker, player, tie, naturals; and how often each wager has won. */
  counts: object('counters', {
    rounds: whole,
    banker: whole,
    player: whole,
    tie: whole,
    naturals: whole,
    wagers: recordOf(text, whole, 'how often each wager has won'),
  }),
};

/** What a list holds from a place on; whatever stood there is gone. */
const tailOf = <T>(one: Kind<T>, wanted: string): Optional<{ readonly from: number; readonly items: readonly T[] }> =>
  optional(object(wanted, { from: whole, items: listOf(one, wanted) }));

export const view = object('a table as everyone sees it', viewForm);

/** What is another than in the version before. */
export const viewChange = {
  fields: optional(object('fields of a table', partly(viewForm))),
  parts: optional(
    object('parts of a table', {
      round: optional(object('fields of the round', partly(roundForm))),
      last: optional(object('fields of the round before', partly(handsForm))),
      shoe: optional(object('fields of the shoe', partly(shoeForm))),
    }),
  ),
  lists: optional(
    object('lists of a table', {
      layout: tailOf(spot, 'the wagers on offer'),
      tray: tailOf(amount, 'the chips'),
      cards: tailOf(dealt, 'dealt cards'),
      results: tailOf(result, 'the results of the shoe'),
    }),
  ),
};

/** What becomes of one stake. */
export const paid = object('what becomes of a stake', {
  wager: text,
  stake: amount,
  result: oneOf(['win', 'push', 'lose', 'void']),
  won: amount,
  commission: amount,
  returned: amount,
  by: text,
});

export const stakes = recordOf(text, amount, 'stakes in whole minor units by wager');

export const ownView = object('what a terminal sees of itself', {
  terminal: text,
  credit: amount,
  round: orNull(object('a round', { id: text, number: whole })),
  slip: stakes,
  stake: amount,
  /** The stakes of the last round before this one in which it had any. */
  again: stakes,
  paid: orNull(listOf(paid, 'what becomes of each stake')),
  /** What became of its stakes in the round before, if it had any. */
  last: orNull(
    object('an earlier round', {
      id: text,
      number: whole,
      slip: stakes,
      paid: listOf(paid, 'what became of each stake'),
    }),
  ),
});

const tileForm = {
  table: text,
  attended: flag,
  bets,
  /** There is a shoe from which the next round can be dealt. */
  ready: flag,
  /** Its game with the version: tiger@2021-10-28. */
  game: text,
  name: text,
  phase,
  number: orNull(whole),
  closesAt: orNull(time),
  /** How long bets are open, in milliseconds. */
  bettingTime: whole,
  opensAt: orNull(time),
  winner: orNull(winner),
  totals: orNull(object('totals', { player: whole, banker: whole })),
  /** The clause by which that round is void, if it is. */
  voidBy: orNull(text),
  /** Why it stands still, if it does. */
  stopped: orNull(text),
  /** From the least to the most on Player and Banker, and on any other wager. */
  limits: object('limits', { main: range, sides: orNull(range) }),
  decks: whole,
  look,
  /** How many patrons sit there. */
  patrons: whole,
  results,
};
export const tile = object('a table in the lobby', tileForm);

export const tileChange = {
  fields: optional(object('fields of a table in the lobby', partly(tileForm))),
  lists: optional(object('lists of a table in the lobby', { results: tailOf(result, 'the results of the shoe') })),
};

/** A table as everybody may see it. */
export type View = ValueOf<typeof view>;
/** What a terminal sees of itself at its table: its slip, what was paid, its credit. */
export type OwnView = ValueOf<typeof ownView>;
/** A table as the lobby shows it. */
export type Tile = ValueOf<typeof tile>;
export type Dealt = ValueOf<typeof dealt>;
export type Spot = ValueOf<typeof spot>;
export type Paid = ValueOf<typeof paid>;
