import { hasAuthority } from '../access/roles.ts';
import { type TerminalCommand, type TerminalCommandOf, terminalCommands } from './commands.ts';
import { decideCollectCredit, decideEndSession, decideLoadCredit, decidePayEndedSession } from './credit.ts';
import { type TerminalDecision, type TerminalRefusal, refuseTerminal, terminalEventStamp } from './decision.ts';
import { type TerminalEvent } from './events.ts';
import {
  decideApproveHandPay,
  decideWithdrawHandPayProposal,
  decidePayByHand,
  decidePaySigned,
  decideProposeHandPay,
  decideSignHandPay,
  decideWithdrawSignedHandPay,
} from './handPays.ts';
import { decideLimitSession, decidePauseSession } from './sessionLimits.ts';
import { type TerminalState } from './state.ts';
import { decideIssueTicket, decideRedeemTicket } from './tickets.ts';

export function decideTerminal(command: TerminalCommand, terminal: TerminalState | undefined): TerminalDecision {
  if (command.type === 'SeatTerminal') {
    return terminal === undefined
      ? (actorRefusal(command) ?? [seatedEvent(command)])
      : refuseTerminal('already-seated', null, 'The terminal is already registered; load credit instead.');
  }
  if (terminal === undefined)
    return refuseTerminal('terminal-not-seated', null, 'The terminal is not registered yet; register it first.');
  if (command.at < terminal.at) {
    const message = `The command is dated ${command.at}, before the last event at ${terminal.at}; set the clock.`;
    return refuseTerminal('clock-ran-back', null, message);
  }
  return actorRefusal(command) ?? decideAt(command, terminal);
}

/**
 * Refusal for an actor without the right to send the command. A patron sends no command; the system acts for the
 * patron.
 */
function actorRefusal(command: TerminalCommand): TerminalRefusal | undefined {
  const { actor, at, type } = command;
  const { role, service }: { role?: Parameters<typeof hasAuthority>[1]; service?: true } = terminalCommands[type];
  const allowed =
    'system' in actor ? service === true : 'person' in actor && role !== undefined && hasAuthority(actor, role, at);
  if (allowed) return undefined;
  const allowedActor = role === undefined ? 'the system; do not send it' : `the role ${role}; ask a person who has it`;
  return refuseTerminal('not-your-role', 'HOUSE 2', `${type} is for ${allowedActor}.`);
}

const seatedEvent = (command: TerminalCommandOf<'SeatTerminal'>): TerminalEvent => {
  const { terminal, property, currency } = command;
  return { type: 'TerminalSeated', ...terminalEventStamp(command), terminal, property, currency };
};

function decideAt(
  command: Exclude<TerminalCommand, { type: 'SeatTerminal' }>,
  terminal: TerminalState,
): TerminalDecision {
  switch (command.type) {
    case 'LoadCredit':
      return decideLoadCredit(command, terminal);
    case 'CollectCredit':
      return decideCollectCredit(command, terminal);
    case 'IssueTicket':
      return decideIssueTicket(command, terminal);
    case 'EndSession':
      return decideEndSession(command, terminal);
    case 'RedeemTicket':
      return decideRedeemTicket(command, terminal);
    case 'ReportTicketAttempts':
      return [
        {
          type: 'TicketAttemptsReported',
          ...terminalEventStamp(command),
          attempts: command.attempts,
          since: command.since,
          of: command.of,
        },
      ];
    case 'PaySession':
      return decidePayEndedSession(command, terminal);
    case 'PayByHand':
      return decidePayByHand(command, terminal);
    case 'SignHandPay':
      return decideSignHandPay(command, terminal);
    case 'ProposeHandPay':
      return decideProposeHandPay(command, terminal);
    case 'ApproveHandPay':
      return decideApproveHandPay(command, terminal);
    case 'WithdrawHandPayProposal':
      return decideWithdrawHandPayProposal(command, terminal);
    case 'WithdrawHandPay':
      return decideWithdrawSignedHandPay(command, terminal);
    case 'PaySigned':
      return decidePaySigned(command, terminal);
    case 'LimitSession':
      return decideLimitSession(command, terminal);
    case 'PauseSession':
      return decidePauseSession(command, terminal);
    case 'LockTerminal':
      return [{ type: 'TerminalLocked', ...terminalEventStamp(command), reason: command.reason }];
    case 'UnlockTerminal':
      return [{ type: 'TerminalUnlocked', ...terminalEventStamp(command), reason: command.reason }];
  }
}
