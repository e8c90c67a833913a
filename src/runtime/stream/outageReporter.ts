/** Report on an outage of the event store, for operators. Short outages may share one report. */
export type OutageReport = {
  readonly state: 'begun' | 'lasting' | 'over';
  readonly error: unknown;
  /** Duration of the outage so far, in milliseconds. */
  readonly durationMs: number;
  /** Number of failures since the end of an outage was last reported. */
  readonly failures: number;
  /** Names of the streams and services that are retrying. */
  readonly failing: readonly string[];
};

type OutageReporterOptions = {
  readonly clock: () => number;
  readonly after: (time: number, run: () => void) => () => void;
  readonly report: (outage: OutageReport) => void;
};

/** Minimum interval between two reports, in milliseconds. The end of a reported outage is reported without delay. */
const reportEveryMs = 60_000;

/**
 * Outage reporter: merges failures into outages. It reports the beginning of an outage, then once a minute while the
 * outage lasts, and its end.
 */
export class OutageReporter {
  readonly #options: OutageReporterOptions;
  readonly #failing = new Set<string>();
  /** Start of the outage that the next report is about; undefined if there is nothing to report. */
  #unreportedSince: number | undefined;
  /** Time of the first failure since all streams last worked. */
  #firstFailureAt = 0;
  /** Time at which the last failing stream recovered; undefined before the first recovery. */
  #endedAt: number | undefined;
  #error: unknown;
  #failures = 0;
  /** True if the beginning of the outage was reported, but not its end. */
  #isReported = false;
  /** True if a report was made less than `reportEveryMs` ago. */
  #isThrottled = false;

  constructor(options: OutageReporterOptions) {
    this.#options = options;
  }

  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  /**
   * Call at each failure of a stream or service (`subject`). `isOver` means that the failure counts, but `subject` does
   * not retry.
   */
  addFailure(subject: string, error: unknown, isOver = false): void {
    if (this.#failing.size === 0) this.#firstFailureAt = this.#options.clock();
    this.#failing.add(subject);
    this.#unreportedSince ??= this.#firstFailureAt;
    this.#error = error;
    this.#failures += 1;
    if (!this.#isThrottled) this.#report(this.#isReported ? 'lasting' : 'begun');
    if (isOver) this.endFailure(subject);
  }

  endFailure(subject: string): void {
    if (!this.#failing.delete(subject) || this.#failing.size > 0) return;
    this.#endedAt = this.#options.clock();
    if (this.#isReported) this.#report('over');
  }

  #report(state: OutageReport['state']): void {
    const { clock, after, report } = this.#options;
    if (state === 'begun') this.#unreportedSince = this.#firstFailureAt;
    const durationMs = (state === 'over' ? this.#endedAt! : clock()) - this.#unreportedSince!;
    report({ state, error: this.#error, durationMs, failures: this.#failures, failing: [...this.#failing] });
    this.#isReported = state !== 'over';
    if (state === 'over') {
      this.#unreportedSince = undefined;
      this.#failures = 0;
    }
    if (this.#isThrottled) return;
    this.#isThrottled = true;
    after(reportEveryMs, () => {
      this.#isThrottled = false;
      // An outage that began and ended within the interval is reported too.
      if (this.#failing.size > 0) this.#report(this.#isReported ? 'lasting' : 'begun');
      else if (this.#failures > 0) this.#report('over');
    });
  }
}
