import { type Scheduler } from '../../src/runtime/ports/scheduler.ts';

type Waiting = { readonly at: number; readonly run: () => void };

/** Whatever follows from what was just done is done, as far as it waits for no clock and no network. */
const rest = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => void setImmediate(resolve));
};

/** A server's clock in the hands of a test: it stands still, and goes on only as it is told. */
export class Clock implements Scheduler {
  #now = Date.now();
  readonly #waiting = new Set<Waiting>();

  readonly now = (): number => this.#now;

  /** How many wait for it. */
  get waiting(): number {
    return this.#waiting.size;
  }

  readonly after = (time: number, run: () => void): (() => void) => {
    const one = { at: this.#now + time, run };
    this.#waiting.add(one);
    return () => void this.#waiting.delete(one);
  };

  /** Goes on by so many milliseconds; what falls due meanwhile is done in its order, at its time. */
  async pass(time: number): Promise<void> {
    const end = this.#now + time;
    for (let next = this.#first(); next !== undefined && next.at <= end; next = this.#first()) {
      this.#now = Math.max(this.#now, next.at);
      this.#waiting.delete(next);
      next.run();
      await rest();
    }
    this.#now = end;
  }

  /** Goes on in small steps until something is so. */
  async when(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await this.pass(10);
      await rest();
    }
  }

  /** Goes on until something has come about. */
  async until<T>(coming: Promise<T>): Promise<T> {
    const state = { isThere: false };
    const seen = (): void => void (state.isThere = true);
    coming.then(seen, seen);
    await this.when(() => state.isThere);
    return coming;
  }

  #first(): Waiting | undefined {
    return [...this.#waiting].toSorted((one, other) => one.at - other.at)[0];
  }
}
