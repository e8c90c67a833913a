/** What a server refuses before a table is asked. A closed list, explained one by one in docs/errors.md. */
export const wireRefusals = [
  'foreign-origin',
  'frame-too-large',
  'hello-first',
  'misread-ticket',
  'not-enrolled',
  'not-seated',
  'not-signed-in',
  'other-console',
  'scanned-together',
  'secret-revoked',
  'server-closing',
  'superseded',
  'too-many-connections',
  'too-many-messages',
  'too-many-seats',
  'too-many-slips',
  'too-many-tries',
  'too-slow',
  'unknown-message',
  'unknown-note',
  'unknown-question',
  'unknown-table',
  'unknown-ticket',
  'wrong-protocol',
] as const;

export type WireCode = (typeof wireRefusals)[number];
