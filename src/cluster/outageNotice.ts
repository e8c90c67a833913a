type OutageNoticeOptions = {
  /** A failure within this time after the last one belongs to the same outage, in milliseconds. */
  readonly settleMs: number;
  readonly print: (text: string) => void;
  readonly now?: () => number;
};

/**
 * Notice of a database outage: prints once that the database does not answer and once that it answers again, however
 * many requests fail in between.
 */
export class DatabaseOutageNotice {
  readonly #options: OutageNoticeOptions;
  /** Time of the last failure in the current outage; undefined when there is none. */
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
