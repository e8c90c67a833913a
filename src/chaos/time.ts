/** Time that goes only when it is told to, and the calls that wait for it. */
export class MadeTime {
  now: number;
  #waiting: { readonly at: number; readonly run: () => void; readonly order: number }[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
  }

  readonly clock = (): number => this.now;

  readonly after = (time: number, run: () => void): (() => void) => {
    const call = { at: this.now + time, run, order: this.#order++ };
    this.#waiting.push(call);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== call);
    };
  };

  /** Everything that is under way comes to rest; then the next call is made, at its time. False when none waits. */
  async step(): Promise<boolean> {
    await rest();
    const next = this.#waiting.toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
    if (next === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.now = Math.max(this.now, next.at);
    next.run();
    await rest();
    return true;
  }

  /** All that waits is forgotten, as when a plug is pulled. */
  clear(): void {
    this.#waiting = [];
  }
}

/** Promises that are settled run to their end. */
export async function rest(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}
