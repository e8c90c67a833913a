import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schemas.ts';
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

/** All events of a terminal. Each also has `type`, `v`, `at` and `actor`. */
export const terminalEvents = {
  TerminalSeated: {
    description: 'A new terminal of the property was registered.',
    fields: { terminal: id, property: id, currency: currencyCode },
  },
  CreditLoaded: {
    description: 'Credit was loaded. The first load starts a session.',
    fields: {
      session,
      method: loadMethod,
      amount: positiveAmount,
      bill: s.optional(positiveAmount),
      ticket: s.optional(ticket),
    },
  },
  CreditCollected: {
    description: 'The whole credit was paid out and the session ended.',
    fields: { session, method: cashOutMethod, amount, ticket: s.optional(ticket), salt: s.optional(salt) },
  },
  SessionEnded: { description: 'A session ended without credit.', fields: { session } },
  TicketAttemptsReported: {
    description:
      'Wrong validation numbers were tried since the time `since`, at this terminal or from its network address (`of`).',
    fields: { attempts, since: time, of: attemptSource },
  },
  SessionPaid: {
    description: 'The cage paid the credit that had come to a session after its end.',
    fields: { session, amount: positiveAmount },
  },
  HandPayProposed: {
    description: 'A hand-pay was proposed and awaits a second person.',
    fields: { proposal, what: handPay, amount: positiveAmount, hash, expires: time },
  },
  HandPayApproved: { description: 'A second person approved the proposed hand-pay.', fields: { proposal, hash } },
  HandPayProposalWithdrawn: { description: 'The proposed hand-pay was withdrawn or declined.', fields: { proposal } },
  HandPaySigned: {
    description:
      'Two persons signed a hand-pay; the cage pays it. `firstAt` is the time of the first signature; absent if both were given at once.',
    fields: {
      signature,
      what: handPay,
      amount: positiveAmount,
      second: staffActorSchema,
      firstAt: s.optional(time),
    },
  },
  HandPayWithdrawn: {
    description: 'A signed hand-pay was withdrawn before the cage paid it.',
    fields: { signature, amount: positiveAmount, reason },
  },
  HandPaid: {
    description:
      'A hand-pay was paid: by two persons at once (`second`), or by the cage after it was signed (`signature`).',
    fields: {
      what: handPay,
      amount: positiveAmount,
      second: s.optional(staffActorSchema),
      signature: s.optional(signature),
    },
  },
  SessionLimited: {
    description: 'The patron set a limit for the stakes in a round or for the loss in the session.',
    fields: { session, stake: s.optional(positiveAmount), loss: s.optional(positiveAmount) },
  },
  SessionPaused: {
    description: 'The patron started a break, which lasts until the time `until`.',
    fields: { session, until: time },
  },
  TerminalLocked: { description: 'The terminal was taken out of service.', fields: { reason } },
  TerminalUnlocked: { description: 'The terminal was returned to service.', fields: { reason } },
} as const satisfies { readonly [name: string]: Pick<TerminalCommandDeclaration, 'description' | 'fields'> };

const terminalEventSchemas = s.variantSchemas('type', 'the event', terminalEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof terminalEvents;
export type TerminalEvent = { [N in EventName]: Infer<(typeof terminalEventSchemas)[N]> }[EventName];
