import { type Setting } from '../table/declare/setting.ts';

/**
 * The chart of accounts. Money at the cage, what waits to be paid by hand, and the world outside belong to the property;
 * credit and what could not be taken back to a terminal; stakes, winnings and commission to a table, so that no account
 * is busy for the whole floor.
 */
export const accountKinds = {
  cage: 'cash and chips at the cage',
  terminal: "a terminal's credit",
  stakes: 'what is at stake at a table',
  house: 'what a table has won, and pays from',
  commission: 'what a table has kept of winnings',
  'hand-pay': 'what waits to be paid by hand',
  shortfall: 'what could not be taken back from a terminal',
  external: 'tickets, transfers and demo credit',
} as const;
type AccountKind = keyof typeof accountKinds;

/** property/currency/kind, then the terminal or table: sg1/SGD/terminal/T7. One currency each. */
export type Account = `${string}/${string}/${AccountKind}${'' | `/${string}`}`;

type Owner = Pick<Setting, 'property' | 'currency'>;
type TableOwner = Pick<Setting, 'property' | 'currency' | 'table'>;

export const propertyAccount = ({ property, currency }: Owner, kind: 'cage' | 'hand-pay' | 'external'): Account =>
  `${property}/${currency}/${kind}`;

export const terminalAccount = ({ property, currency }: Owner, terminal: string): Account =>
  `${property}/${currency}/terminal/${terminal}`;

export const shortfallAccount = ({ property, currency }: Owner, terminal: string): Account =>
  `${property}/${currency}/shortfall/${terminal}`;

export const tableAccount = (
  { property, currency, table }: TableOwner,
  kind: 'stakes' | 'house' | 'commission',
): Account => `${property}/${currency}/${kind}/${table}`;

/** The terminal whose credit an account is, if it is one. */
export const terminalOf = (account: Account): string | undefined => /^[^/]+\/[^/]+\/terminal\/(.+)$/.exec(account)?.[1];
