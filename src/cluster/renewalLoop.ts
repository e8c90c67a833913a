/** Shortest interval between two renewals, in milliseconds. */
export const minRenewalIntervalMs = 100;

type RenewalLoopOptions = {
  readonly renew: () => Promise<void>;
  /**
   * Called when the database has replied to a renewal. `requestedAt`: monotonic time of the request, in milliseconds.
   */
  readonly onReply: (requestedAt: number) => void;
  readonly onFailure: (error: unknown) => void;
  readonly nextMs: () => number;
  /** Delay after a failure, in milliseconds. */
  readonly retryMs: number;
};

/** Renewal loop: renews the leases of a node in time, one renewal at a time. */
export class RenewalLoop {
  readonly #options: RenewalLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #renewedAt = -Infinity;
  #isDue = false;
  #isStopped = false;

  constructor(options: RenewalLoopOptions) {
    this.#options = options;
  }

  schedule(time = this.#options.nextMs()): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.renew(), time);
  }

  /** Renews as soon as the minimum interval allows. If a renewal is running, another renewal follows it. */
  renewSoon(): void {
    this.#isDue = this.#renewing !== undefined;
    if (!this.#isDue) this.schedule(Math.max(0, this.#renewedAt + minRenewalIntervalMs - performance.now()));
  }

  /** Renews all leases. Concurrent calls share one renewal. */
  renew(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#renewing ??= this.#renewOnce().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  /** Renews several times, each time with a new request. */
  async renewTimes(count: number): Promise<void> {
    await this.untilIdle();
    for (let n = 0; n < count; n++) await this.renew();
  }

  async untilIdle(): Promise<void> {
    await this.#renewing;
  }

  /** Starts no more renewals. Resolves when a running renewal has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.untilIdle();
  }

  async #renewOnce(): Promise<void> {
    const { renew, onReply, onFailure, nextMs, retryMs } = this.#options;
    const requestedAt = performance.now();
    this.#renewedAt = requestedAt;
    try {
      await renew();
    } catch (error) {
      onFailure(error);
      this.schedule(retryMs);
      return;
    }
    onReply(requestedAt);
    const next = nextMs();
    this.schedule(this.#isDue ? Math.min(next, minRenewalIntervalMs) : next);
    this.#isDue = false;
  }
}
