import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type TestClock } from './time.ts';

/** How many of a hundred messages are lost, come twice, or are under way for seconds. */
export type Lines = { readonly lost: number; readonly doubled: number; readonly slow: number };

/** Carries what is said, in either direction: never, once or twice, and each time at its own pace. */
export class Network {
  lines: Lines;
  readonly #time: TestClock;
  readonly #chance: RandomSource;

  constructor(time: TestClock, chance: RandomSource, lines: Lines) {
    this.#time = time;
    this.#chance = chance;
    this.lines = lines;
  }

  carry(deliver: () => void): void {
    const { lost, doubled } = this.lines;
    if (this.#isStruck(lost)) return;
    for (let copies = this.#isStruck(doubled) ? 2 : 1; copies > 0; copies--) {
      this.#time.after(this.#under(), deliver);
    }
  }

  /** How long a message is under way. */
  #under(): number {
    return this.#isStruck(this.lines.slow) ? this.#chance.below(15_000) : 5 + this.#chance.below(400);
  }

  #isStruck(ofHundred: number): boolean {
    return this.#chance.below(100) < ofHundred;
  }
}
