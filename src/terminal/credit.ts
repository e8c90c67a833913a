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
    session: sessionNumberOfLoad(terminal),
    method,
    amount,
  } as const;
  return lockedRefusal(terminal) ?? [bill === undefined ? loaded : { ...loaded, bill }];
}

export const sessionNumberOfLoad = ({ open, sessions }: TerminalState): number => (open ? sessions : sessions + 1);

/** Pays out the whole credit, once no open stake or dispute can change it. [ETG layout-1, READING 52, READING 60] */
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

/** Ends a session without credit, so that its limits do not bind the next patron. [READING 60] */
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

/** Refusal if the session cannot end now: locked terminal, no session, open stakes, or disputed credit. */
export function sessionEndRefusal(
  { staked, disputed }: TerminalCommandOf<'CollectCredit' | 'IssueTicket' | 'EndSession'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const locked = lockedRefusal(terminal);
  if (locked) return locked;
  if (!terminal.open)
    return refuseTerminal('nothing-to-collect', null, 'No credit has been loaded; there is nothing to collect.');
  if (staked > 0) {
    const message = `Bets of ${staked} are open; collect after their rounds are settled.`;
    return refuseTerminal('stakes-open', 'HOUSE 10', message);
  }
  return disputed > 0 ? refuseDisputedCredit(disputed) : undefined;
}

/** Credit is disputed until a ruling or decision on its round is made and posted. */
const refuseDisputedCredit = (amount: number): TerminalRefusal =>
  refuseTerminal(
    'credit-disputed',
    'HOUSE 1',
    `${amount} of the credit is disputed; wait until its round is decided and posted.`,
  );

/**
 * Pays credit that came to a session after its end, such as a late win. Such credit belongs to the patron of that
 * session, not to the present patron. [READING 52, READING 60]
 */
export function decidePayEndedSession(
  command: TerminalCommandOf<'PaySession'>,
  terminal: TerminalState,
): TerminalDecision {
  const { session, credit, disputed } = command;
  const ended = terminal.open ? terminal.sessions - 1 : terminal.sessions;
  if (session > ended) {
    return refuseTerminal(
      'no-such-session',
      null,
      `Session ${session} has not ended; pay only sessions up to ${ended}.`,
    );
  }
  if (credit === 0) return refuseTerminal('nothing-to-collect', null, `Session ${session} has no credit left to pay.`);
  if (disputed > 0) return refuseDisputedCredit(disputed);
  return [{ type: 'SessionPaid', ...terminalEventStamp(command), session, amount: credit }];
}
