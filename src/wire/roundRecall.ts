import { factValues } from '../rules/facts.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { amount, id, time } from '../base/commonSchemas.ts';
import { cards } from '../table/schema/fieldTypes.ts';
import { stakeResultSchema, stakesSchema } from './tableView.ts';

/** Cursor of a recall page: its position, and stakes of rounds that are not read completely yet. */
export const recallCursorSchema = s.stringMatching(
  'the cursor of the previous page',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}(,[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}){0,80}$/,
);

/** One round of a session, finished or in play. */
export const recalledRoundSchema = s.object('a round that was played', {
  table: id,
  /** Game with version: tiger@2021-10-28. */
  game: s.string,
  id: s.string,
  number: s.nonNegativeInteger,
  at: time,
  /** In dealing order. */
  cards,
  winner: s.nullable(s.literals(factValues.winner)),
  slip: stakesSchema,
  /** Settlements in order: the last one counts; empty while the round is in play. */
  settled: s.array(
    s.object('a settlement', {
      settlement: s.string,
      at: time,
      paid: s.array(stakeResultSchema, 'what becomes of each stake'),
      /** Shortfall: paid before and no longer covered by credit. */
      short: amount,
    }),
    'settlements',
  ),
  voidBy: s.nullable(s.string),
  reason: s.nullable(s.string),
  creditBefore: amount,
  /** After all postings of the round so far. */
  creditAfter: amount,
  corrected: s.boolean,
});
export type RecalledRound = Infer<typeof recalledRoundSchema>;
