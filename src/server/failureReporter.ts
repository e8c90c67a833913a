import { type Metrics } from '../metrics/metrics.ts';
import { OutageReporter } from '../runtime/stream/outageReporter.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';
import { type ServerOptions } from './serverOptions.ts';
import { DatabaseUnavailableError, isFatalStoreError } from '../store/failures.ts';

type FailureReporterOptions = Pick<ServerOptions, 'onFatal' | 'onOutage' | 'warn'> & {
  readonly metrics: Metrics;
  readonly clock: () => number;
  readonly after: Scheduler['after'];
};

export class FailureReporter {
  readonly #options: FailureReporterOptions;
  readonly #outages: OutageReporter;
  #hasFailed = false;

  constructor(options: FailureReporterOptions) {
    this.#options = options;
    this.#outages = new OutageReporter({ clock: options.clock, after: options.after, report: options.onOutage });
  }

  /** True after the first call of `fatal`. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get isFailing(): boolean {
    return this.#outages.isFailing;
  }

  /** Call when a failure has made the store unusable. Only the first call has an effect. */
  readonly fatal = (error: unknown): void => {
    if (!this.#hasFailed) this.#options.onFatal(error);
    this.#hasFailed = true;
  };

  /** Call for each failure that counts towards an outage. `isOver` is true for an operation that is not tried again. */
  readonly retrying = (subject: string, error: unknown, isOver = false): void => {
    if (!this.#outages.isFailing) this.#options.metrics.outageBegan();
    this.#outages.addFailure(subject, error, isOver);
  };

  readonly recovered = (subject: string): void => this.#outages.endFailure(subject);

  /**
   * Call when the server could not carry out a request. If the database is unreachable, this is reported as an outage;
   * any other failure is reported as a warning.
   */
  readonly warn = (subject: string, error: unknown): void =>
    error instanceof DatabaseUnavailableError
      ? this.retrying(subject, error, true)
      : this.#options.warn(subject, error);

  /** Like `warn`, but calls `fatal` for a fatal failure of the store. */
  readonly report = (subject: string, error: unknown): void =>
    isFatalStoreError(error) ? this.fatal(error) : this.warn(subject, error);
}
