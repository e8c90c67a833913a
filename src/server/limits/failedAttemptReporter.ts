import { type Scheduler } from '../../runtime/ports/scheduler.ts';

const reportEveryMs = 60_000;

/**
 * Throttled reporter of failed attempts: one report covers all keys, and at most one report is made per minute, so that
 * an attack does not fill the event log.
 */
export class FailedAttemptReporter {
  readonly #after: Scheduler['after'];
  readonly #report: (attempts: number, since: number) => void;
  #count = 0;
  #since = 0;
  #isDue = false;
  /** Cancels the timer of the throttle; undefined if a report may be made now. */
  #cancel: (() => void) | undefined;

  constructor(after: Scheduler['after'], report: (attempts: number, since: number) => void) {
    this.#after = after;
    this.#report = report;
  }

  add(at: number): void {
    if (this.#count === 0) this.#since = at;
    this.#count += 1;
  }

  /** Makes a report now or, if the last report is less than a minute old, when that minute has passed. */
  request(): void {
    this.#isDue = true;
    if (this.#cancel === undefined) this.#reportNow();
  }

  /** Makes a report that is still due, and stops the timer. */
  close(): void {
    this.#cancel?.();
    if (this.#isDue) this.#reportNow();
    this.#cancel?.();
  }

  #reportNow(): void {
    const attempts = this.#count;
    this.#isDue = false;
    this.#count = 0;
    this.#cancel = this.#after(reportEveryMs, () => {
      this.#cancel = undefined;
      if (this.#isDue) this.#reportNow();
    });
    this.#report(attempts, this.#since);
  }
}
