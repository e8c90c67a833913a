/** Lets what has something in common happen one after another, in the order in which it was asked for, and all else at once. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  take<Given>(keys: readonly string[], act: () => Promise<Given>): Promise<Given> {
    const before = new Set(keys.flatMap((key) => this.#last.get(key) ?? []));
    const given = before.size === 0 ? act() : Promise.all(before).then(act);
    const forget = (): void => this.#forget(keys, end);
    const end: Promise<void> = given.then(forget, forget);
    for (const key of keys) this.#last.set(key, end);
    return given;
  }

  #forget(keys: readonly string[], end: Promise<void>): void {
    for (const key of keys) if (this.#last.get(key) === end) this.#last.delete(key);
  }

  /** Resolves once all that was asked for has ended. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
