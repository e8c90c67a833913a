import { type TableSettings } from '../table/schema/settings.ts';

/**
 * The chart of accounts. Credit belongs to a session of a terminal; what came from or went to the cage and the world
 * outside and what waits to be paid by hand are kept by terminal, what could not be taken back by session; a ticket has an
 * account of its own; stakes, winnings and commission are kept by table. So no account is busy for the whole floor.
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

/** property/currency/kind, then the terminal, its session, the ticket or the table: sg1/SGD/terminal/T7.3. One currency each. */
export type Account = `${string}/${string}/${AccountKind}/${string}`;

type Owner = Pick<TableSettings, 'property' | 'currency'>;
type TableOwner = Pick<TableSettings, 'property' | 'currency' | 'table'>;

/** What is kept by terminal; credit by the session of one. */
export const terminalAccount = (
  { property, currency }: Owner,
  terminal: string,
  kind: 'terminal' | 'cage' | 'hand-pay' | 'shortfall' | 'external' = 'terminal',
): Account => `${property}/${currency}/${kind}/${terminal}`;

/** What a ticket is worth until it is paid. */
export const ticketAccount = ({ property, currency }: Owner, ticket: string): Account =>
  `${property}/${currency}/ticket/${ticket}`;

/** An account of a table, in the currency of its property. */
export const tableAccount = (
  { property, currency, table }: TableOwner,
  kind: 'stakes' | 'house' | 'commission',
): Account => `${property}/${currency}/${kind}/${table}`;

/** What is somebody's money never goes below zero. The house, the cage and the world outside may. */
const guarded: ReadonlySet<string> = new Set(['terminal', 'stakes', 'hand-pay', 'ticket'] satisfies AccountKind[]);

/** Whether it may never go below nothing: the store refuses what would. */
export const isGuarded = (account: Account): boolean => guarded.has(account.split('/', 3)[2]!);

/** The session whose credit an account is, if it is one. */
export const holderOf = (account: Account): string | undefined => /^[^/]+\/[^/]+\/terminal\/(.+)$/.exec(account)?.[1];

/** The ticket whose account it is, if it is one. */
export const ticketIn = (account: Account): string | undefined => /^[^/]+\/[^/]+\/ticket\/(.+)$/.exec(account)?.[1];

/** Whether an account holds the stakes of a table. */
export const isStakes = (account: Account): boolean => account.split('/', 3)[2] === ('stakes' satisfies AccountKind);
