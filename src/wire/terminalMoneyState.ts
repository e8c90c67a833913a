import { amount, time } from '../base/commonSchemas.ts';
import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { sessionLimitsSchema } from './sessionLimits.ts';

export const terminalMoneyStateShape = {
  terminal: s.string,
  credit: amount,
  /** Open credit session: its number, its start, and the amount loaded in it; null if no session is open. */
  session: s.nullable(s.object('a session', { number: s.nonNegativeInteger, since: time, loaded: amount })),
  /** Stakes in rounds that are in play or not paid yet. */
  openStakes: s.array(s.object('a stake', { table: s.string, round: s.string, stake: amount }), 'open stakes'),
  /** Error code with which a collect would be refused now; null if a collect is possible. */
  collect: s.nullable(s.string),
  locked: s.nullable(s.string),
  /** Sum of the hand-pays of this terminal that are not paid yet, in minor units. */
  owed: amount,
  limits: sessionLimitsSchema,
  demo: s.boolean,
};

const terminalBalanceSchema = s.object("a terminal's money", terminalMoneyStateShape);
export type TerminalMoneyState = Infer<typeof terminalBalanceSchema>;

export const ticketSchema = s.object('a ticket', { number: s.string, at: time, id: s.string });
export type Ticket = Infer<typeof ticketSchema>;
