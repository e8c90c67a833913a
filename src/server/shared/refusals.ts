import { quoted, refuse } from '../../base/refusal.ts';

// Refusals that several parts of the server give, before a decider is asked.

/** A refusal with any code; `by` is the clause. */
export type ServerRefusal = {
  readonly refused: string;
  readonly message: string;
  readonly by?: string | null;
};

export const serverClosing = refuse<'server-closing'>(
  'server-closing',
  'The server is starting or closing; try again soon.',
);

export const messageFailed: ServerRefusal = {
  refused: 'broken',
  message: 'The server failed on this message; please report it.',
};

export const unknownTable = (table: string): ServerRefusal =>
  refuse<'unknown-table'>('unknown-table', `There is no table ${quoted(table)}; choose another.`);

// Limits

export const tooManyWrites = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too many commands come from your address; try again soon.',
);

export const tooManySeats = refuse<'too-many-seats'>(
  'too-many-seats',
  'Too many new terminals are connecting; wait a minute and try again.',
);

export const tooManySecrets = refuse<'too-many-attempts'>(
  'too-many-attempts',
  'Too many secrets were tried from your address; wait a minute.',
);

// Patrons and devices

export const noTerminals = (table: string): ServerRefusal =>
  refuse<'no-terminals'>(
    'no-terminals',
    `Patrons bet with chips on the felt at ${table}; watch its display, or choose another table.`,
  );

export const displayOnly = refuse<'hello-first'>(
  'hello-first',
  'A display cannot take a seat; send `secret` in hello.',
);

export const notSeated = refuse<'not-seated'>('not-seated', 'You have no seat yet; sit down at a table first.');

export const notEnrolled = refuse<'not-enrolled'>(
  'not-enrolled',
  'This is not the key of a device that may do so; the operator enrols devices with `punto enrol`.',
);

export const misreadTicket = refuse<'misread-ticket'>(
  'misread-ticket',
  'The number was not read as it is printed: its last digit does not fit the others; read it again.',
);

export const unknownTicket = refuse<'unknown-ticket'>(
  'unknown-ticket',
  'There is no ticket with that number; check it and try again.',
);

// Staff

export const notSignedIn = refuse<'not-signed-in'>('not-signed-in', 'The sign-in session has ended; sign in again.');

export const otherConsole = (table: string): ServerRefusal =>
  refuse<'other-console'>('other-console', `This console is not at ${table}; go there.`);

export const notYourView = (what: string): ServerRefusal => ({
  ...refuse<'not-your-role'>('not-your-role', `Your role may not see ${what}; ask a role that may.`),
  by: 'HOUSE 2',
});
