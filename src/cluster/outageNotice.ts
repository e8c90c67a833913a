type Parts = {
  /** What fails again within so many milliseconds has not been got over. */
  readonly lasts: number;
  readonly say: (text: string) => void;
  readonly now?: () => number;
};

/** Tells once that a database does not answer, and once that it does again, however many ask it meanwhile and how. */
export class OutageNotice {
  readonly #parts: Parts;
  /** When something was last asked in vain, while that is not over. */
  #failed: number | undefined;
  #answered: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#answered = this.#now;
  }

  get #now(): number {
    return (this.#parts.now ?? (() => performance.now()))();
  }

  /** So long ago the last answer came, in milliseconds. */
  get lasts(): number {
    return this.#now - this.#answered;
  }

  failed(error: unknown): void {
    if (this.#failed === undefined) this.#parts.say(`the database does not answer: ${(error as Error).message}`);
    this.#failed = this.#now;
  }

  /** One connection may be answered while others cannot be had. */
  answered(): void {
    this.#answered = this.#now;
    if (this.#failed === undefined || this.#now - this.#failed < this.#parts.lasts) return;
    this.#failed = undefined;
    this.#parts.say('the database answers again.');
  }
}
