import { type TerminalCommand, type TerminalCommandOf } from './commands.ts';
import {
  type TerminalDecision,
  type TerminalRefusal,
  lockedRefusal,
  refuseTerminal,
  terminalEventStamp,
} from './decision.ts';
import { type TerminalEvent } from './events.ts';
import { type TerminalState } from './state.ts';

export function decideLoadCredit(command: TerminalCommandOf<'LoadCredit'>, terminal: TerminalState): TerminalDecision {
  const { method, amount, bill } = command;
  const loaded = {
    type: 'CreditLoaded',
    ...terminalEventStamp(command),
    session: sessionOfLoad(terminal),
    method,
    amount,
  } as const;
  return lockedRefusal(terminal) ?? [bill === undefined ? loaded : { ...loaded, bill }];
}

export const sessionOfLoad = ({ open, sessions }: TerminalState): number => (open ? sessions : sessions + 1);

/** The whole credit, and only when none of it can still change. [ETG layout-1, READING 52, READING 60] */
export function decideCollectCredit(
  command: TerminalCommandOf<'CollectCredit'>,
  terminal: TerminalState,
): TerminalDecision {
  const { method, credit } = command;
  return (
    sessionEndRefusal(command, terminal) ?? [
      { type: 'CreditCollected', ...terminalEventStamp(command), session: terminal.sessions, method, amount: credit },
    ]
  );
}

/** Ends a session without credit, so that the next patron inherits nothing of it. [READING 60] */
export function decideEndSession(command: TerminalCommandOf<'EndSession'>, terminal: TerminalState): TerminalDecision {
  const refusal = sessionEndRefusal(command, terminal);
  if (refusal) return refusal;
  const { credit } = command;
  if (credit > 0) return refuseTerminal('credit-left', null, `A credit of ${credit} is left; collect it instead.`);
  return [creditSessionEndedEvent(command, terminal)];
}

export const creditSessionEndedEvent = (command: TerminalCommand, { sessions }: TerminalState): TerminalEvent => ({
  type: 'SessionEnded',
  ...terminalEventStamp(command),
  session: sessions,
});

/** Why the session cannot end now, if so. */
export function sessionEndRefusal(
  { staked, disputed }: TerminalCommandOf<'CollectCredit' | 'IssueTicket' | 'EndSession'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const locked = lockedRefusal(terminal);
  if (locked) return locked;
  if (!terminal.open) return refuseTerminal('nothing-to-collect', null, 'No credit has been loaded; load some first.');
  if (staked > 0) {
    const message = `Stakes of ${staked} stand; collect once their rounds are paid.`;
    return refuseTerminal('stakes-open', 'HOUSE 10', message);
  }
  return disputed > 0 ? refuseDisputedCredit(disputed) : undefined;
}

/** Money that was ruled back is disputed until it is posted. */
const refuseDisputedCredit = (amount: number): TerminalRefusal =>
  refuseTerminal(
    'credit-disputed',
    'HOUSE 1',
    `${amount} of the credit is in question; wait until it is ruled on and posted.`,
  );

/**
 * A win or refund after COLLECT belongs to the patron of that session, not to the present one. [READING 52, READING 60]
 */
export function decidePaySession(command: TerminalCommandOf<'PaySession'>, terminal: TerminalState): TerminalDecision {
  const { session, credit, disputed } = command;
  const ended = terminal.open ? terminal.sessions - 1 : terminal.sessions;
  if (session > ended) {
    return refuseTerminal('no-such-session', null, `Session ${session} has not ended; ${ended} have.`);
  }
  if (credit === 0)
    return refuseTerminal('nothing-to-collect', null, `Nothing has come to session ${session} after its end.`);
  if (disputed > 0) return refuseDisputedCredit(disputed);
  return [{ type: 'SessionPaid', ...terminalEventStamp(command), session, amount: credit }];
}
