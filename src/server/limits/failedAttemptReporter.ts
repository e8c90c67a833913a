import { type Scheduler } from '../../runtime/ports/scheduler.ts';

const reportEveryMs = 60_000;

/**
 * Throttled reporter of failed attempts. A report has the number of attempts of all keys together, and at most one
 * report is made per minute. So an attack does not fill the event log.
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

  /**
   * Makes a report at once. If the last report is less than a minute old, the new report is made one minute after the
   * last.
   */
  request(): void {
    this.#isDue = true;
    if (this.#cancel === undefined) this.#reportNow();
  }

  /** If a report is still due, makes it now. Stops the timer. */
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
