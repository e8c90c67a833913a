import { type TableSettings } from '../table/schema/settings.ts';

/**
 * Chart of accounts. By terminal: cage, external, hand-pay. By session: credit and shortfall. By ticket: its value. By table:
 * stakes, house, commission. So no account is contended by the whole floor.
 */
export const accountKinds = {
  cage: 'cash and chips at the cage',
  terminal: "the credit of a terminal's session",
  stakes: 'what is at stake at a table',
  house: 'what a table has won, and pays from',
  commission: 'what a table has kept of winnings',
  'hand-pay': 'what waits to be paid by hand',
  shortfall: 'what could not be taken back from a terminal',
  ticket: 'what a ticket is worth',
  external: 'transfers, demo credit and tickets of others',
} as const;
type AccountKind = keyof typeof accountKinds;

/** property/currency/kind/owner, for example sg1/SGD/terminal/T7.3. The owner is a terminal, session, ticket or table. */
export type Account = `${string}/${string}/${AccountKind}/${string}`;

type Owner = Pick<TableSettings, 'property' | 'currency'>;
type TableOwner = Pick<TableSettings, 'property' | 'currency' | 'table'>;

/** Kind `terminal` and `shortfall` take a session, the others a terminal. */
export const terminalAccount = (
  { property, currency }: Owner,
  terminal: string,
  kind: 'terminal' | 'cage' | 'hand-pay' | 'shortfall' | 'external' = 'terminal',
): Account => `${property}/${currency}/${kind}/${terminal}`;

/** Value of a ticket until it is paid. */
export const ticketAccount = ({ property, currency }: Owner, ticket: string): Account =>
  `${property}/${currency}/ticket/${ticket}`;

export const tableAccount = (
  { property, currency, table }: TableOwner,
  kind: 'stakes' | 'house' | 'commission',
): Account => `${property}/${currency}/${kind}/${table}`;

/** Patrons' money: never negative. House, cage and external accounts may be. */
const guardedKinds: ReadonlySet<string> = new Set(['terminal', 'stakes', 'hand-pay', 'ticket'] satisfies AccountKind[]);

/** The store refuses an append that would make a guarded balance negative. */
export const isNonNegativeAccount = (account: Account): boolean => guardedKinds.has(account.split('/', 3)[2]!);

/** The session of a credit account. */
export const sessionOfAccount = (account: Account): string | undefined =>
  /^[^/]+\/[^/]+\/terminal\/(.+)$/.exec(account)?.[1];

/** The ticket of a ticket account. */
export const ticketOfAccount = (account: Account): string | undefined =>
  /^[^/]+\/[^/]+\/ticket\/(.+)$/.exec(account)?.[1];

export const isStakesAccount = (account: Account): boolean =>
  account.split('/', 3)[2] === ('stakes' satisfies AccountKind);
