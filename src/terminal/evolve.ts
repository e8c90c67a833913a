import { assert } from '../base/assert.ts';
import { type TerminalEvent } from './events.ts';
import { type TerminalState, noSessionLimits, newTerminalState } from './state.ts';

/** Applies an event to the state of a terminal, in place and without checking any rule. */
export function evolveTerminal(terminal: TerminalState | undefined, event: TerminalEvent): TerminalState {
  if (event.type === 'TerminalSeated') {
    const { terminal: id, property, currency, at } = event;
    return newTerminalState({ terminal: id, property, currency, at });
  }
  assert(terminal !== undefined, 'the terminal is registered before any other event');
  terminal.at = event.at;
  switch (event.type) {
    case 'CreditLoaded':
      if (!terminal.open) {
        terminal.sessions = event.session;
        terminal.open = true;
        terminal.since = event.at;
        terminal.loaded = 0;
        terminal.limits = noSessionLimits();
      }
      terminal.loaded += event.amount;
      return terminal;
    case 'CreditCollected':
      if (event.method === 'hand') addHandPay(terminal, event.amount, event.at);
      terminal.open = false;
      return terminal;
    case 'SessionEnded':
      terminal.open = false;
      return terminal;
    case 'SessionLimited':
      terminal.limits.stake = event.stake ?? terminal.limits.stake;
      terminal.limits.loss = event.loss ?? terminal.limits.loss;
      return terminal;
    case 'SessionPaused':
      terminal.limits.pausedUntil = event.until;
      return terminal;
    case 'TerminalLocked':
      terminal.locked = event.reason;
      return terminal;
    case 'TerminalUnlocked':
      terminal.locked = null;
      return terminal;
    case 'HandPayProposed': {
      const { proposal: id, what, amount, hash, at: since, expires, actor } = event;
      assert('person' in actor, 'only staff propose a hand-pay');
      terminal.proposals += 1;
      terminal.proposal = { id, what, amount, actor, hash, since, expires };
      return terminal;
    }
    case 'HandPayApproved':
    case 'HandPayProposalWithdrawn':
      terminal.proposal = null;
      return terminal;
    case 'HandPayWithdrawn':
      delete terminal.signed[event.signature];
      terminal.withdrawn.push(event.signature);
      return terminal;
    case 'HandPaySigned': {
      const { signature, what, amount, at, actor, second, firstAt = at } = event;
      assert('person' in actor, 'only staff sign a hand-pay');
      terminal.signatures = signature;
      terminal.signed[signature] = { what, amount, firstAt, at, first: actor.person, second: second.person };
      return terminal;
    }
    case 'HandPaid':
      if (event.signature !== undefined) delete terminal.signed[event.signature];
      addHandPay(terminal, -event.amount, event.at);
      return terminal;
    case 'SessionPaid':
    case 'TicketAttemptsReported':
      return terminal;
  }
}

/** Adds `amount`, which may be negative, to the due hand-pay. `since` stays the same until everything is paid. */
function addHandPay(terminal: TerminalState, amount: number, at: number): void {
  const { amount: due, since } = terminal.handPayDue ?? { amount: 0, since: at };
  terminal.handPayDue = due + amount > 0 ? { amount: due + amount, since } : null;
}
