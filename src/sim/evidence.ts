import { fraction, numberOf } from '../odds/fraction.ts';
import { type Batch } from './play.ts';
import { type Slots } from './slots.ts';

/** One slot against what is exactly to be expected of it. */
type Finding = { readonly count: number; readonly frequency: number; readonly z: number; readonly off: boolean };

export type Evidence = {
  readonly rounds: number;
  readonly shoes: number;
  readonly findings: readonly Finding[];
  readonly agrees: boolean;
};

/** With fewer batches their own spread is too uncertain, and rounds are taken as independent. */
const enoughBatches = 200;

/** A slot of which fewer rounds are to be expected says nothing yet; a normal law needs some. */
const enoughRounds = 25;

/** The chance, over all slots together, of calling a right program wrong. */
const error = 0.001;

/** Adds up batches and weighs them; memory does not grow with them. */
export class Scale {
  readonly #expected: readonly number[];
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #batches = 0;
  #rounds = 0;
  #shoes = 0;

  constructor({ slots, deals }: Slots) {
    this.#expected = slots.map(({ count }) => numberOf(fraction(count, deals)));
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

  add({ rounds, counts }: Batch, shoes: number): void {
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

  weigh(): Evidence {
    const measured = this.#expected.map((probability, slot) => {
      const z = this.#zOf(slot, probability);
      const expected = this.#rounds * Math.min(probability, 1 - probability);
      return { slot, z, chance: expected < enoughRounds ? 1 : 2 * tail(Math.abs(z)) };
    });
    const off = beyondChance(measured);
    const findings = measured.map(({ slot, z }) => ({
      count: this.#counts[slot]!,
      frequency: this.#rounds === 0 ? 0 : this.#counts[slot]! / this.#rounds,
      z,
      off: off.has(slot),
    }));
    return { rounds: this.#rounds, shoes: this.#shoes, findings, agrees: off.size === 0 };
  }

  #zOf(slot: number, probability: number): number {
    const sum = this.#sums[slot]!;
    const batches = this.#batches;
    const spread =
      batches >= enoughBatches
        ? (batches / (batches - 1)) * (this.#squares[slot]! - (sum * sum) / batches)
        : this.#rounds * probability * (1 - probability);
    return spread > 0 ? sum / Math.sqrt(spread) : 0;
  }
}

/** Holm's rule: the smallest chance is held against the error over all slots, the next against that over all but one. */
function beyondChance(measured: readonly { readonly slot: number; readonly chance: number }[]): ReadonlySet<number> {
  const off = new Set<number>();
  const sorted = measured.toSorted((a, b) => a.chance - b.chance);
  for (const [place, { slot, chance }] of sorted.entries()) {
    if (chance > error / (sorted.length - place)) break;
    off.add(slot);
  }
  return off;
}

/** The chance that a normal variable exceeds z, for z of 0 or more, by a continued fraction or a series. */
export function tail(z: number): number {
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
