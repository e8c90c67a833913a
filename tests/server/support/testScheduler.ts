import { type Scheduler } from '../../../src/runtime/ports/scheduler.ts';

type Timer = { readonly at: number; readonly run: () => void };

/** Runs everything that waits for neither timers nor network. */
const flushPromises = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => void setImmediate(resolve));
};

/** Scheduler of a test server: time advances only when the test advances it. */
export class TestScheduler implements Scheduler {
  #now = Date.now();
  readonly #timers = new Set<Timer>();

  readonly now = (): number => this.#now;

  /** Number of timers. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  readonly after = (time: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + time, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Advances time; timers that become due run in order, each at its time. */
  async advance(time: number): Promise<void> {
    const end = this.#now + time;
    for (let next = this.#first(); next !== undefined && next.at <= end; next = this.#first()) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.run();
      await flushPromises();
    }
    this.#now = end;
  }

  /** Advances time in steps of 10 ms until the condition is true. */
  async advanceUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await this.advance(10);
      await flushPromises();
    }
  }

  /** Advances time until the promise is settled. */
  async advanceUntilSettled<T>(promise: Promise<T>): Promise<T> {
    const state = { isThere: false };
    const markSettled = (): void => void (state.isThere = true);
    promise.then(markSettled, markSettled);
    await this.advanceUntil(() => state.isThere);
    return promise;
  }

  #first(): Timer | undefined {
    return [...this.#timers].toSorted((timer, other) => timer.at - other.at)[0];
  }
}
