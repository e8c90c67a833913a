import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type TestClock } from '../time.ts';

/** Percentage of messages that are lost, duplicated, or delayed by seconds. */
export type NetworkFaults = { readonly lost: number; readonly duplicated: number; readonly slow: number };

/** Network in both directions: delivers a message never, once or twice, each time with its own delay. */
export class Network {
  faults: NetworkFaults;
  readonly #time: TestClock;
  readonly #random: RandomSource;

  constructor(time: TestClock, random: RandomSource, faults: NetworkFaults) {
    this.#time = time;
    this.#random = random;
    this.faults = faults;
  }

  transmit(deliver: () => void): void {
    const { lost, duplicated } = this.faults;
    if (this.#isFaulty(lost)) return;
    for (let copies = this.#isFaulty(duplicated) ? 2 : 1; copies > 0; copies--) {
      this.#time.after(this.#delayMs(), deliver);
    }
  }

  /** Delay of a message. */
  #delayMs(): number {
    return this.#isFaulty(this.faults.slow) ? this.#random.below(15_000) : 5 + this.#random.below(400);
  }

  #isFaulty(percent: number): boolean {
    return this.#random.below(100) < percent;
  }
}
