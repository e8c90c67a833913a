import { factValues } from '../rules/facts.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { amount, id, time } from '../base/commonSchemas.ts';
import { cardListSchema } from '../table/schema/fieldTypes.ts';
import { stakeResultSchema, stakesByWagerSchema } from './tableView.ts';

/**
 * Cursor of the recall: positions in the streams of tables. Each is written as `table:sequence`, with commas between
 * them. Clients send the cursor back unchanged.
 */
export const recallCursorSchema = s.stringMatching(
  'the cursor of the previous page',
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}(,[A-Za-z0-9][A-Za-z0-9._-]{0,63}:\d{1,15}){0,80}$/,
);

/** One round in which a credit session had stakes. It may be settled, void or in play. */
export const recalledRoundSchema = s.object('a round that was played', {
  table: id,
  /** Game id with version, such as tiger@2021-10-28. */
  game: s.string,
  id: s.string,
  number: s.nonNegativeInteger,
  at: time,
  /** Cards of both hands, in dealing order. */
  cards: cardListSchema,
  winner: s.nullable(s.literals(factValues.winner)),
  slip: stakesByWagerSchema,
  /** All settlements of the round, oldest first. Only the last of them is valid. Empty before the first settlement. */
  settled: s.array(
    s.object('a settlement', {
      settlement: s.string,
      at: time,
      paid: s.array(stakeResultSchema, 'results of the stakes'),
      /** Shortfall in minor units: paid money that the credit no longer covers. */
      short: amount,
    }),
    'settlements',
  ),
  /** Clause by which the round is void; null if the round is not void. */
  voidBy: s.nullable(s.string),
  reason: s.nullable(s.string),
  creditBefore: amount,
  /** Credit after the last posting of the round so far, in minor units. */
  creditAfter: amount,
  corrected: s.boolean,
});
export type RecalledRound = Infer<typeof recalledRoundSchema>;
