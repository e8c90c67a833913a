import { backoffMsAfter, isOutageAtNextFailure } from './retryPolicy.ts';

/** Counts the failures of one stream in a row, and applies the retry policy to them. */
export class RetryState {
  readonly #clock: () => number;
  #failures = 0;
  #failingSince = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Time at which the first failed try began, in milliseconds since 1970. */
  get failingSince(): number {
    return this.#failingSince;
  }

  get backoffMs(): number {
    return backoffMsAfter(this.#failures);
  }

  /** True if one more failure is an outage or, for a bug, a crash. */
  isExhausted(isDefect: boolean): boolean {
    return isOutageAtNextFailure(this.#failures, this.#clock() - this.#failingSince, isDefect);
  }

  addFailure(beganAt: number): void {
    if (this.#failures++ === 0) this.#failingSince = beganAt;
  }

  /** Call after a success. Returns true if failures preceded the success. */
  reset(): boolean {
    const wasFailing = this.isFailing;
    this.#failures = 0;
    return wasFailing;
  }
}
