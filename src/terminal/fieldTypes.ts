import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';

/** An amount of something. */
const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
const tries = s.integer('a number of tries, one at least', 1);
/** A day at most. */
const minutes = s.integer('a number of minutes, 1 to 1440', 1, 1440);
const session = s.integer('the number of a session, from 1 on', 1);

/** The ways in which credit comes to a terminal. */
const loadMethod = s.literals(['cash', 'bill', 'ticket', 'transfer', 'promotion']);
export type LoadMethod = Infer<typeof loadMethod>;
/** The ways in which it leaves one; by hand it waits until two persons have paid it. */
const cashOutMethod = s.literals(['cash', 'ticket', 'transfer', 'promotion', 'hand']);
export type CashOutMethod = Infer<typeof cashOutMethod>;
const handPay = s.literals(['jackpot', 'cancelled-credit']);
export type HandPay = Infer<typeof handPay>;
/** What two persons have signed at a terminal is numbered there, so that the cage pays it once. */
const signature = s.integer('the number of a signed hand-pay, from 1 on', 1);
/** What is proposed at a terminal is numbered there as at a table. */
const proposal = s.stringMatching('the id of a proposal, such as P1', /^P[1-9][0-9]{0,8}$/);
/** What a ticket is called in the record; its number is not in it. */
const ticket = s.stringMatching('the id of a ticket, 32 hexadecimal digits', /^[0-9a-f]{32}$/);
/** What the number of a ticket is drawn with; by itself it tells nothing of it. */
const salt = s.stringMatching('32 hexadecimal digits by chance', /^[0-9a-f]{32}$/);
/** Whose tries at numbers of tickets are counted. */
const attemptSource = s.literals(['terminal', 'address']);

/** The field schemas that commands and events of a terminal share. */
export const terminalFields = {
  positiveAmount,
  tries,
  minutes,
  session,
  loadMethod,
  cashOutMethod,
  handPay,
  signature,
  proposal,
  ticket,
  salt,
  attemptSource,
};
