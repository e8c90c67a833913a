import * as s from '../../base/schema.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, time } from '../../base/commonSchemas.ts';
import { winnerSchema } from '../tableView.ts';
import { dealerViewShape } from './dealerView.ts';
import { actorViewSchema, promptSchema } from './viewParts.ts';

/** Result of each ruling option for one terminal; null if not known yet. */
const terminalRulingRowSchema = s.object('a terminal', {
  terminal: s.string,
  staked: amount,
  /** Paid so far, if settled. */
  paid: s.nullable(amount),
  /** Amount returned by each ruling: void, stand, reconstruct, correct, resume. */
  back: s.record(s.string, s.nullable(amount), 'amounts by ruling'),
  disconnected: s.boolean,
});
export type TerminalRulingRow = Infer<typeof terminalRulingRowSchema>;

const supervisorShape = {
  ...dealerViewShape,
  currency: s.string,
  staked: amount,
  bettors: s.nonNegativeInteger,
  /** Stakes and bettors by wager. */
  totals: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  /** Closing counts that differed and are not yet checked by the pit manager. */
  differences: s.array(
    s.object('a count that differs', {
      shoe: s.string,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      since: time,
    }),
    'counts that differ',
  ),
  /** Earlier referrals, newest first: subject, decision and reason. */
  decided: s.array(
    s.object('an earlier referral', {
      id: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      decision: s.string,
      why: s.string,
      by: s.string,
      at: time,
      from: s.nullable(actorViewSchema),
    }),
    'earlier referrals',
  ),
  /** Ruling matrix: effect of each ruling in total and per terminal. */
  rulings: s.nullable(
    s.object('rulings side by side', {
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
          not: s.nullable(s.string),
          house: s.nullable(s.object('what the house wins', { sign: s.literals([-1, 0, 1]), amount })),
        }),
        'rulings',
      ),
      rows: s.array(terminalRulingRowSchema, 'terminals'),
    }),
  ),
  /** Effects of the proposal if approved now; `not` is the code if it no longer can be. */
  effects: s.nullable(
    s.object('what a proposal would do', {
      not: s.nullable(s.string),
      events: s.array(s.anyObject, 'a list of events'),
    }),
  ),
  /** Rounds with frozen payments: of these terminals or of all. */
  frozen: s.array(
    s.object('a round in question', { round: s.string, terminals: s.nullable(s.strings) }),
    'rounds in question',
  ),
  /** Terminals disconnected in this round: whether they had shown the close of bets, and whether they are back. */
  disconnected: s.array(
    s.object('a lost terminal', { terminal: s.string, closed: s.boolean, back: s.boolean }),
    'lost terminals',
  ),
  /** Settlements that are not fully posted. */
  unpaid: s.array(
    s.object('a settlement', { settlement: s.string, slips: s.nonNegativeInteger, posted: s.nonNegativeInteger }),
    'settlements',
  ),
  shortfalls: s.array(s.object('a shortfall', { terminal: s.string, round: s.string, amount }), 'shortfalls'),
  terminalsAway: s.strings,
  /** Last events as prompts, newest first. */
  events: s.array(
    s.object('an event', {
      sequence: s.nonNegativeInteger,
      at: time,
      prompt: promptSchema,
      from: s.nullable(actorViewSchema),
    }),
    'events',
  ),
  closed: s.boolean,
};
export const supervisorViewSchema = s.object('a table as a supervisor sees it', supervisorShape);
export type SupervisorView = Infer<typeof supervisorViewSchema>;
