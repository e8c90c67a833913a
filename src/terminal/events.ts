import { amount, currencyCode, hash, id, reason, time } from '../base/commonSchemas.ts';
import { staffActorSchema, actorSchema } from '../access/actor.ts';
import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { type TerminalDeclaration } from './commands.ts';
import { terminalFields } from './fieldTypes.ts';

const {
  positiveAmount,
  tries,
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

/** All events of a terminal. Each also has `type`, `v`, `at` and `who`. */
export const terminalEvents = {
  TerminalSeated: { says: 'A terminal has begun.', fields: { terminal: id, property: id, currency: currencyCode } },
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
} as const satisfies { readonly [name: string]: Pick<TerminalDeclaration, 'says' | 'fields'> };

const terminalEventKinds = s.variants('type', 'the event', terminalEvents, {
  v: s.literals([1]),
  at: time,
  who: actorSchema,
});
type EventName = keyof typeof terminalEvents;
export type TerminalEvent = { [N in EventName]: Infer<(typeof terminalEventKinds)[N]> }[EventName];
