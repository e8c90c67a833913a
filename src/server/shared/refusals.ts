import { quoted, refuse } from '../../base/refusal.ts';

// Why somebody has no seat at a table.

export const noTerminals = (table: string) => {
  const message = `Patrons bet with chips on the felt at ${table}; watch its display, or choose another table.`;
  return refuse<'no-terminals'>('no-terminals', message);
};

export const unknownTable = (table: string) =>
  refuse<'unknown-table'>('unknown-table', `There is no table ${quoted(table)}; choose one in the lobby.`);

export const onlyWatches = refuse<'hello-first'>(
  'hello-first',
  'Whoever only watches has no seat; say hello with a secret.',
);

export const tooManySeats = refuse<'too-many-seats'>(
  'too-many-seats',
  'There are too many new terminals; wait a minute and try again.',
);

export const notSeated = refuse<'not-seated'>('not-seated', 'You have no seat yet; sit down at a table first.');
