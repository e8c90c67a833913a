import { type ValueOf, listOf, object, orNull, text, whole } from '../rules/fields.ts';
import { amount, id, time } from '../rules/kinds.ts';
import { limits } from './limits.ts';

/** What a terminal has, in the lobby and at every table. */
export const purseForm = {
  terminal: text,
  credit: amount,
  /** The session that goes on: when it began, and what was loaded in it. */
  session: orNull(object('a session', { number: whole, since: time, in: amount })),
  /** What it has at stake. */
  standing: listOf(object('a stake that stands', { table: id, round: text, stake: amount }), 'stakes that stand'),
  limits,
};

const purse = object('what a terminal has', purseForm);
export type Purse = ValueOf<typeof purse>;
