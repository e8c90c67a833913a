import { type TableSettings } from '../table/schema/settings.ts';

/**
 * Chart of accounts: each kind of account and what it holds. A terminal owns `cage`, `external` and `hand-pay`. A
 * credit session owns `terminal` and `shortfall`. A ticket owns `ticket`. A table owns `stakes`, `house` and
 * `commission`. No account is shared by the whole floor.
 */
export const accountKinds = {
  cage: 'cash and chips at the cage',
  terminal: "the credit of a terminal's session",
  stakes: 'open stakes at a table',
  house: 'money of the house at a table',
  commission: 'commission kept at a table',
  'hand-pay': 'hand-pays that are not paid yet',
  shortfall: 'credit that a correction could not take back',
  ticket: 'value of a ticket',
  external: 'transfers, demo credit and tickets of other systems',
} as const;
type AccountKind = keyof typeof accountKinds;

/**
 * Account name: property/currency/kind/owner, such as sg1/SGD/terminal/T7.3. The owner is a terminal, credit session,
 * ticket or table.
 */
export type Account = `${string}/${string}/${AccountKind}/${string}`;

type Owner = Pick<TableSettings, 'property' | 'currency'>;
type TableOwner = Pick<TableSettings, 'property' | 'currency' | 'table'>;

/**
 * An account of a terminal. For the kinds `terminal` (credit) and `shortfall`, pass the credit session id as
 * `terminal`.
 */
export const terminalAccount = (
  { property, currency }: Owner,
  terminal: string,
  kind: 'terminal' | 'cage' | 'hand-pay' | 'shortfall' | 'external' = 'terminal',
): Account => `${property}/${currency}/${kind}/${terminal}`;

/** The account that holds the value of a ticket until the ticket is paid. */
export const ticketAccount = ({ property, currency }: Owner, ticket: string): Account =>
  `${property}/${currency}/ticket/${ticket}`;

export const tableAccount = (
  { property, currency, table }: TableOwner,
  kind: 'stakes' | 'house' | 'commission',
): Account => `${property}/${currency}/${kind}/${table}`;

/**
 * Kinds of account whose balance is never negative: they hold the money of patrons. The balance of any other account
 * may be negative.
 */
const guardedKinds: ReadonlySet<string> = new Set(['terminal', 'stakes', 'hand-pay', 'ticket'] satisfies AccountKind[]);

/**
 * True for an account whose balance may not be negative. The store refuses an append that would make the balance
 * negative.
 */
export const isNonNegativeAccount = (account: Account): boolean => guardedKinds.has(account.split('/', 3)[2]!);

/** The credit session id of a `terminal` account; undefined for other accounts. */
export const sessionOfAccount = (account: Account): string | undefined =>
  /^[^/]+\/[^/]+\/terminal\/(.+)$/.exec(account)?.[1];

/** The ticket of a ticket account; undefined for other accounts. */
export const ticketOfAccount = (account: Account): string | undefined =>
  /^[^/]+\/[^/]+\/ticket\/(.+)$/.exec(account)?.[1];

export const isStakesAccount = (account: Account): boolean =>
  account.split('/', 3)[2] === ('stakes' satisfies AccountKind);
