import { type Metrics } from '../metrics/metrics.ts';
import { Outages } from '../runtime/ports/outageReporter.ts';
import { type Scheduler } from './operations/serverClock.ts';
import { type ServerOptions } from './serverOptions.ts';
import { DatabaseAway, isFatal } from '../store/failures.ts';

type FailureHandlerOptions = Pick<ServerOptions, 'onFatal' | 'onOutage' | 'warn'> & {
  readonly metrics: Metrics;
  readonly clock: () => number;
  readonly after: Scheduler['after'];
};

/** Sorts failures of a server into warnings, outages that are retried, and fatal failures. */
export class FailureHandler {
  readonly #options: FailureHandlerOptions;
  readonly #outages: Outages;
  #hasFailed = false;

  constructor(options: FailureHandlerOptions) {
    this.#options = options;
    this.#outages = new Outages({ clock: options.clock, after: options.after, tell: options.onOutage });
  }

  /** True after a fatal failure: nothing more is appended. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** True during an outage. */
  get isFailing(): boolean {
    return this.#outages.isFailing;
  }

  /** The store cannot be used any more. Reported once. */
  readonly fatal = (error: unknown): void => {
    if (!this.#hasFailed) this.#options.onFatal(error);
    this.#hasFailed = true;
  };

  /** A write failed and is retried; with `isPast` no retry waits for it. */
  readonly retrying = (subject: string, error: unknown, isPast = false): void => {
    if (!this.#outages.isFailing) this.#options.metrics.outage();
    this.#outages.failed(subject, error, isPast);
  };

  readonly recovered = (subject: string): void => this.#outages.mended(subject);

  /** Failure of one request: an unreachable database is an outage, anything else a warning. */
  readonly warn = (subject: string, error: unknown): void =>
    error instanceof DatabaseAway ? this.retrying(subject, error, true) : this.#options.warn(subject, error);

  /** Like `warn`, for requests that may also meet a fatal failure. */
  readonly report = (subject: string, error: unknown): void =>
    isFatal(error) ? this.fatal(error) : this.warn(subject, error);
}
