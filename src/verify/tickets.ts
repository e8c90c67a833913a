import { ticketAccount, ticketIn } from '../ledger/accounts.ts';
import { type StoredEntry } from '../store/store.ts';
import { findValidationNumber } from '../terminal/ticketNumbers.ts';
import { type Balances } from './balances.ts';
import { VerifyError, claim } from './verifyError.ts';
import { type StreamSummary } from './verifyStream.ts';

/** An entry that issues a ticket, or pays one. */
export type TicketMove = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly isIssued: boolean;
  readonly ticket: string;
  readonly amount: number;
  readonly command: string;
  readonly salt: string | undefined;
};

/** What all tickets of a record come to: what was issued is what was paid and what is outstanding. */
export type Tickets = { readonly issued: number; readonly paid: number; readonly outstanding: number };

export const noTickets: Tickets = { issued: 0, paid: 0, outstanding: 0 };

/** What an entry of a terminal does to a ticket, if it does. */
export function ticketMoveIn({ stream, sequence, at, event, command }: StoredEntry): readonly TicketMove[] {
  const { type, ticket, amount, salt } = event;
  if (typeof ticket !== 'string' || (type !== 'CreditCollected' && type !== 'CreditLoaded')) return [];
  const isIssued = type === 'CreditCollected';
  const place = { stream, sequence, at };
  return [
    {
      ...place,
      isIssued,
      ticket,
      amount: Number(amount),
      command: command.id,
      salt: typeof salt === 'string' ? salt : undefined,
    },
  ];
}

/**
 * Each ticket is issued once and paid once at most, whole, and not once it is held; what is not paid lies in its account. With the keys at hand, each
 * is the one that its number gives.
 */
export function verifyTickets(
  found: ReadonlyMap<string, StreamSummary>,
  balances: Pick<Balances, 'accounts' | 'of'>,
  keys: readonly string[] | undefined,
): Tickets {
  const issued = new Map<string, TicketMove>();
  const paid = new Map<string, TicketMove>();
  const all = [...found.values()].flatMap(({ owner, tickets }) =>
    tickets.map((move) => [ticketAccount(owner, move.ticket), move] as const),
  );
  for (const [account, move] of all) {
    const moves = move.isIssued ? issued : paid;
    const other = moves.get(account);
    const what = move.isIssued ? 'issues' : 'pays';
    claim(
      move,
      other === undefined,
      () => `${what} the ticket ${move.ticket}, as entry ${other!.sequence} of ${other!.stream} does`,
    );
    moves.set(account, move);
    const isKnown = !move.isIssued || keys === undefined || hasNumber(move, keys);
    claim(move, isKnown, () => `issues the ticket ${move.ticket}, which no number leads to`);
  }
  for (const [account, move] of paid) {
    const amount = issued.get(account)?.amount;
    claim(
      move,
      amount === move.amount,
      () => `pays ${move.amount} for the ticket ${move.ticket}, which was issued for ${amount ?? 'nothing'}`,
    );
  }
  verifyHeld(found, issued, paid);
  let outstanding = 0;
  for (const account of balances.accounts) {
    if (ticketIn(account) === undefined) continue;
    const held = balances.of(account);
    const due = (issued.get(account)?.amount ?? 0) - (paid.get(account)?.amount ?? 0);
    if (held !== due) throw new VerifyError(`The account ${account} holds ${held}, and its ticket is worth ${due}.`);
    outstanding += held;
  }
  const sum = (moves: ReadonlyMap<string, TicketMove>): number =>
    [...moves.values()].reduce((total, { amount }) => total + amount, 0);
  const tickets = { issued: sum(issued), paid: sum(paid), outstanding };
  if (tickets.issued !== tickets.paid + outstanding) {
    throw new VerifyError(
      `Tickets for ${tickets.issued} were issued, ${tickets.paid} paid, and ${outstanding} are left.`,
    );
  }
  return tickets;
}

/**
 * A ticket from before the record was turned back is not paid after that, since nobody can tell whether it was paid before:
 * not where patrons play. The cage, which has looked at it, pays it through a terminal of its own that bears its name.
 */
function verifyHeld(
  found: ReadonlyMap<string, StreamSummary>,
  issued: ReadonlyMap<string, TicketMove>,
  paid: ReadonlyMap<string, TicketMove>,
): void {
  const holds = [...found.values()].flatMap(({ journal }) => journal?.held ?? []);
  for (const [account, move] of paid) {
    const since = issued.get(account)!.at;
    const isAtCage = move.stream.endsWith(`/cage-${move.ticket}`);
    const isHeld = !isAtCage && holds.some(({ at }) => since < at && at < move.at);
    claim(move, !isHeld, () => `pays the ticket ${move.ticket}, which was held since the record was turned back`);
  }
}

function hasNumber({ stream, ticket, command, salt }: TicketMove, keys: readonly string[]): boolean {
  const terminal = stream.slice(stream.lastIndexOf('/') + 1);
  return findValidationNumber(ticket, keys, terminal, command, salt) !== undefined;
}
