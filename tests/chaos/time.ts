type Call = { readonly at: number; readonly run: () => void };

/** Time that goes only when it is told to, and the calls that wait for it. */
export class MadeTime {
  now: number;
  /** By time; among those of one time the first that asked comes first. */
  readonly #waiting: Call[] = [];

  constructor(now: number) {
    this.now = now;
  }

  readonly clock = (): number => this.now;

  readonly after = (time: number, run: () => void): (() => void) => {
    const call = { at: this.now + time, run };
    const place = this.#waiting.findLastIndex(({ at }) => at <= call.at) + 1;
    this.#waiting.splice(place, 0, call);
    return () => {
      const found = this.#waiting.indexOf(call);
      if (found >= 0) this.#waiting.splice(found, 1);
    };
  };

  /** Everything that is under way comes to rest; then the next call is made, at its time. False when none waits. */
  async step(): Promise<boolean> {
    await rest();
    const isMade = await this.next();
    await rest();
    return isMade;
  }

  /** The next call is made, and what it leads to goes on as far as it can at once. False when none waits. */
  async next(): Promise<boolean> {
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    this.now = Math.max(this.now, next.at);
    next.run();
    await turn();
    return true;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Promises that are settled run to their end. */
export async function rest(): Promise<void> {
  for (let n = 0; n < 3; n++) await turn();
}
