import { chiSquareTail, normalTwoSidedTail, failedByHolm } from './statistics.ts';

/** What one test found. */
export type TestFinding = {
  readonly family: string;
  readonly name: string;
  readonly statistic: number;
  /** Degrees of freedom of a chi-square; null for a normal deviate. */
  readonly freedom: number | null;
  /** How often chance alone is off that far or further, to either side. */
  readonly p: number;
};

/** All tests together. */
export type Verdict = {
  readonly alpha: number;
  readonly findings: readonly TestFinding[];
  /** Tests for which there was too little to count: their names, by family. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Those that are off by more than chance allows among so many. */
  readonly off: readonly TestFinding[];
};

/** As many as chi-square wants in its smallest cell. */
const fewest = 5;

/** Takes what tests count, and weighs it. */
export class FindingCollector {
  readonly #all: TestFinding[] = [];
  readonly #leftOut = new Map<string, number>();

  /** Holds counts against what is expected in each cell. Too even is as suspicious as too uneven. */
  chiSquare(family: string, name: string, counts: ArrayLike<number>, expected: (cell: number) => number): void {
    let statistic = 0;
    for (let cell = 0; cell < counts.length; cell++) {
      const wanted = expected(cell);
      if (wanted < fewest) {
        this.#leftOut.set(family, (this.#leftOut.get(family) ?? 0) + 1);
        return;
      }
      statistic += (counts[cell]! - wanted) ** 2 / wanted;
    }
    const freedom = counts.length - 1;
    const above = chiSquareTail(statistic, freedom);
    this.#all.push({ family, name, statistic, freedom, p: 2 * Math.min(above, 1 - above) });
  }

  /** Holds a sum of many parts against its mean and variance. */
  normal(family: string, name: string, sum: number, mean: number, variance: number): void {
    const statistic = (sum - mean) / Math.sqrt(variance);
    this.#all.push({ family, name, statistic, freedom: null, p: normalTwoSidedTail(statistic) });
  }

  weigh(alpha: number): Verdict {
    const off = failedByHolm(
      this.#all.map(({ p }) => p),
      alpha,
    );
    return {
      alpha,
      findings: this.#all,
      leftOut: this.#leftOut,
      off: this.#all.filter((_, place) => off[place]),
    };
  }
}
