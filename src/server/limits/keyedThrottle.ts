/**
 * Keyed throttle: the first call for a key starts a delay, after which `run` is called once. Further calls for the key
 * during the delay have no effect.
 */
export class KeyedThrottle<Key> {
  readonly #delayMs: number;
  readonly #run: (key: Key) => void;
  readonly #timers = new Map<Key, NodeJS.Timeout>();
  #isClosed = false;

  constructor(delayMs: number, run: (key: Key) => void) {
    this.#delayMs = delayMs;
    this.#run = run;
  }

  schedule(key: Key): void {
    if (this.#isClosed || this.#timers.has(key)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.#run(key);
    }, this.#delayMs);
    this.#timers.set(key, timer);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
