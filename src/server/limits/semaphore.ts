/** Lets so many work at a time; the others wait, and come in the order in which they asked. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
