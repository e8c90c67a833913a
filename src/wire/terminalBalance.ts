import { amount, time } from '../base/commonSchemas.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { sessionLimitsSchema } from './sessionLimits.ts';

export const terminalBalanceShape = {
  terminal: s.string,
  credit: amount,
  /** Credit session: number, start, and amount loaded. */
  session: s.nullable(s.object('a session', { number: s.nonNegativeInteger, since: time, loaded: amount })),
  /** Open stakes: in rounds in play or not yet paid. */
  openStakes: s.array(s.object('a stake', { table: s.string, round: s.string, stake: amount }), 'open stakes'),
  /** Error code if COLLECT would be refused; else null. */
  collect: s.nullable(s.string),
  /** Why the terminal is locked. */
  locked: s.nullable(s.string),
  /** Amount of open hand-pays. */
  owed: amount,
  limits: sessionLimitsSchema,
  demo: s.boolean,
};

const terminalBalanceSchema = s.object("a terminal's money", terminalBalanceShape);
/** Credit, session, open stakes and open hand-pays of a terminal. */
export type TerminalBalance = Infer<typeof terminalBalanceSchema>;

export const ticketSchema = s.object('a ticket', { number: s.string, at: time, id: s.string });
export type Ticket = Infer<typeof ticketSchema>;
