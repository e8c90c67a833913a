type OutageNoticeOptions = {
  /** Milliseconds without a failure after which an outage may end. */
  readonly settleMs: number;
  readonly print: (text: string) => void;
  readonly now?: () => number;
};

/**
 * Notice of a database outage: prints one text when the database stops answering, and one text when it answers again,
 * however many requests fail.
 */
export class DatabaseOutageNotice {
  readonly #options: OutageNoticeOptions;
  /** Time of the last failure in the current outage; undefined when there is no outage. */
  #failedAt: number | undefined;
  #answeredAt: number;

  constructor(options: OutageNoticeOptions) {
    this.#options = options;
    this.#answeredAt = this.#now;
  }

  get #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  get sinceLastAnswerMs(): number {
    return this.#now - this.#answeredAt;
  }

  failed(error: unknown): void {
    if (this.#failedAt === undefined) this.#options.print(`the database does not answer: ${(error as Error).message}`);
    this.#failedAt = this.#now;
  }

  /**
   * Records an answer. The outage ends only after `settleMs` without a failure, because other connections may still
   * fail.
   */
  answered(): void {
    this.#answeredAt = this.#now;
    if (this.#failedAt === undefined || this.#now - this.#failedAt < this.#options.settleMs) return;
    this.#failedAt = undefined;
    this.#options.print('the database answers again.');
  }
}
