/** Keyed mutex: tasks that share a key run in FIFO order; other tasks run concurrently. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  run<Result>(keys: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const earlier = new Set(keys.flatMap((key) => this.#last.get(key) ?? []));
    const result = earlier.size === 0 ? task() : Promise.all(earlier).then(task);
    const forget = (): void => this.#release(keys, end);
    const end: Promise<void> = result.then(forget, forget);
    for (const key of keys) this.#last.set(key, end);
    return result;
  }

  #release(keys: readonly string[], end: Promise<void>): void {
    for (const key of keys) if (this.#last.get(key) === end) this.#last.delete(key);
  }

  /** Resolves when no task runs or waits. */
  async whenIdle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
