/** State of an outage of the event store, for operators. */
export type Outage = {
  readonly state: 'begun' | 'lasting' | 'over';
  readonly error: unknown;
  /** Duration in milliseconds. */
  readonly lasted: number;
  /** Failed tries since the outage began. */
  readonly failures: number;
  /** Streams and services that are retrying. */
  readonly failing: readonly string[];
};

type OutageReporterOptions = {
  readonly clock: () => number;
  readonly after: (time: number, run: () => void) => () => void;
  readonly report: (outage: Outage) => void;
};

/** Interval of repeated reports, in milliseconds. In between only the end is reported. */
const reportEveryMs = 60_000;

/**
 * Outage reporter: counts failures that are retried. Reports the first at once, further ones at intervals, and the
 * end.
 */
export class OutageReporter {
  readonly #options: OutageReporterOptions;
  readonly #failing = new Set<string>();
  /** First failure that was not reported yet. */
  #unreportedSince: number | undefined;
  /** When the first of the waiting streams failed. */
  #firstFailureAt = 0;
  /** When the last waiting stream recovered; later failures are a new outage. */
  #endedAt: number | undefined;
  #error: unknown;
  #failures = 0;
  /** The beginning was reported, the end was not. */
  #isReported = false;
  /** A report was made less than `reportEveryMs` ago. */
  #isThrottled = false;

  constructor(options: OutageReporterOptions) {
    this.#options = options;
  }

  /** True while a stream is retrying. */
  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  /** A stream failed and retries. With `isOver` it does not retry, but the failure counts. */
  addFailure(who: string, error: unknown, isOver = false): void {
    if (this.#failing.size === 0) this.#firstFailureAt = this.#options.clock();
    this.#failing.add(who);
    this.#unreportedSince ??= this.#firstFailureAt;
    this.#error = error;
    this.#failures += 1;
    if (!this.#isThrottled) this.#report(this.#isReported ? 'lasting' : 'begun');
    if (isOver) this.endFailure(who);
  }

  endFailure(who: string): void {
    if (!this.#failing.delete(who) || this.#failing.size > 0) return;
    this.#endedAt = this.#options.clock();
    if (this.#isReported) this.#report('over');
  }

  #report(state: Outage['state']): void {
    const { clock, after, report } = this.#options;
    if (state === 'begun') this.#unreportedSince = this.#firstFailureAt;
    const lasted = (state === 'over' ? this.#endedAt! : clock()) - this.#unreportedSince!;
    report({ state, error: this.#error, lasted, failures: this.#failures, failing: [...this.#failing] });
    this.#isReported = state !== 'over';
    if (state === 'over') {
      this.#unreportedSince = undefined;
      this.#failures = 0;
    }
    if (this.#isThrottled) return;
    this.#isThrottled = true;
    after(reportEveryMs, () => {
      this.#isThrottled = false;
      // Reports also an outage that began and ended in between.
      if (this.#failing.size > 0) this.#report(this.#isReported ? 'lasting' : 'begun');
      else if (this.#failures > 0) this.#report('over');
    });
  }
}
