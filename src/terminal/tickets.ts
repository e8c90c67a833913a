import { type TerminalCommandOf } from './commands.ts';
import { sessionEndRefusal, sessionNumberOfLoad, creditSessionEndedEvent } from './credit.ts';
import {
  type TerminalDecision,
  type TerminalRefusal,
  lockedRefusal,
  refuseTerminal,
  terminalEventStamp,
} from './decision.ts';
import { type TerminalState } from './state.ts';

/** Lock reason of a terminal whose credit became a hand-pay. */
export const handPayLockReason = 'hand-pay';

export function decideRedeemTicket(
  command: TerminalCommandOf<'RedeemTicket'>,
  terminal: TerminalState,
): TerminalDecision {
  const { ticket, value } = command;
  const session = sessionNumberOfLoad(terminal);
  return (
    lockedRefusal(terminal) ??
    ticketRedeemRefusal(command) ?? [
      { type: 'CreditLoaded', ...terminalEventStamp(command), session, method: 'ticket', amount: value, ticket },
    ]
  );
}

/**
 * Refusal if a terminal may not redeem the ticket: the ticket was paid, is being paid, or was issued with a retired
 * ticket key. `value` is what the ticket is still worth; `leaving` is the part of this value that is being paid right
 * now.
 */
export function ticketRedeemRefusal({
  value,
  leaving,
  keyRetired = false,
}: Pick<TerminalCommandOf<'RedeemTicket'>, 'value' | 'leaving' | 'keyRetired'>): TerminalRefusal | undefined {
  if (value === 0) return refuseTerminal('ticket-paid', null, 'The ticket has already been paid; use another.');
  if (keyRetired) {
    const message =
      'The event log was rolled back after this ticket was issued, so the ticket may have been paid already; take it to ' +
      'the staff, who check whether it was paid.';
    return refuseTerminal('ticket-key-retired', null, message);
  }
  if (leaving === 0) return undefined;
  return refuseTerminal('ticket-in-doubt', null, 'The ticket is being paid right now; try again in a moment.');
}

/**
 * Pays out the whole credit as a ticket or, above the limit, as a hand-pay. Without credit the session ends without a
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
