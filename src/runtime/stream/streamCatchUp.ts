import { isFatalStoreError } from '../../store/failures.ts';
import { backoffMsAfter, maxRetriesBeforeOutage } from './retryPolicy.ts';
import { SequenceWaiters } from './sequenceWaiters.ts';

type CatchUpOptions = {
  /** Returns the sequence of the last entry that this node has published. */
  readonly sequence: () => number;
  readonly isStopped: () => boolean;
  /** Reads and publishes the entries that other writers have appended. */
  readonly readNew: () => Promise<void>;
  readonly sleep: (time: number) => Promise<void>;
  readonly onRetrying: (error: unknown) => void;
  readonly onRecovered: () => void;
  readonly onFatal: (error: unknown) => Promise<void>;
};

/** Catch-up of one stream: reads and publishes entries up to the head that other writers have announced. */
export class StreamCatchUp {
  readonly #options: CatchUpOptions;
  #announcedHead = 0;
  readonly #waiters = new SequenceWaiters();

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  get isBehind(): boolean {
    return this.#announcedHead > this.#options.sequence();
  }

  /**
   * Records that another writer has appended up to `sequence`. Resolves when this node has published the stream up to
   * `sequence`, or when reading has failed too often.
   */
  announce(sequence: number): Promise<void> {
    this.#announcedHead = Math.max(this.#announcedHead, sequence);
    return this.#waiters.reach(sequence);
  }

  published(): void {
    this.#waiters.published(this.#options.sequence());
  }

  /**
   * Reads and publishes entries up to the announced head. Gives up after `maxRetriesBeforeOutage` retries; the next
   * announcement starts the reading again.
   */
  async run(): Promise<void> {
    const { sequence, isStopped, readNew, sleep, onRetrying, onRecovered, onFatal } = this.#options;
    let tries = 0;
    for (; this.isBehind && !isStopped() && tries <= maxRetriesBeforeOutage; tries++) {
      if (tries > 0) await sleep(backoffMsAfter(tries));
      try {
        await readNew();
      } catch (error) {
        onRetrying(error);
        if (isFatalStoreError(error)) await onFatal(error);
      }
    }
    if (tries > 1) onRecovered();
    this.#announcedHead = sequence();
    this.#waiters.releaseAll();
  }
}
