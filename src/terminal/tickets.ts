import { type TerminalCommandOf } from './commands.ts';
import { sessionEndRefusal, sessionOfLoad, creditSessionEndedEvent } from './credit.ts';
import {
  type TerminalDecision,
  type TerminalRefusal,
  lockedRefusal,
  refuseTerminal,
  terminalEventStamp,
} from './decision.ts';
import { type TerminalState } from './state.ts';

/** Lock reason of a terminal whose credit waits for a hand-pay. */
export const handPayLockReason = 'hand-pay';

/** Redeemed whole and once; a ticket that was paid, or is being paid now, is refused. */
export function decideRedeemTicket(
  command: TerminalCommandOf<'RedeemTicket'>,
  terminal: TerminalState,
): TerminalDecision {
  const { ticket, value } = command;
  const session = sessionOfLoad(terminal);
  return (
    lockedRefusal(terminal) ??
    ticketRedeemRefusal(command) ?? [
      { type: 'CreditLoaded', ...terminalEventStamp(command), session, method: 'ticket', amount: value, ticket },
    ]
  );
}

/** Why no terminal redeems the ticket, if so. */
export function ticketRedeemRefusal({
  value,
  leaving,
  keyRetired = false,
}: Pick<TerminalCommandOf<'RedeemTicket'>, 'value' | 'leaving' | 'keyRetired'>): TerminalRefusal | undefined {
  if (value === 0) return refuseTerminal('ticket-paid', null, 'The ticket has been paid; take another.');
  if (keyRetired) {
    const message =
      'The record was turned back after this ticket was issued, and may not know that it was paid; take it to the staff, who ' +
      'pay it by hand after a look at the ticket and the anchor.';
    return refuseTerminal('ticket-key-retired', null, message);
  }
  if (leaving === 0) return undefined;
  return refuseTerminal(
    'ticket-in-doubt',
    null,
    'The ticket is being paid, and not for certain yet; try again in a moment.',
  );
}

/**
 * A ticket for the whole credit; above the limit a hand-pay by two persons. Without credit the session ends without a
 * ticket. [ETG layout-1, HOUSE 2, READING 60]
 */
export function decideIssueTicket(
  command: TerminalCommandOf<'IssueTicket'>,
  terminal: TerminalState,
): TerminalDecision {
  const { ticket, salt, credit, handPay = Infinity } = command;
  const refusal = sessionEndRefusal(command, terminal);
  if (refusal) return refusal;
  if (credit === 0) return [creditSessionEndedEvent(command, terminal)];
  const stamp = terminalEventStamp(command);
  const collected = { type: 'CreditCollected', ...stamp, session: terminal.sessions, amount: credit } as const;
  return credit > handPay
    ? [
        { ...collected, method: 'hand' },
        { type: 'TerminalLocked', ...stamp, reason: handPayLockReason },
      ]
    : [{ ...collected, method: 'ticket', ticket, ...(salt !== undefined && { salt }) }];
}
