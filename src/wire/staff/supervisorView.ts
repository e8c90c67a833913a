import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, time } from '../../base/commonSchemas.ts';
import { winnerSchema } from '../tableView.ts';
import { dealerViewShape } from './dealerView.ts';
import { staffActorViewSchema, promptSchema } from './viewParts.ts';

/** One row of the ruling matrix: what each ruling would return to one terminal. Amounts in minor units. */
const terminalRulingRowSchema = s.object('a terminal', {
  terminal: s.string,
  staked: amount,
  /** Amount that the last settlement returned to the terminal; null before the first settlement. */
  paid: s.nullable(amount),
  /**
   * Amount that each ruling would return to the terminal. Null if the amount is not known, or if the ruling concerns
   * another terminal only.
   */
  back: s.record(s.string, s.nullable(amount), 'amounts by ruling'),
  disconnected: s.boolean,
});
export type TerminalRulingRow = Infer<typeof terminalRulingRowSchema>;

const supervisorShape = {
  ...dealerViewShape,
  currency: s.string,
  staked: amount,
  bettors: s.nonNegativeInteger,
  totals: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  /** Closing counts that found another number of cards than expected and are still to be investigated. */
  differences: s.array(
    s.object('a closing count that differs', {
      shoe: s.string,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      since: time,
    }),
    'closing counts that differ',
  ),
  /**
   * Referrals that were decided, newest first. `reason` is the reason of the referral, and `decisionReason` that of its
   * decision.
   */
  decided: s.array(
    s.object('an earlier referral', {
      id: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      decision: s.string,
      decisionReason: s.string,
      by: s.string,
      at: time,
      from: s.nullable(staffActorViewSchema),
    }),
    'earlier referrals',
  ),
  /** Ruling matrix: what each ruling would do, in total and for each terminal. Null if no ruling is due. */
  rulings: s.nullable(
    s.object('a ruling matrix', {
      round: s.string,
      columns: s.array(
        s.object('a ruling', {
          ruling: s.string,
          winner: s.nullable(winnerSchema),
          totals: s.nullable(s.object('totals', { player: s.nonNegativeInteger, banker: s.nonNegativeInteger })),
          by: s.nullable(s.string),
          round: s.string,
          shoe: s.string,
          first: s.string,
          second: s.nullable(s.string),
          /** Error code with which this ruling would be refused now; null if the ruling is possible. */
          not: s.nullable(s.string),
          house: s.nullable(s.object('the win of the house', { sign: s.literals([-1, 0, 1]), amount })),
        }),
        'rulings',
      ),
      rows: s.array(terminalRulingRowSchema, 'terminals'),
    }),
  ),
  /**
   * Disputed rounds: what was paid for them cannot be collected, and further payments wait. `terminals` are the
   * terminals concerned; null for all terminals.
   */
  frozen: s.array(
    s.object('a round in question', { round: s.string, terminals: s.nullable(s.strings) }),
    'rounds in question',
  ),
  /**
   * Terminals that disconnected in this round or the one before. `closed` is true if the terminal had already shown
   * that bets are closed. `back` is true if the terminal has reconnected.
   */
  disconnected: s.array(
    s.object('a disconnected terminal', { terminal: s.string, closed: s.boolean, back: s.boolean }),
    'disconnected terminals',
  ),
  /** Settlements that are not posted completely: some of their slips are not posted yet. */
  unpaid: s.array(
    s.object('a settlement', { settlement: s.string, slips: s.nonNegativeInteger, posted: s.nonNegativeInteger }),
    'settlements',
  ),
  shortfalls: s.array(s.object('a shortfall', { terminal: s.string, round: s.string, amount }), 'shortfalls'),
  terminalsAway: s.strings,
  /** The last events of the table as prompts for the screen, newest first. */
  events: s.array(
    s.object('an event', {
      sequence: s.nonNegativeInteger,
      at: time,
      prompt: promptSchema,
      from: s.nullable(staffActorViewSchema),
    }),
    'events',
  ),
  closed: s.boolean,
};
export const supervisorViewSchema = s.object('a table as a supervisor sees it', supervisorShape);
export type SupervisorView = Infer<typeof supervisorViewSchema>;
