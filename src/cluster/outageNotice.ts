type OutageNoticeOptions = {
  /** A failure within this time after the last one belongs to the same outage, in milliseconds. */
  readonly settleMs: number;
  readonly print: (text: string) => void;
  readonly now?: () => number;
};

/**
 * Outage notice: prints once that the database does not answer and once that it does again, however many requests
 * fail.
 */
export class DatabaseOutageNotice {
  readonly #options: OutageNoticeOptions;
  /** Last failure of the current outage. */
  #failedAt: number | undefined;
  #answeredAt: number;

  constructor(options: OutageNoticeOptions) {
    this.#options = options;
    this.#answeredAt = this.#now;
  }

  get #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** Time since the last answer, in milliseconds. */
  get sinceLastAnswerMs(): number {
    return this.#now - this.#answeredAt;
  }

  failed(error: unknown): void {
    if (this.#failedAt === undefined) this.#options.print(`the database does not answer: ${(error as Error).message}`);
    this.#failedAt = this.#now;
  }

  /** One connection may be answered while others still fail. */
  answered(): void {
    this.#answeredAt = this.#now;
    if (this.#failedAt === undefined || this.#now - this.#failedAt < this.#options.settleMs) return;
    this.#failedAt = undefined;
    this.#options.print('the database answers again.');
  }
}
