type Waiter = { readonly sequence: number; readonly resolve: () => void };

/** Promises that resolve when a stream has been published up to a sequence. */
export class SequenceWaiters {
  #waiters: Waiter[] = [];

  reach(sequence: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push({ sequence, resolve });
    return promise;
  }

  published(sequence: number): void {
    if (this.#waiters.length === 0) return;
    for (const waiter of this.#waiters) if (waiter.sequence <= sequence) waiter.resolve();
    this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > sequence);
  }

  /** Resolves all promises, also those whose sequence was not reached. */
  releaseAll(): void {
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }
}
