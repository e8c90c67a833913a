import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type TerminalMoneyState } from '../../wire/terminalMoneyState.ts';

type EmptySessionTimersDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly emptySessionMs: number;
  readonly endSession: (terminal: string) => void;
};

/** Timers that end credit sessions without credit. */
export class EmptySessionTimers {
  readonly #dependencies: EmptySessionTimersDependencies;
  /** For each terminal with a running timer: the session and limits for which the timer was started. */
  readonly #timers = new Map<string, { readonly startedFor: string; readonly cancel: () => void }>();

  constructor(dependencies: EmptySessionTimersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts the timer of a terminal whose session has no credit, and cancels the timer otherwise. A change of the
   * session or of its limits starts the timer anew. While the patron takes a break the timer does not run out.
   */
  update({ terminal, session, credit, collect, limits }: TerminalMoneyState): void {
    const isEmpty = session !== null && credit === 0 && collect === null;
    const startedFor = JSON.stringify([session, limits]);
    const running = this.#timers.get(terminal);
    if (isEmpty && running?.startedFor === startedFor) return;
    running?.cancel();
    this.#timers.delete(terminal);
    if (!isEmpty) return;
    const { clock, after, emptySessionMs, endSession } = this.#dependencies;
    const cancel = after(Math.max(0, (limits.pausedUntil ?? 0) - clock()) + emptySessionMs, () => {
      this.#timers.delete(terminal);
      endSession(terminal);
    });
    this.#timers.set(terminal, { startedFor, cancel });
  }

  close(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
