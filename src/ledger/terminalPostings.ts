import { type TerminalEvent } from '../terminal/events.ts';
import { type LoadMethod } from '../terminal/fieldTypes.ts';
import { type TerminalState, sessionId } from '../terminal/state.ts';
import { assert } from '../base/assert.ts';
import { type Account, terminalAccount, ticketAccount } from './accounts.ts';
import { type Posting, postingIf } from './tablePostings.ts';

type EventOf<T extends TerminalEvent['type']> = Extract<TerminalEvent, { readonly type: T }>;

/** Whether the cage, the world outside or the hands of staff are behind a way in or out. */
const behindWay = {
  cash: 'cage',
  bill: 'cage',
  ticket: 'external',
  transfer: 'external',
  promotion: 'external',
  hand: 'hand-pay',
} as const;

/** The money that an event of a terminal moves, given the terminal as it was before it. */
export function terminalPostings(event: TerminalEvent, terminal: TerminalState | undefined): readonly Posting[] {
  switch (event.type) {
    case 'TerminalSeated':
    case 'SessionLimited':
    case 'SessionPaused':
    case 'SessionEnded':
    case 'TerminalLocked':
    case 'TerminalUnlocked':
    case 'TicketsTried':
    case 'HandPayProposed':
    case 'HandPayApproved':
    case 'HandPayDropped':
    case 'HandPayWithdrawn':
    case 'HandPaySigned':
      return [];
    case 'CreditLoaded':
      return postingIf(behind(terminal, event), creditAt(terminal, event), event.amount);
    case 'CreditCollected':
      return postingIf(creditAt(terminal, event), behind(terminal, event), event.amount);
    case 'SessionPaid':
      return postingIf(creditAt(terminal, event), accountAt(terminal, 'cage'), event.amount);
    case 'HandPaid':
      return postingIf(accountAt(terminal, 'hand-pay'), accountAt(terminal, 'cage'), event.amount);
  }
}

/** Where what is loaded comes from, and what is collected goes to: a ticket of our own, or the account of its way. */
function behind(
  terminal: TerminalState | undefined,
  { way, ticket }: EventOf<'CreditLoaded' | 'CreditCollected'>,
): Account {
  assert(terminal !== undefined, 'money moves at a terminal that is seated');
  return ticket === undefined ? accountAt(terminal, behindWay[way]) : ticketAccount(terminal, ticket);
}

function accountAt(terminal: TerminalState | undefined, kind: 'cage' | 'external' | 'hand-pay'): Account {
  assert(terminal !== undefined, 'money moves at a terminal that is seated');
  return terminalAccount(terminal, terminal.terminal, kind);
}

function creditAt(terminal: TerminalState | undefined, { session }: { readonly session: number }): Account {
  assert(terminal !== undefined, 'credit moves at a terminal that is seated');
  return terminalAccount(terminal, sessionId(terminal.terminal, session));
}

/** What a terminal took in and gave out, way by way, bills by what they are worth. They only grow. */
export type Transfers = {
  readonly in: { [W in LoadMethod]: number };
  readonly out: { [W in LoadMethod]: number };
  readonly bills: { [worth: string]: number };
  readonly handPaid: { jackpot: number; 'cancelled-credit': number };
};

const noWays = () => ({ cash: 0, bill: 0, ticket: 0, transfer: 0, promotion: 0 });

export const noTransfers = (): Transfers => ({
  in: noWays(),
  out: noWays(),
  bills: {},
  handPaid: { jackpot: 0, 'cancelled-credit': 0 },
});

/** The transfers after such an event; changed in place. What waits for hand-pay counts once it is paid. */
export function meterTransfer(transfers: Transfers, event: TerminalEvent): void {
  switch (event.type) {
    case 'CreditLoaded':
      transfers.in[event.way] += event.amount;
      if (event.bill !== undefined) transfers.bills[event.bill] = (transfers.bills[event.bill] ?? 0) + 1;
      return;
    case 'CreditCollected':
      if (event.way !== 'hand') transfers.out[event.way] += event.amount;
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
    case 'TicketsTried':
    case 'HandPayProposed':
    case 'HandPayApproved':
    case 'HandPayDropped':
    case 'HandPayWithdrawn':
    case 'HandPaySigned':
      return;
  }
}
