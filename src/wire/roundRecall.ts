import { factValues } from '../rules/facts.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { amount, id, time } from '../base/commonSchemas.ts';
import { cards } from '../table/schema/fieldTypes.ts';
import { paid, stakes } from './tableView.ts';

/** Where the next page of a recall goes on, as the page before has told it: there, and knowing of some stakes further on. */
export const pagePlace = s.stringMatching(
  'the place that the page before has told',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}(,[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}){0,80}$/,
);

/** One round as the session played it, or plays it still. */
export const recalledRound = s.object('a round that was played', {
  table: id,
  /** The game with its version: tiger@2021-10-28. */
  game: s.string,
  id: s.string,
  number: s.nonNegativeInteger,
  /** When bets opened. */
  at: time,
  /** In the order in which they were dealt. */
  cards,
  winner: s.nullable(s.literals(factValues.winner)),
  slip: stakes,
  /** What each settlement paid, one after another: the last one counts, none is there while the round is played. */
  settled: s.array(
    s.object('a settlement', {
      settlement: s.string,
      at: time,
      paid: s.array(paid, 'what becomes of each stake'),
      /** What could not be taken back. */
      short: amount,
    }),
    'settlements',
  ),
  voidBy: s.nullable(s.string),
  reason: s.nullable(s.string),
  creditBefore: amount,
  /** After all that the round has moved so far. */
  creditAfter: amount,
  corrected: s.boolean,
});
export type RecalledRound = Infer<typeof recalledRound>;
