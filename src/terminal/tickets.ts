import { type TerminalCommandOf } from './commands.ts';
import { collectRefusal, loadSession, sessionEnded } from './credit.ts';
import { type TerminalDecision, type TerminalRefusal, lockedRefusal, refuseTerminal, terminalStamp } from './decision.ts';
import { type TerminalState } from './state.ts';

/** Why a terminal is out of use whose credit waits to be paid by hand. */
export const handPayLock = 'hand-pay';

/** Whole, and once: what was paid before, or is being paid at this moment, is not paid here. */
export function decideRedeemTicket(
  command: TerminalCommandOf<'RedeemTicket'>,
  terminal: TerminalState,
): TerminalDecision {
  const { ticket, worth } = command;
  const session = loadSession(terminal);
  return (
    lockedRefusal(terminal) ??
    ticketRefusal(command) ?? [
      { type: 'CreditLoaded', ...terminalStamp(command), session, way: 'ticket', amount: worth, ticket },
    ]
  );
}

/** Why a ticket is not paid at any terminal, if it is not. */
export function ticketRefusal({
  worth,
  leaving,
  held = false,
}: Pick<TerminalCommandOf<'RedeemTicket'>, 'worth' | 'leaving' | 'held'>): TerminalRefusal | undefined {
  if (worth === 0) return refuseTerminal('ticket-paid', null, 'The ticket has been paid; take another.');
  if (held) {
    const message =
      'The record was turned back after this ticket was issued, and may not know that it was paid; take it to the staff, who ' +
      'pay it by hand after a look at the ticket and the anchor.';
    return refuseTerminal('ticket-held', null, message);
  }
  if (leaving === 0) return undefined;
  return refuseTerminal(
    'ticket-in-doubt',
    null,
    'The ticket is being paid, and not for certain yet; try again in a moment.',
  );
}

/**
 * A ticket for all of it; where that is more than the limit, two persons pay it by hand. Where all is lost there is none, and
 * the session ends all the same. [ETG layout-1, HOUSE 2, READING 60]
 */
export function decideIssueTicket(
  command: TerminalCommandOf<'IssueTicket'>,
  terminal: TerminalState,
): TerminalDecision {
  const { ticket, salt, credit, handPay = Infinity } = command;
  const refusal = collectRefusal(command, terminal);
  if (refusal) return refusal;
  if (credit === 0) return [sessionEnded(command, terminal)];
  const stamp = terminalStamp(command);
  const collected = { type: 'CreditCollected', ...stamp, session: terminal.sessions, amount: credit } as const;
  return credit > handPay
    ? [
        { ...collected, way: 'hand' },
        { type: 'TerminalLocked', ...stamp, reason: handPayLock },
      ]
    : [{ ...collected, way: 'ticket', ticket, ...(salt !== undefined && { salt }) }];
}
