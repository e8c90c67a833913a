import { type Scheduler } from '../operations/serverClock.ts';

/** So often wrong numbers are told of at most, in milliseconds. */
const tellEvery = 60_000;

/** Sums up the wrong numbers of all who try, so that no number of them fills the record. */
export class AttemptReport {
  readonly #after: Scheduler['after'];
  readonly #tell: (tries: number, since: number) => void;
  #tries = 0;
  #since = 0;
  #isDue = false;
  /** Stops the wait until more may be told. */
  #stop: (() => void) | undefined;

  constructor(after: Scheduler['after'], tell: (tries: number, since: number) => void) {
    this.#after = after;
    this.#tell = tell;
  }

  add(at: number): void {
    if (this.#tries === 0) this.#since = at;
    this.#tries += 1;
  }

  /** They are to be told of: now, or once the last time is long enough ago. */
  due(): void {
    this.#isDue = true;
    if (this.#stop === undefined) this.#tellNow();
  }

  /** Tells what is due without waiting any longer. */
  close(): void {
    this.#stop?.();
    if (this.#isDue) this.#tellNow();
    this.#stop?.();
  }

  #tellNow(): void {
    const tries = this.#tries;
    this.#isDue = false;
    this.#tries = 0;
    this.#stop = this.#after(tellEvery, () => {
      this.#stop = undefined;
      if (this.#isDue) this.#tellNow();
    });
    this.#tell(tries, this.#since);
  }
}
