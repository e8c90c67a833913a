import { amount, time } from '../base/commonSchemas.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { limits } from './sessionLimits.ts';

/** All that a terminal's money is, wherever it sits. */
export const purseForm = {
  terminal: s.string,
  credit: amount,
  /** The session that goes on: its number, when it began, and what was loaded in it. */
  session: s.nullable(s.object('a session', { number: s.nonNegativeInteger, since: time, in: amount })),
  /** Its stakes that stand, in rounds that are played or not yet paid. */
  standing: s.array(s.object('a stake', { table: s.string, round: s.string, stake: amount }), 'stakes that stand'),
  /** Why COLLECT does not work, by the code of its refusal; null where it does. */
  collect: s.nullable(s.string),
  /** Why the terminal is out of use, if it is. */
  locked: s.nullable(s.string),
  /** What waits to be paid by hand here. */
  owed: amount,
  limits,
  demo: s.boolean,
};

const purse = s.object("a terminal's money", purseForm);
/** A terminal's money: its session, its credit, stakes that stand, and what waits to be paid by hand. */
export type TerminalBalance = Infer<typeof purse>;

/** A ticket as it is printed. */
export const ticket = s.object('a ticket', { number: s.string, at: time, id: s.string });
export type Ticket = Infer<typeof ticket>;
