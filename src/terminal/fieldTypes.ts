import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';

const positiveAmount = s.integer('a whole number of minor units, one at least', 1);
const attempts = s.integer('a number of attempts, one at least', 1);
/** Up to one day. */
const minutes = s.integer('a number of minutes, 1 to 1440', 1, 1440);
const session = s.integer('the number of a session, from 1 on', 1);

/** How credit comes to a terminal. */
const loadMethod = s.literals(['cash', 'bill', 'ticket', 'transfer', 'promotion']);
export type LoadMethod = Infer<typeof loadMethod>;
/** How credit leaves a terminal; `hand` waits until two persons have paid it. */
const cashOutMethod = s.literals(['cash', 'ticket', 'transfer', 'promotion', 'hand']);
export type CashOutMethod = Infer<typeof cashOutMethod>;
const handPay = s.literals(['jackpot', 'cancelled-credit']);
export type HandPayKind = Infer<typeof handPay>;
/** Signed hand-pays are numbered per terminal, so that the cage pays each once. */
const signature = s.integer('the number of a signed hand-pay, from 1 on', 1);
/** Proposals are numbered per terminal. */
const proposal = s.stringMatching('the id of a proposal, such as P1', /^P[1-9][0-9]{0,8}$/);
/** Ticket id in the event log; it does not reveal the validation number. */
const ticket = s.stringMatching('the id of a ticket, 32 hexadecimal digits', /^[0-9a-f]{32}$/);
/** Salt of the validation number; it reveals nothing by itself. */
const salt = s.stringMatching('32 hexadecimal digits by chance', /^[0-9a-f]{32}$/);
/** Whose wrong validation numbers are counted. */
const attemptSource = s.literals(['terminal', 'address']);

/** The field schemas that commands and events of a terminal share. */
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
