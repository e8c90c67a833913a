import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
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
  /** Required role; without one only the terminal service may send it. */
  readonly role?: Role;
  /** True when the terminal service may send it. */
  readonly service?: true;
  /** Context fields: added by the runtime, not sent. */
  readonly context?: readonly string[];
  readonly fields: Shape;
};

/** All commands of a terminal. Each also has `type`, `at` and `who`. */
export const terminalCommands = {
  SeatTerminal: {
    description: 'A terminal begins.',
    service: true,
    fields: { terminal: id, property: id, currency: currencyCode },
  },
  LoadCredit: {
    description: 'Credit comes in; the first load begins a session. `bill` is what a bill is worth.',
    role: 'cage',
    service: true,
    fields: { method: loadMethod, amount: positiveAmount, bill: s.optional(positiveAmount) },
  },
  CollectCredit: {
    description:
      'The whole credit goes out and the session ends; not while a stake of it stands or money of it is in question.',
    role: 'cage',
    service: true,
    context: ['credit', 'staked', 'disputed'],
    fields: { method: cashOutMethod, credit: amount, staked: amount, disputed: amount },
  },
  IssueTicket: {
    description:
      'The whole credit goes out as a ticket, as CollectCredit has it; above the limit it waits to be paid by hand, and the terminal is locked. Where nothing is left the session ends without one.',
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
      'A session ends that has nothing left and that nobody goes on with; not while a stake of it stands or money of it is in question.',
    service: true,
    context: ['credit', 'staked', 'disputed'],
    fields: { credit: amount, staked: amount, disputed: amount },
  },
  RedeemTicket: {
    description:
      'What a ticket is worth comes in, whole and once; not where it is held, since the record was turned back after it was issued.',
    service: true,
    context: ['value', 'leaving', 'keyRetired'],
    fields: { ticket, value: amount, leaving: amount, keyRetired: s.optional(s.boolean) },
  },
  ReportTicketAttempts: {
    description:
      'So many numbers were tried since then that are of no ticket, here or from the address of this terminal.',
    service: true,
    fields: { attempts, since: time, of: attemptSource },
  },
  PaySession: {
    description: 'What came to a session after its end is paid at the cage; not while money of it is in question.',
    role: 'cage',
    context: ['credit', 'disputed'],
    fields: { session, credit: amount, disputed: amount },
  },
  PayByHand: {
    description: 'What waits to be paid by hand is paid; the second person is named with it.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, amountDue: amount },
  },
  SignHandPay: {
    description:
      'Two persons sign at once for what waits to be paid by hand, as they did before it was proposed: the cage pays it, and nobody signs for it again.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, amountDue: amount },
  },
  ProposeHandPay: {
    description:
      'Somebody signs for what waits to be paid by hand, and a second person is asked for; what was proposed before is replaced.',
    role: 'supervisor',
    context: ['amountDue'],
    fields: { what: handPay, amount: positiveAmount, amountDue: amount },
  },
  ApproveHandPay: {
    description:
      'The second person signs, for this proposal and its hash: the cage pays it, and nobody signs for it again.',
    role: 'pit-manager',
    context: ['amountDue'],
    fields: { proposal, hash, amountDue: amount },
  },
  WithdrawHandPayProposal: {
    description: 'What was proposed is withdrawn or declined before the second person has signed.',
    role: 'supervisor',
    fields: { proposal },
  },
  WithdrawHandPay: {
    description:
      'What two persons have signed and the cage has not paid is withdrawn, with the reason; it waits to be signed again.',
    role: 'supervisor',
    fields: { signature, reason },
  },
  PaySigned: {
    description: 'The cage pays what was signed to be paid by hand, whole and once.',
    role: 'cage',
    fields: { signature },
  },
  LimitSession: {
    description: 'The patron limits the stakes in a round, or what may be lost in the session; only ever more tightly.',
    service: true,
    fields: { stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  PauseSession: {
    description: 'The patron takes a break: nothing is staked in the session for so many minutes.',
    service: true,
    fields: { minutes },
  },
  LockTerminal: {
    description: 'Take the terminal out of use.',
    role: 'supervisor',
    service: true,
    fields: { reason },
  },
  UnlockTerminal: { description: 'Put the terminal into use again.', role: 'supervisor', fields: { reason } },
} as const satisfies { readonly [name: string]: TerminalCommandDeclaration };

export const terminalCommandSchemas = s.variants('type', 'the command', terminalCommands, {
  at: time,
  actor: actorSchema,
});
type CommandName = keyof typeof terminalCommands;
export type TerminalCommandOf<N extends CommandName> = Infer<(typeof terminalCommandSchemas)[N]>;
export type TerminalCommand = { [N in CommandName]: TerminalCommandOf<N> }[CommandName];
