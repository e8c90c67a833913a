import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';

const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
const attempts = s.integer('a number of attempts, one at least', 1);
const minutes = s.integer('a number of minutes, 1 to 1440', 1, 1440);
const session = s.integer('the number of a session, from 1 on', 1);

const loadMethod = s.literals(['cash', 'bill', 'ticket', 'transfer', 'promotion']);
export type LoadMethod = Infer<typeof loadMethod>;
/** How credit leaves a terminal; `hand` is a hand-pay, which staff pay later. */
const cashOutMethod = s.literals(['cash', 'ticket', 'transfer', 'promotion', 'hand']);
export type CashOutMethod = Infer<typeof cashOutMethod>;
const handPay = s.literals(['jackpot', 'cancelled-credit']);
export type HandPayKind = Infer<typeof handPay>;
/** Number of a signed hand-pay, counted per terminal, so that the cage pays each hand-pay only once. */
const signature = s.integer('the number of a signed hand-pay, from 1 on', 1);
const proposal = s.stringMatching('the id of a proposal, such as P1', /^P[1-9][0-9]{0,8}$/);
/** Ticket id in the event log; it does not reveal the validation number. */
const ticket = s.stringMatching('the id of a ticket, 32 hexadecimal digits', /^[0-9a-f]{32}$/);
/** Random salt from which the validation number of a ticket is made; without the ticket key it reveals nothing. */
const salt = s.stringMatching('32 random hexadecimal digits', /^[0-9a-f]{32}$/);
/** Where wrong validation numbers were tried: at the terminal, or from its network address. */
const attemptSource = s.literals(['terminal', 'address']);

export const terminalFieldSchemas = {
  positiveAmount,
  attempts,
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
