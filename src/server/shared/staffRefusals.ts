import { quoted, refuse } from '../../base/refusal.ts';

// What the server says to staff before a table, a terminal or the register of people is asked.

export type Refused = {
  readonly refused: string;
  readonly message: string;
  readonly by?: string | null;
};

export const notSignedIn = refuse<'not-signed-in'>('not-signed-in', 'Nobody is signed in here any more; sign in.');

export const otherConsole = (table: string): Refused =>
  refuse<'other-console'>('other-console', `This console does not stand at ${table}; go there.`);

export const unknownTable = (table: string): Refused =>
  refuse<'unknown-table'>('unknown-table', `There is no table ${quoted(table)}; choose one of the floor.`);

export const notYourView = (what: string): Refused => ({
  ...refuse<'not-your-post'>('not-your-post', `${what} is not for your post to see; let another look.`),
  by: 'HOUSE 2',
});

export const tooMany = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too much is asked from your address; try again soon.',
);

export const tooManyTries = refuse<'too-many-tries'>(
  'too-many-tries',
  'Too many secrets were tried from your address; wait a minute.',
);

export const closing = refuse<'server-closing'>('server-closing', 'The server is closing; try again soon.');

export const broken: Refused = { refused: 'broken', message: 'The server failed on this message; please report it.' };
