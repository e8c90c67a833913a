import { type TerminalCommandOf } from './commands.ts';
import { type TerminalDecision, type TerminalRefusal, refuseTerminal, terminalEventStamp } from './decision.ts';
import { type TerminalState } from './state.ts';

const refuseWithoutSession = (): TerminalRefusal =>
  refuseTerminal('no-session', null, 'There is no session; load credit first.');

/** Sets a limit of the session. Limits can only be lowered, and end with the session. [READING 60] */
export function decideLimitSession(
  command: TerminalCommandOf<'LimitSession'>,
  { open, sessions, limits }: TerminalState,
): TerminalDecision {
  if (!open) return refuseWithoutSession();
  const { stake, loss } = command;
  for (const [name, requested, current] of [
    ['stakes', stake, limits.stake],
    ['losses', loss, limits.loss],
  ] as const) {
    if (requested === undefined || current === null || requested <= current) continue;
    return refuseTerminal(
      'limits-only-tighten',
      null,
      `The limit on ${name} is ${current} for this session; give a limit that is not higher.`,
    );
  }
  const requested = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
  return [{ type: 'SessionLimited', ...terminalEventStamp(command), session: sessions, ...requested }];
}

/** Starts or extends a break; a break cannot be shortened. */
export function decidePauseSession(
  command: TerminalCommandOf<'PauseSession'>,
  { open, sessions, limits }: TerminalState,
): TerminalDecision {
  if (!open) return refuseWithoutSession();
  const until = command.at + command.minutes * 60_000;
  const { pausedUntil } = limits;
  if (pausedUntil !== null && until < pausedUntil) {
    return refuseTerminal(
      'limits-only-tighten',
      null,
      `The break lasts until ${pausedUntil}; give a longer one, or wait for its end.`,
    );
  }
  return [{ type: 'SessionPaused', ...terminalEventStamp(command), session: sessions, until }];
}
