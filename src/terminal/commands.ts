import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schemas.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { terminalFieldSchemas } from './fieldTypes.ts';

const {
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
} = terminalFieldSchemas;

export type TerminalCommandDeclaration = {
  readonly description: string;
  /** Role that a staff member needs to send the command; without a role only the system may send it. */
  readonly role?: Role;
  /** True when the system, which runs the terminal, may send the command. */
  readonly service?: true;
  /** Fields that the runtime adds as context; no sender gives them. */
  readonly context?: readonly string[];
  readonly fields: Shape;
};

/** All commands of a terminal. Each also has `type`, `at` and `actor`. */
export const terminalCommands = {
  SeatTerminal: {
    description: 'Register a new terminal of the property.',
    service: true,
    fields: { terminal: id, property: id, currency: currencyCode },
  },
  LoadCredit: {
    description: 'Load credit; the first load starts a session. `bill` is the face value of an inserted bill.',
    role: 'cage',
    service: true,
    fields: { method: loadMethod, amount: positiveAmount, bill: s.optional(positiveAmount) },
  },
  CollectCredit: {
    description:
      'Pay out the whole credit and end the session. Refused while the session has open stakes (`staked`) or disputed money (`disputed`).',
    role: 'cage',
    service: true,
    context: ['credit', 'staked', 'disputed'],
    fields: { method: cashOutMethod, credit: amount, staked: amount, disputed: amount },
  },
  IssueTicket: {
    description:
      'Pay out the whole credit as a ticket and end the session, under the conditions of CollectCredit. Credit above the limit `handPay` becomes a hand-pay, and the terminal is locked. Without credit the session ends without a ticket.',
    service: true,
    context: ['credit', 'staked', 'disputed', 'handPay'],
    fields: {
      ticket,
      salt: s.optional(salt),
      credit: amount,
      staked: amount,
      disputed: amount,
      handPay: s.optional(amount),
    },
  },
  EndSession: {
    description:
      'End a session that has no credit left, after the patron has gone. Refused while the session has open stakes (`staked`) or disputed money (`disputed`).',
    service: true,
    context: ['credit', 'staked', 'disputed'],
    fields: { credit: amount, staked: amount, disputed: amount },
  },
  RedeemTicket: {
    description:
      'Load the whole value of a ticket, once. Refused if `keyRetired`: the event log was rolled back after the ticket was issued, so the ticket may have been paid already.',
    service: true,
    context: ['value', 'leaving', 'keyRetired'],
    fields: { ticket, value: amount, leaving: amount, keyRetired: s.optional(s.boolean) },
  },
  ReportTicketAttempts: {
    description:
      'Report wrong validation numbers: how many were tried since the time `since`, at this terminal or from its network address (`of`).',
    service: true,
    fields: { attempts, since: time, of: attemptSource },
  },
  PaySession: {
    description:
      'Pay at the cage the credit that came to a session after its end. Refused while part of that credit is disputed.',
    role: 'cage',
    context: ['credit', 'disputed'],
    fields: { session, credit: amount, disputed: amount },
  },
  PayByHand: {
    description:
      'Pay a hand-pay at once. `second` is the second person, who approves; `amountDue` is the sum of unpaid hand-pays.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, amountDue: amount },
  },
  SignHandPay: {
    description:
      'Sign a hand-pay with two persons at once, without a proposal; the cage then pays it. `second` is the second person.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, amountDue: amount },
  },
  ProposeHandPay: {
    description:
      'Propose a hand-pay, which then awaits a second person. The proposal replaces an earlier one of the terminal.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, amountDue: amount },
  },
  ApproveHandPay: {
    description:
      'Approve the proposed hand-pay as the second person; the cage then pays it. `hash` is the hash of the proposal.',
    role: 'pit-manager',
    context: ['amountDue'],
    fields: { proposal, hash, amountDue: amount },
  },
  WithdrawHandPayProposal: {
    description: 'Withdraw or decline the proposed hand-pay before it is approved.',
    role: 'supervisor',
    fields: { proposal },
  },
  WithdrawHandPay: {
    description:
      'Withdraw a signed hand-pay that the cage has not paid. The amount is due again and needs new signatures.',
    role: 'supervisor',
    fields: { signature, reason },
  },
  PaySigned: {
    description: 'Pay a signed hand-pay at the cage, in full and once.',
    role: 'cage',
    fields: { signature },
  },
  LimitSession: {
    description:
      'Set the limit of the patron for the stakes in a round (`stake`) or for the loss in the session (`loss`). A limit can only be lowered.',
    service: true,
    fields: { stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  PauseSession: {
    description: 'Start a break of the patron: for `minutes` minutes the session takes no stakes.',
    service: true,
    fields: { minutes },
  },
  LockTerminal: {
    description: 'Take the terminal out of service.',
    role: 'supervisor',
    service: true,
    fields: { reason },
  },
  UnlockTerminal: { description: 'Return the terminal to service.', role: 'supervisor', fields: { reason } },
} as const satisfies { readonly [name: string]: TerminalCommandDeclaration };

export const terminalCommandSchemas = s.variantSchemas('type', 'the command', terminalCommands, {
  at: time,
  actor: actorSchema,
});
type CommandName = keyof typeof terminalCommands;
export type TerminalCommandOf<N extends CommandName> = Infer<(typeof terminalCommandSchemas)[N]>;
export type TerminalCommand = { [N in CommandName]: TerminalCommandOf<N> }[CommandName];
