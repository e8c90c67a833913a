import { amount, time } from '../base/commonSchemas.ts';
import { type ValueOf, flag, listOf, object, orNull, text, whole } from '../base/schema.ts';
import { limits } from './sessionLimits.ts';

/** All that a terminal's money is, wherever it sits. */
export const purseForm = {
  terminal: text,
  credit: amount,
  /** The session that goes on: its number, when it began, and what was loaded in it. */
  session: orNull(object('a session', { number: whole, since: time, in: amount })),
  /** Its stakes that stand, in rounds that are played or not yet paid. */
  standing: listOf(object('a stake', { table: text, round: text, stake: amount }), 'stakes that stand'),
  /** Why COLLECT does not work, by the code of its refusal; null where it does. */
  collect: orNull(text),
  /** Why the terminal is out of use, if it is. */
  locked: orNull(text),
  /** What waits to be paid by hand here. */
  owed: amount,
  limits,
  demo: flag,
};

const purse = object("a terminal's money", purseForm);
/** A terminal's money: its session, its credit, stakes that stand, and what waits to be paid by hand. */
export type Purse = ValueOf<typeof purse>;

/** A ticket as it is printed. */
export const ticket = object('a ticket', { number: text, at: time, id: text });
export type Ticket = ValueOf<typeof ticket>;
