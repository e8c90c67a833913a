import { ticketAccount, ticketOfAccount } from '../ledger/accounts.ts';
import { type StoredEntry } from '../store/store.ts';
import { findValidationNumber } from '../terminal/ticketNumbers.ts';
import { type BalanceCheck } from './balances.ts';
import { VerifyError, assertOfEntry } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

export type TicketEntry = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly isIssued: boolean;
  readonly ticket: string;
  readonly amount: number;
  readonly command: string;
  readonly salt: string | undefined;
};

/** Ticket amounts in minor units of the currency: issued = paid + outstanding. */
export type TicketTotals = { readonly issued: number; readonly paid: number; readonly outstanding: number };

export const zeroTicketTotals: TicketTotals = { issued: 0, paid: 0, outstanding: 0 };

export function findTicketEntries({ stream, sequence, at, event, command }: StoredEntry): readonly TicketEntry[] {
  const { type, ticket, amount, salt } = event;
  if (typeof ticket !== 'string' || (type !== 'CreditCollected' && type !== 'CreditLoaded')) return [];
  const isIssued = type === 'CreditCollected';
  const position = { stream, sequence, at };
  return [
    {
      ...position,
      isIssued,
      ticket,
      amount: Number(amount),
      command: command.id,
      salt: typeof salt === 'string' ? salt : undefined,
    },
  ];
}

/**
 * Throws unless each ticket was issued once, was paid at most once and in full, and was not paid while it was blocked.
 * The account of an unpaid ticket must contain its amount. With the ticket keys, each ticket id must belong to a
 * validation number.
 */
export function verifyTickets(
  summaries: ReadonlyMap<string, StreamSummary>,
  balances: Pick<BalanceCheck, 'accounts' | 'of'>,
  keys: readonly string[] | undefined,
): TicketTotals {
  const issued = new Map<string, TicketEntry>();
  const paid = new Map<string, TicketEntry>();
  const entries = [...summaries.values()].flatMap(({ owner, tickets }) =>
    tickets.map((entry) => [ticketAccount(owner, entry.ticket), entry] as const),
  );
  for (const [account, entry] of entries) {
    const entriesByAccount = entry.isIssued ? issued : paid;
    const duplicate = entriesByAccount.get(account);
    const verb = entry.isIssued ? 'issues' : 'pays';
    assertOfEntry(
      entry,
      duplicate === undefined,
      () =>
        `${verb} the ticket ${entry.ticket}, which entry ${duplicate!.sequence} of ${duplicate!.stream} also ${verb}`,
    );
    entriesByAccount.set(account, entry);
    const hasValidNumber = !entry.isIssued || keys === undefined || hasNumber(entry, keys);
    assertOfEntry(
      entry,
      hasValidNumber,
      () => `issues the ticket ${entry.ticket}, which belongs to no validation number`,
    );
  }
  for (const [account, entry] of paid) {
    const amount = issued.get(account)?.amount;
    assertOfEntry(
      entry,
      amount === entry.amount,
      () =>
        `pays ${entry.amount} for the ticket ${entry.ticket}, which was ${amount === undefined ? 'never issued' : `issued for ${amount}`}`,
    );
  }
  verifyBlockedTickets(summaries, issued, paid);
  let outstanding = 0;
  for (const account of balances.accounts) {
    if (ticketOfAccount(account) === undefined) continue;
    const balance = balances.of(account);
    const expected = (issued.get(account)?.amount ?? 0) - (paid.get(account)?.amount ?? 0);
    if (balance !== expected)
      throw new VerifyError(`The account ${account} has the balance ${balance}, but its ticket is worth ${expected}.`);
    outstanding += balance;
  }
  const sum = (entriesByAccount: ReadonlyMap<string, TicketEntry>): number =>
    [...entriesByAccount.values()].reduce((total, { amount }) => total + amount, 0);
  const tickets = { issued: sum(issued), paid: sum(paid), outstanding };
  if (tickets.issued !== tickets.paid + outstanding) {
    throw new VerifyError(
      `Tickets for ${tickets.issued} were issued and for ${tickets.paid} paid, but ${outstanding} is outstanding.`,
    );
  }
  return tickets;
}

/**
 * Throws when a terminal paid a blocked ticket. After a rollback of the store, terminals must not pay the tickets from
 * before, because a payment may be among the lost entries. The cage checks and pays them through a terminal of its own,
 * named after the ticket.
 */
function verifyBlockedTickets(
  summaries: ReadonlyMap<string, StreamSummary>,
  issued: ReadonlyMap<string, TicketEntry>,
  paid: ReadonlyMap<string, TicketEntry>,
): void {
  const blocks = [...summaries.values()].flatMap(({ floor }) => floor?.retiredKeys ?? []);
  for (const [account, entry] of paid) {
    const issuedAt = issued.get(account)!.at;
    const isAtCage = entry.stream.endsWith(`/cage-${entry.ticket}`);
    const isBlocked = !isAtCage && blocks.some(({ at }) => issuedAt < at && at < entry.at);
    assertOfEntry(
      entry,
      !isBlocked,
      () => `pays the ticket ${entry.ticket}, which was blocked at terminals when the event store was rolled back`,
    );
  }
}

function hasNumber({ stream, ticket, command, salt }: TicketEntry, keys: readonly string[]): boolean {
  const terminal = stream.slice(stream.lastIndexOf('/') + 1);
  return findValidationNumber(ticket, keys, terminal, command, salt) !== undefined;
}
