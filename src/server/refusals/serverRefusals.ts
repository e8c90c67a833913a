import { quoteForMessage, refuse } from '../../base/refusal.ts';
import { type FinalRefusal, type UncheckedRefusal, asFinalRefusal } from '../../runtime/stream/refusals.ts';

// Refusals that several parts of the server give without asking a decider.

/**
 * A refusal by the server. `by` is the clause of the rulebook, or null. `until` is the time at which a block ends, in
 * milliseconds since 1970. The reply to a request needs a `FinalRefusal`, which is made of this refusal.
 */
export type ServerRefusal = UncheckedRefusal & { readonly until?: number };

export const serverClosingRefusal = refuse<'server-closing'>(
  'server-closing',
  'The server is starting or closing. Try again shortly.',
);

export const serverDefectRefusal = asFinalRefusal({
  refused: 'broken',
  message: 'The server failed because of a bug. Please report it.',
});

export const unknownTableRefusal = (table: string): FinalRefusal =>
  asFinalRefusal(
    refuse<'unknown-table'>('unknown-table', `There is no table ${quoteForMessage(table)}. Choose another.`),
  );

// Refusals by a rate limit or quota.

export const tooManyWritesRefusal = asFinalRefusal(
  refuse<'too-many-messages'>('too-many-messages', 'Too many requests from your address. Try again shortly.'),
);

export const tooManyNewTerminalsRefusal = refuse<'too-many-seats'>(
  'too-many-seats',
  'Too many new terminals at the moment. Wait a minute and try again.',
);

export const tooManySignInAttemptsRefusal = asFinalRefusal(
  refuse<'too-many-attempts'>(
    'too-many-attempts',
    'Too many PINs or passwords were tried from your address. Wait a minute.',
  ),
);

// Refusals for patrons and devices.

export const chipsOnlyRefusal = (table: string): ServerRefusal =>
  refuse<'no-terminals'>(
    'no-terminals',
    `Table ${table} takes chips only. Watch its display, or choose another table.`,
  );

export const displayCannotSitRefusal = refuse<'hello-first'>(
  'hello-first',
  'A display cannot take a seat; send `secret` in hello.',
);

export const notSeatedRefusal = asFinalRefusal(
  refuse<'not-seated'>('not-seated', 'You have no seat yet. Take a seat at a table first.'),
);

export const notEnrolledRefusal = asFinalRefusal(
  refuse<'not-enrolled'>(
    'not-enrolled',
    'This device is not enrolled for this request. The operator enrols devices with `punto enrol`.',
  ),
);

export const misreadTicketRefusal = asFinalRefusal(
  refuse<'misread-ticket'>(
    'misread-ticket',
    'The ticket number is not valid: a digit is wrong or missing. Check the number and try again.',
  ),
);

export const unknownTicketRefusal = refuse<'unknown-ticket'>(
  'unknown-ticket',
  'There is no ticket with that number. Check the number and try again.',
);

// Refusals for staff.

export const notSignedInRefusal = asFinalRefusal(
  refuse<'not-signed-in'>('not-signed-in', 'Your session has ended. Sign in again.'),
);

export const consoleNotAtTableRefusal = (table: string): ServerRefusal =>
  refuse<'other-console'>('other-console', `This console is not at table ${table}. Use a console there.`);

export const notYourViewRefusal = (view: string): FinalRefusal =>
  asFinalRefusal({ ...refuse<'not-your-role'>('not-your-role', `Your role may not see ${view}.`), by: 'HOUSE 2' });
