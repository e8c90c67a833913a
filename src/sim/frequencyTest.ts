import { fraction, fractionToNumber } from '../odds/fraction.ts';
import { assert } from '../base/assert.ts';
import { type BatchCounts } from './play.ts';
import { type OutcomeSlots } from './outcomeSlots.ts';

/**
 * How often one outcome occurred, compared with its exact expectation. `z` is the deviation in standard deviations.
 * `off` is true when the deviation is larger than chance explains.
 */
type SlotFinding = { readonly count: number; readonly frequency: number; readonly z: number; readonly off: boolean };

/** Result of the frequency test of a simulation. Findings are in the order of the outcome slots. */
export type FrequencyTestResult = {
  readonly rounds: number;
  readonly shoes: number;
  readonly findings: readonly SlotFinding[];
  /** True when at least one round was played and no outcome deviates more than chance explains. */
  readonly agrees: boolean;
  /**
   * Where the variance comes from: from the differences between batches, or, with fewer than 20 batches, from the exact
   * odds as if rounds were independent.
   */
  readonly variance: 'batches' | 'rounds';
};

/**
 * Minimum number of batches for an estimate of the variance. With fewer batches, the variance is computed from the
 * exact odds as if rounds were independent.
 */
const minBatches = 20;

/**
 * Minimum expected number of rounds with an outcome, and of rounds without the outcome. If one of the two is lower, the
 * Poisson distribution is used.
 */
const minExpectedRounds = 25;

/** Family-wise error rate: the probability that a correct program fails the test, over all outcomes together. */
const familyErrorRate = 0.001;

/**
 * Goodness-of-fit test of outcome counts. Batches are added one by one, and the memory does not grow with their number.
 */
export class FrequencyTest {
  readonly #expected: readonly number[];
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #wagers: number;
  #batches = 0;
  #rounds = 0;
  #shoes = 0;

  constructor({ slots, deals }: OutcomeSlots) {
    this.#expected = slots.map(({ count }) => fractionToNumber(fraction(count, deals)));
    this.#wagers = new Set(slots.map(({ wager }) => wager)).size;
    this.#counts = new Float64Array(slots.length);
    this.#sums = new Float64Array(slots.length);
    this.#squares = new Float64Array(slots.length);
  }

  get rounds(): number {
    return this.#rounds;
  }

  get shoes(): number {
    return this.#shoes;
  }

  add({ rounds, counts }: BatchCounts, shoes: number): void {
    this.#batches++;
    this.#rounds += rounds;
    this.#shoes += shoes;
    counts.forEach((count, slot) => {
      const excess = count - rounds * this.#expected[slot]!;
      this.#counts[slot]! += count;
      this.#sums[slot]! += excess;
      this.#squares[slot]! += excess * excess;
    });
  }

  evaluate(): FrequencyTestResult {
    const rounds = this.#rounds;
    const total = this.#counts.reduce((sum, count) => sum + count, 0);
    assert(total === rounds * this.#wagers, 'every round settles every wager once');
    const measured = this.#expected.map((probability, slot) => {
      const z = this.#zOf(slot, probability);
      const rare = Math.min(probability, 1 - probability);
      const count = rare === probability ? this.#counts[slot]! : rounds - this.#counts[slot]!;
      const pValue =
        rounds * rare < minExpectedRounds
          ? poissonPValue(count, rounds * rare)
          : 2 * normalUpperTail(this.#normalEquivalent(Math.abs(z)));
      return { slot, z, chance: pValue };
    });
    const off = holmRejections(measured);
    const findings = measured.map(({ slot, z }) => ({
      count: this.#counts[slot]!,
      frequency: rounds === 0 ? 0 : this.#counts[slot]! / rounds,
      z,
      off: off.has(slot),
    }));
    const variance = this.#batches >= minBatches ? 'batches' : 'rounds';
    return { rounds, shoes: this.#shoes, findings, agrees: rounds > 0 && off.size === 0, variance };
  }

  /**
   * Normal equivalent of Student's t (Wallace's approximation), for a variance estimated from batches. With fewer than
   * `minBatches` batches the variance is not estimated, so z is returned unchanged.
   */
  #normalEquivalent(z: number): number {
    const freedom = this.#batches - 1;
    if (this.#batches < minBatches) return z;
    return ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((z * z) / freedom));
  }

  #zOf(slot: number, probability: number): number {
    const sum = this.#sums[slot]!;
    const batches = this.#batches;
    const spread =
      batches >= minBatches
        ? (batches / (batches - 1)) * (this.#squares[slot]! - (sum * sum) / batches)
        : this.#rounds * probability * (1 - probability);
    return spread > 0 ? sum / Math.sqrt(spread) : 0;
  }
}

/**
 * Holm-Bonferroni method: returns the slots that deviate more than chance explains. The smallest p-value is compared
 * with the error rate divided by the number of tests, the next with the rate divided by one test fewer, and so on.
 */
function holmRejections(measured: readonly { readonly slot: number; readonly chance: number }[]): ReadonlySet<number> {
  const off = new Set<number>();
  const sorted = measured.toSorted((a, b) => a.chance - b.chance);
  for (const [rank, { slot, chance: pValue }] of sorted.entries()) {
    if (pValue > familyErrorRate / (sorted.length - rank)) break;
    off.add(slot);
  }
  return off;
}

/** Two-sided p-value of a count by the Poisson distribution. */
export function poissonPValue(count: number, expected: number): number {
  const upward = count > expected;
  let log = -expected;
  for (let k = 1; k <= count; k++) log += Math.log(expected / k);
  let term = Math.exp(log);
  let sum = 0;
  for (let k = count; term > 0 && (upward ? term > sum * 1e-17 : k >= 0);) {
    sum += term;
    term *= upward ? expected / ++k : k-- / expected;
  }
  return Math.min(1, 2 * sum);
}

/** Upper tail of the normal distribution for z >= 0: by a continued fraction above 3, else by a series. */
export function normalUpperTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 3) {
    let fractionOf = z;
    for (let k = 60; k >= 1; k--) fractionOf = z + k / fractionOf;
    return density / fractionOf;
  }
  let term = z;
  let sum = z;
  for (let k = 1; k < 60; k++) sum += term *= (z * z) / (2 * k + 1);
  return 0.5 - density * sum;
}
