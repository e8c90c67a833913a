import { amount, hash, id, reason, time } from '../base/commonSchemas.ts';
import { type Role } from '../access/roles.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { type Refusal } from '../base/refusal.ts';

const currency = s.stringMatching('three capital letters such as SGD', /^[A-Z]{3}$/);
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

/** Why a terminal is out of use whose credit waits to be paid by hand. */
export const handPayLock = 'hand-pay';

type Declaration = {
  readonly says: string;
  /** The post it takes; without one only the service that runs the terminal gives it. */
  readonly post?: Role;
  /** Whether the service that runs the terminal may give it. */
  readonly service?: true;
  /** What is brought to it: not asked, but known to whoever runs the terminal. */
  readonly brings?: readonly string[];
  readonly fields: Shape;
};

/** All that can be asked of a terminal's credit, beside `type`, `at` and `who`. */
export const terminalCommands = {
  SeatTerminal: {
    says: 'A terminal begins.',
    service: true,
    fields: { terminal: id, property: id, currency },
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
} as const satisfies { readonly [name: string]: Declaration };

/** All that can happen to a terminal's credit, beside `type`, `v`, `at` and `who`. */
export const terminalEvents = {
  TerminalSeated: { says: 'A terminal has begun.', fields: { terminal: id, property: id, currency } },
  CreditLoaded: {
    says: 'Credit came in; the first load has begun a session.',
    fields: {
      session,
      way: loadMethod,
      amount: positiveAmount,
      bill: s.optional(positiveAmount),
      ticket: s.optional(ticket),
    },
  },
  CreditCollected: {
    says: 'The whole credit went out and the session ended.',
    fields: { session, way: cashOutMethod, amount, ticket: s.optional(ticket), salt: s.optional(salt) },
  },
  SessionEnded: { says: 'A session ended with nothing left.', fields: { session } },
  TicketsTried: {
    says: 'So many numbers were tried since then that are of no ticket.',
    fields: { tries, since: time, of: attemptSource },
  },
  SessionPaid: {
    says: 'The cage paid what came to a session after its end.',
    fields: { session, amount: positiveAmount },
  },
  HandPayProposed: {
    says: 'One person proposed to sign for what waits to be paid by hand.',
    fields: { proposal, what: handPay, amount: positiveAmount, hash, expires: time },
  },
  HandPayApproved: { says: 'A second person signed what was proposed.', fields: { proposal, hash } },
  HandPayDropped: { says: 'What was proposed is not to be signed any more.', fields: { proposal } },
  HandPaySigned: {
    says: 'Two persons signed for what waits to be paid by hand.',
    fields: { signature, what: handPay, amount: positiveAmount, second: staffActorSchema },
  },
  HandPayWithdrawn: {
    says: 'What two persons signed is not to be paid any more.',
    fields: { signature, amount: positiveAmount, reason },
  },
  HandPaid: {
    says: 'It was paid by hand: by two persons at once, or by the cage for what they have signed.',
    fields: {
      what: handPay,
      amount: positiveAmount,
      second: s.optional(staffActorSchema),
      signature: s.optional(signature),
    },
  },
  SessionLimited: {
    says: 'The patron set a limit to stakes or to losses.',
    fields: { session, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  SessionPaused: { says: 'The patron takes a break until then.', fields: { session, until: time } },
  TerminalLocked: { says: 'The terminal is out of use.', fields: { reason } },
  TerminalUnlocked: { says: 'The terminal is in use again.', fields: { reason } },
} as const satisfies { readonly [name: string]: Pick<Declaration, 'says' | 'fields'> };

export const terminalCommandSchemas = s.variants('type', 'the command', terminalCommands, {
  at: time,
  who: actorSchema,
});
type CommandName = keyof typeof terminalCommands;
export type TerminalCommandOf<N extends CommandName> = Infer<(typeof terminalCommandSchemas)[N]>;
export type TerminalCommand = { [N in CommandName]: TerminalCommandOf<N> }[CommandName];

const terminalEventKinds = s.variants('type', 'the event', terminalEvents, {
  v: s.literals([1]),
  at: time,
  who: actorSchema,
});
type EventName = keyof typeof terminalEvents;
export type TerminalEvent = { [N in EventName]: Infer<(typeof terminalEventKinds)[N]> }[EventName];

/** Why nothing became of it. A closed list, explained one by one in docs/errors.md. */
export const terminalRefusals = [
  'already-seated',
  'changed-proposal',
  'clock-ran-back',
  'credit-in-question',
  'credit-left',
  'expired-proposal',
  'hand-pay-paid',
  'hand-pay-withdrawn',
  'limits-only-tighten',
  'no-session',
  'no-such-session',
  'not-your-post',
  'nothing-to-collect',
  'over-waiting',
  'same-person',
  'stakes-stand',
  'terminal-locked',
  'terminal-not-seated',
  'ticket-held',
  'ticket-in-doubt',
  'ticket-paid',
  'unknown-hand-pay',
  'unknown-proposal',
] as const;
export type TerminalRefusal = Refusal<(typeof terminalRefusals)[number]> & { readonly by: string | null };
