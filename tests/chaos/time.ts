type Timer = { readonly at: number; readonly run: () => void };

/** Clock and timers that advance only when the test advances them. */
export class TestClock {
  now: number;
  /** Ordered by time, then by order of creation. */
  readonly #timers: Timer[] = [];

  constructor(now: number) {
    this.now = now;
  }

  readonly clock = (): number => this.now;

  readonly after = (time: number, run: () => void): (() => void) => {
    const timer = { at: this.now + time, run };
    const index = this.#timers.findLastIndex(({ at }) => at <= timer.at) + 1;
    this.#timers.splice(index, 0, timer);
    return () => {
      const found = this.#timers.indexOf(timer);
      if (found >= 0) this.#timers.splice(found, 1);
    };
  };

  /** Flushes promises, runs the next timer at its time, and flushes again. False if there is no timer. */
  async step(): Promise<boolean> {
    await flushPromises();
    const hasRun = await this.next();
    await flushPromises();
    return hasRun;
  }

  /** Runs the next timer at its time and yields once to the event loop. False if there is no timer. */
  async next(): Promise<boolean> {
    const next = this.#timers.shift();
    if (next === undefined) return false;
    this.now = Math.max(this.now, next.at);
    next.run();
    await nextTurn();
    return true;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets settled promises run their callbacks. */
export async function flushPromises(): Promise<void> {
  for (let n = 0; n < 3; n++) await nextTurn();
}
