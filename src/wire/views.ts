import { factValues } from '../rules/facts.ts';
import {
  type FieldsOf,
  type ValueOf,
  flag,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
  whole,
} from '../rules/fields.ts';
import { slots } from '../rules/play.ts';
import { amount, card, cards, hex, hexes, results, time } from '../table/declare/kinds.ts';

// What is shown: of a table to everyone, of itself to a terminal, of all tables in the lobby.

const phase = oneOf(['idle', 'betting', 'closing', 'dealing', 'result', 'paying']);
const winner = oneOf(factValues.winner);
const place = { column: whole, row: whole };
const pairs = { playerPair: flag, bankerPair: flag };

const bead = object('a round on the bead plate', { ...place, ...pairs, winner });
const cell = object('a cell of the big road', { ...place, ...pairs, winner: oneOf(['player', 'banker']), ties: whole });
const hand = object('a hand with its total', { cards, total: whole });

const dealt = object('a dealt card, a virtual one with what proves it', {
  card,
  /** Its place in the committed order. */
  index: optional(whole),
  salt: optional(hex),
  proof: optional(hexes),
});

const round = object('a round', {
  id: text,
  number: whole,
  closesAt: time,
  deadline: orNull(time),
  player: hand,
  banker: hand,
  cards: listOf(dealt, 'the cards in the order in which they were dealt'),
  next: orNull(oneOf(slots)),
  winner: orNull(winner),
  results: orNull(results),
  voidBy: orNull(text),
  settledAgain: flag,
});

const shoe = object('a shoe', {
  id: text,
  cards: whole,
  out: whole,
  rounds: whole,
  ready: flag,
  root: orNull(hex),
  turn: orNull(whole),
  cuttingCardOut: flag,
  roundsLeft: orNull(whole),
  lockedBy: orNull(text),
});

const spot = object('a wager on offer with its limits', { wager: text, name: text, least: amount, most: amount });

/** The fields of a table as everyone sees it. */
export const viewForm = {
  table: text,
  currency: text,
  game: object('a game', { name: text, version: text, book: text, electronicApproval: flag }),
  layout: listOf(spot, 'the wagers on offer'),
  tray: listOf(amount, 'the chips'),
  step: amount,
  totalMinimum: amount,
  phase,
  call: orNull(text),
  round: orNull(round),
  /** All stakes on each wager; they change at most twice a second. */
  staked: recordOf(text, object('a total', { stake: amount, bettors: whole }), 'totals by wager'),
  shoe: orNull(shoe),
  /** Waits for a ruling or a decision, or cannot go on. */
  stopped: orNull(object('why the table stands still', { kind: text, by: orNull(text) })),
  /** What happened to an interrupted round, by which clause. */
  notice: orNull(object('a notice', { kind: oneOf(['void', 'resumed']), number: whole, by: text, reason: text })),
  bead: listOf(bead, 'the bead plate'),
  big: listOf(cell, 'the big road'),
};

/** What becomes of one stake. */
const paid = object('what becomes of a stake', {
  wager: text,
  stake: amount,
  result: oneOf(['win', 'push', 'lose', 'void']),
  won: amount,
  commission: amount,
  returned: amount,
  by: text,
});

const stakes = recordOf(text, amount, 'stakes in whole minor units by wager');

export const ownView = object('what a terminal sees of itself', {
  terminal: text,
  credit: amount,
  round: orNull(object('a round', { id: text, number: whole })),
  slip: stakes,
  stake: amount,
  /** The stakes of the last round before this one in which it had any. */
  again: stakes,
  paid: orNull(listOf(paid, 'what becomes of each stake')),
});

export const tile = object('a table in the lobby', {
  table: text,
  name: text,
  phase,
  number: orNull(whole),
  closesAt: orNull(time),
  winner: orNull(winner),
  stopped: flag,
  big: listOf(cell, 'the big road'),
});

export type View = FieldsOf<typeof viewForm>;
export type OwnView = ValueOf<typeof ownView>;
export type Tile = ValueOf<typeof tile>;
export type Spot = ValueOf<typeof spot>;
export type Cell = ValueOf<typeof cell>;
export type Bead = ValueOf<typeof bead>;
export type Paid = ValueOf<typeof paid>;
