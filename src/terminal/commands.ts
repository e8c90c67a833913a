import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { terminalFields } from './fieldTypes.ts';

const {
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
} = terminalFields;

export type TerminalDeclaration = {
  readonly says: string;
  /** Required role; without one only the terminal service may send it. */
  readonly post?: Role;
  /** True when the terminal service may send it. */
  readonly service?: true;
  /** Context fields: added by the runtime, not sent. */
  readonly brings?: readonly string[];
  readonly fields: Shape;
};

/** All commands of a terminal. Each also has `type`, `at` and `who`. */
export const terminalCommands = {
  SeatTerminal: {
    says: 'A terminal begins.',
    service: true,
    fields: { terminal: id, property: id, currency: currencyCode },
  },
  LoadCredit: {
    says: 'Credit comes in; the first load begins a session. `bill` is what a bill is worth.',
    post: 'cage',
    service: true,
    fields: { way: loadMethod, amount: positiveAmount, bill: s.optional(positiveAmount) },
  },
  CollectCredit: {
    says: 'The whole credit goes out and the session ends; not while a stake of it stands or money of it is in question.',
    post: 'cage',
    service: true,
    brings: ['credit', 'staked', 'inQuestion'],
    fields: { way: cashOutMethod, credit: amount, staked: amount, inQuestion: amount },
  },
  IssueTicket: {
    says: 'The whole credit goes out as a ticket, as CollectCredit has it; above the limit it waits to be paid by hand, and the terminal is locked. Where nothing is left the session ends without one.',
    service: true,
    brings: ['credit', 'staked', 'inQuestion', 'handPay'],
    fields: {
      ticket,
      salt: s.optional(salt),
      credit: amount,
      staked: amount,
      inQuestion: amount,
      handPay: s.optional(amount),
    },
  },
  EndSession: {
    says: 'A session ends that has nothing left and that nobody goes on with; not while a stake of it stands or money of it is in question.',
    service: true,
    brings: ['credit', 'staked', 'inQuestion'],
    fields: { credit: amount, staked: amount, inQuestion: amount },
  },
  RedeemTicket: {
    says: 'What a ticket is worth comes in, whole and once; not where it is held, since the record was turned back after it was issued.',
    service: true,
    brings: ['worth', 'leaving', 'held'],
    fields: { ticket, worth: amount, leaving: amount, held: s.optional(s.boolean) },
  },
  ReportTries: {
    says: 'So many numbers were tried since then that are of no ticket, here or from the address of this terminal.',
    service: true,
    fields: { tries, since: time, of: attemptSource },
  },
  PaySession: {
    says: 'What came to a session after its end is paid at the cage; not while money of it is in question.',
    post: 'cage',
    brings: ['credit', 'inQuestion'],
    fields: { session, credit: amount, inQuestion: amount },
  },
  PayByHand: {
    says: 'What waits to be paid by hand is paid; the second person is named with it.',
    post: 'supervisor',
    brings: ['waiting'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, waiting: amount },
  },
  SignHandPay: {
    says: 'Two persons sign at once for what waits to be paid by hand, as they did before it was proposed: the cage pays it, and nobody signs for it again.',
    post: 'supervisor',
    brings: ['waiting'],
    fields: { what: handPay, amount: positiveAmount, second: staffActorSchema, waiting: amount },
  },
  ProposeHandPay: {
    says: 'Somebody signs for what waits to be paid by hand, and a second person is asked for; what was proposed before is replaced.',
    post: 'supervisor',
    brings: ['waiting'],
    fields: { what: handPay, amount: positiveAmount, waiting: amount },
  },
  ApproveHandPay: {
    says: 'The second person signs, for this proposal and its hash: the cage pays it, and nobody signs for it again.',
    post: 'pit-manager',
    brings: ['waiting'],
    fields: { proposal, hash, waiting: amount },
  },
  DropHandPay: {
    says: 'What was proposed is withdrawn or declined before the second person has signed.',
    post: 'supervisor',
    fields: { proposal },
  },
  WithdrawHandPay: {
    says: 'What two persons have signed and the cage has not paid is withdrawn, with the reason; it waits to be signed again.',
    post: 'supervisor',
    fields: { signature, reason },
  },
  PaySigned: {
    says: 'The cage pays what was signed to be paid by hand, whole and once.',
    post: 'cage',
    fields: { signature },
  },
  LimitSession: {
    says: 'The patron limits the stakes in a round, or what may be lost in the session; only ever more tightly.',
    service: true,
    fields: { stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  PauseSession: {
    says: 'The patron takes a break: nothing is staked in the session for so many minutes.',
    service: true,
    fields: { minutes },
  },
  LockTerminal: {
    says: 'Take the terminal out of use.',
    post: 'supervisor',
    service: true,
    fields: { reason },
  },
  UnlockTerminal: { says: 'Put the terminal into use again.', post: 'supervisor', fields: { reason } },
} as const satisfies { readonly [name: string]: TerminalDeclaration };

export const terminalCommandSchemas = s.variants('type', 'the command', terminalCommands, {
  at: time,
  who: actorSchema,
});
type CommandName = keyof typeof terminalCommands;
export type TerminalCommandOf<N extends CommandName> = Infer<(typeof terminalCommandSchemas)[N]>;
export type TerminalCommand = { [N in CommandName]: TerminalCommandOf<N> }[CommandName];
