import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { type TerminalCommandDeclaration } from './commands.ts';
import { terminalFieldSchemas } from './fieldTypes.ts';

const {
  positiveAmount,
  attempts,
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

/** All events of a terminal. Each also has `type`, `v`, `at` and `who`. */
export const terminalEvents = {
  TerminalSeated: {
    description: 'A terminal has begun.',
    fields: { terminal: id, property: id, currency: currencyCode },
  },
  CreditLoaded: {
    description: 'Credit came in; the first load has begun a session.',
    fields: {
      session,
      method: loadMethod,
      amount: positiveAmount,
      bill: s.optional(positiveAmount),
      ticket: s.optional(ticket),
    },
  },
  CreditCollected: {
    description: 'The whole credit went out and the session ended.',
    fields: { session, method: cashOutMethod, amount, ticket: s.optional(ticket), salt: s.optional(salt) },
  },
  SessionEnded: { description: 'A session ended with nothing left.', fields: { session } },
  TicketAttemptsReported: {
    description: 'So many numbers were tried since then that are of no ticket.',
    fields: { attempts, since: time, of: attemptSource },
  },
  SessionPaid: {
    description: 'The cage paid what came to a session after its end.',
    fields: { session, amount: positiveAmount },
  },
  HandPayProposed: {
    description: 'One person proposed to sign for what waits to be paid by hand.',
    fields: { proposal, what: handPay, amount: positiveAmount, hash, expires: time },
  },
  HandPayApproved: { description: 'A second person signed what was proposed.', fields: { proposal, hash } },
  HandPayProposalWithdrawn: { description: 'What was proposed is not to be signed any more.', fields: { proposal } },
  HandPaySigned: {
    description: 'Two persons signed for what waits to be paid by hand.',
    fields: { signature, what: handPay, amount: positiveAmount, second: staffActorSchema },
  },
  HandPayWithdrawn: {
    description: 'What two persons signed is not to be paid any more.',
    fields: { signature, amount: positiveAmount, reason },
  },
  HandPaid: {
    description: 'It was paid by hand: by two persons at once, or by the cage for what they have signed.',
    fields: {
      what: handPay,
      amount: positiveAmount,
      second: s.optional(staffActorSchema),
      signature: s.optional(signature),
    },
  },
  SessionLimited: {
    description: 'The patron set a limit to stakes or to losses.',
    fields: { session, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  SessionPaused: { description: 'The patron takes a break until then.', fields: { session, until: time } },
  TerminalLocked: { description: 'The terminal is out of use.', fields: { reason } },
  TerminalUnlocked: { description: 'The terminal is in use again.', fields: { reason } },
} as const satisfies { readonly [name: string]: Pick<TerminalCommandDeclaration, 'description' | 'fields'> };

const terminalEventKinds = s.variants('type', 'the event', terminalEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof terminalEvents;
export type TerminalEvent = { [N in EventName]: Infer<(typeof terminalEventKinds)[N]> }[EventName];
