import { quoted, refuse } from '../rules/refusal.ts';

// Why nobody comes to a table.

export const noTerminals = (table: string) => {
  const message = `Patrons bet with chips on the felt at ${table}; watch its display, or choose another table.`;
  return refuse<'no-terminals'>('no-terminals', message);
};

export const unknownTable = (table: string) =>
  refuse<'unknown-table'>('unknown-table', `There is no table ${quoted(table)}; choose one in the lobby.`);
