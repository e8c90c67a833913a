import { backoffMs, isOutage } from './retryPolicy.ts';

/** Failures of one stream in a row, and what the retry policy makes of them. */
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

  /** Start of the try that failed first. */
  get failingSince(): number {
    return this.#failingSince;
  }

  /** Delay before the next try, in milliseconds. */
  get backoffMs(): number {
    return backoffMs(this.#failures);
  }

  /** Whether one more failure is an outage or, for a bug, a crash. */
  isExhausted(isDefect: boolean): boolean {
    return isOutage(this.#failures, this.#clock() - this.#failingSince, isDefect);
  }

  /** A try that began at that time has failed. */
  addFailure(beganAt: number): void {
    if (this.#failures++ === 0) this.#failingSince = beganAt;
  }

  /** Call after a success; returns whether there were failures before. */
  reset(): boolean {
    const wasFailing = this.isFailing;
    this.#failures = 0;
    return wasFailing;
  }
}
