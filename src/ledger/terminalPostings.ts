import { type TerminalEvent } from '../terminal/events.ts';
import { type LoadMethod } from '../terminal/fieldTypes.ts';
import { type TerminalState, creditSessionId } from '../terminal/state.ts';
import { assert } from '../base/assert.ts';
import { type Account, terminalAccount, ticketAccount } from './accounts.ts';
import { type Posting, postingUnlessZero } from './tablePostings.ts';

type EventOf<T extends TerminalEvent['type']> = Extract<TerminalEvent, { readonly type: T }>;

/** Kind of the account that money comes from or goes to, by method of loading or collecting. */
const accountKindOfMethod = {
  cash: 'cage',
  bill: 'cage',
  ticket: 'external',
  transfer: 'external',
  promotion: 'external',
  hand: 'hand-pay',
} as const;

/** Postings of a terminal event. `terminal` is the state before the event. */
export function terminalPostings(event: TerminalEvent, terminal: TerminalState | undefined): readonly Posting[] {
  switch (event.type) {
    case 'TerminalSeated':
    case 'SessionLimited':
    case 'SessionPaused':
    case 'SessionEnded':
    case 'TerminalLocked':
    case 'TerminalUnlocked':
    case 'TicketAttemptsReported':
    case 'HandPayProposed':
    case 'HandPayApproved':
    case 'HandPayProposalWithdrawn':
    case 'HandPayWithdrawn':
    case 'HandPaySigned':
      return [];
    case 'CreditLoaded':
      return postingUnlessZero(counterAccount(terminal, event), creditAccount(terminal, event), event.amount);
    case 'CreditCollected':
      return postingUnlessZero(creditAccount(terminal, event), counterAccount(terminal, event), event.amount);
    case 'SessionPaid':
      return postingUnlessZero(creditAccount(terminal, event), accountAt(terminal, 'cage'), event.amount);
    case 'HandPaid':
      return postingUnlessZero(accountAt(terminal, 'hand-pay'), accountAt(terminal, 'cage'), event.amount);
  }
}

/**
 * The account that a load comes from or a collect goes to. For a ticket of this property, the account of the ticket;
 * else the account of the method.
 */
function counterAccount(
  terminal: TerminalState | undefined,
  { method, ticket }: EventOf<'CreditLoaded' | 'CreditCollected'>,
): Account {
  assert(terminal !== undefined, 'a terminal is seated when money moves');
  return ticket === undefined ? accountAt(terminal, accountKindOfMethod[method]) : ticketAccount(terminal, ticket);
}

function accountAt(terminal: TerminalState | undefined, kind: 'cage' | 'external' | 'hand-pay'): Account {
  assert(terminal !== undefined, 'a terminal is seated when money moves');
  return terminalAccount(terminal, terminal.terminal, kind);
}

function creditAccount(terminal: TerminalState | undefined, { session }: { readonly session: number }): Account {
  assert(terminal !== undefined, 'a terminal is seated when credit moves');
  return terminalAccount(terminal, creditSessionId(terminal.terminal, session));
}

/**
 * Meters of money into and out of a terminal, in cents by method. `bills` counts bills by value in cents. Meters only
 * grow.
 */
export type TransferMeters = {
  readonly in: { [W in LoadMethod]: number };
  readonly out: { [W in LoadMethod]: number };
  readonly bills: { [worth: string]: number };
  readonly handPaid: { jackpot: number; 'cancelled-credit': number };
};

const zeroByMethod = () => ({ cash: 0, bill: 0, ticket: 0, transfer: 0, promotion: 0 });

export const emptyTransferMeters = (): TransferMeters => ({
  in: zeroByMethod(),
  out: zeroByMethod(),
  bills: {},
  handPaid: { jackpot: 0, 'cancelled-credit': 0 },
});

/** Adds a terminal event to the meters, in place. A hand-pay counts only when it is paid. */
export function addToTransferMeters(transfers: TransferMeters, event: TerminalEvent): void {
  switch (event.type) {
    case 'CreditLoaded':
      transfers.in[event.method] += event.amount;
      if (event.bill !== undefined) transfers.bills[event.bill] = (transfers.bills[event.bill] ?? 0) + 1;
      return;
    case 'CreditCollected':
      if (event.method !== 'hand') transfers.out[event.method] += event.amount;
      return;
    case 'HandPaid':
      transfers.handPaid[event.what] += event.amount;
      return;
    case 'SessionPaid':
      transfers.out.cash += event.amount;
      return;
    case 'TerminalSeated':
    case 'SessionLimited':
    case 'SessionPaused':
    case 'SessionEnded':
    case 'TerminalLocked':
    case 'TerminalUnlocked':
    case 'TicketAttemptsReported':
    case 'HandPayProposed':
    case 'HandPayApproved':
    case 'HandPayProposalWithdrawn':
    case 'HandPayWithdrawn':
    case 'HandPaySigned':
      return;
  }
}
