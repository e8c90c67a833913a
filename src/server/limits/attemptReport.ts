import { type Scheduler } from '../../runtime/ports/scheduler.ts';

const reportEveryMs = 60_000;

/**
 * Throttled report of failed attempts: one report for all keys and at most one a minute, so that an attack does not
 * fill the event log.
 */
export class AttemptReport {
  readonly #after: Scheduler['after'];
  readonly #report: (tries: number, since: number) => void;
  #count = 0;
  #since = 0;
  #isDue = false;
  /** Set while the next report has to wait. */
  #cancel: (() => void) | undefined;

  constructor(after: Scheduler['after'], report: (tries: number, since: number) => void) {
    this.#after = after;
    this.#report = report;
  }

  add(at: number): void {
    if (this.#count === 0) this.#since = at;
    this.#count += 1;
  }

  /** Reports now, or as soon as the last report is a minute old. */
  request(): void {
    this.#isDue = true;
    if (this.#cancel === undefined) this.#reportNow();
  }

  /** Sends a report that is due. */
  close(): void {
    this.#cancel?.();
    if (this.#isDue) this.#reportNow();
    this.#cancel?.();
  }

  #reportNow(): void {
    const tries = this.#count;
    this.#isDue = false;
    this.#count = 0;
    this.#cancel = this.#after(reportEveryMs, () => {
      this.#cancel = undefined;
      if (this.#isDue) this.#reportNow();
    });
    this.#report(tries, this.#since);
  }
}
