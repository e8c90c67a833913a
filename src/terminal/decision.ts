import { refuse, type Refusal } from '../base/refusal.ts';
import { type TerminalCommand } from './commands.ts';
import { type TerminalEvent } from './events.ts';
import { type TerminalState } from './state.ts';

/** Error codes of terminal commands: a closed list, see docs/errors.md. */
export const terminalErrorCodes = [
  'already-seated',
  'changed-proposal',
  'clock-ran-back',
  'credit-disputed',
  'credit-left',
  'expired-proposal',
  'hand-pay-paid',
  'hand-pay-withdrawn',
  'limits-only-tighten',
  'no-session',
  'no-such-session',
  'not-your-role',
  'nothing-to-collect',
  'over-amount-due',
  'same-person',
  'stakes-open',
  'terminal-locked',
  'terminal-not-seated',
  'ticket-key-retired',
  'ticket-in-doubt',
  'ticket-paid',
  'unknown-hand-pay',
  'unknown-proposal',
] as const;
export type TerminalRefusal = Refusal<(typeof terminalErrorCodes)[number]> & { readonly by: string | null };

export type TerminalDecision = readonly TerminalEvent[] | TerminalRefusal;

export const refuseTerminal = (
  code: TerminalRefusal['refused'],
  by: string | null,
  message: string,
): TerminalRefusal => ({
  ...refuse<TerminalRefusal['refused']>(code, message),
  by,
});

export const terminalEventStamp = ({ at, actor }: TerminalCommand) => ({ v: 1, at, actor }) as const;

export const lockedRefusal = ({ locked: reason }: TerminalState): TerminalRefusal | undefined =>
  reason === null
    ? undefined
    : refuseTerminal('terminal-locked', 'HOUSE 2', `The terminal is locked (${reason}); a supervisor can unlock it.`);
