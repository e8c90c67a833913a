import { chiSquareTail, normalTwoSidedTail, failedByHolm } from './statistics.ts';

export type TestFinding = {
  readonly family: string;
  readonly name: string;
  readonly statistic: number;
  /** Degrees of freedom of a chi-square test; null for a z-test. */
  readonly freedom: number | null;
  /** Two-sided p-value. */
  readonly p: number;
};

export type FindingsVerdict = {
  readonly alpha: number;
  readonly findings: readonly TestFinding[];
  /** Number of tests that were skipped because of a too small expected count, by family. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Tests that failed after Holm's correction for the number of tests. */
  readonly off: readonly TestFinding[];
};

/** Minimum expected count of each cell for a valid chi-square test. */
const minExpectedCount = 5;

/** Collects the findings of all tests and judges them together. */
export class FindingCollector {
  readonly #all: TestFinding[] = [];
  readonly #leftOut = new Map<string, number>();

  /**
   * Adds a chi-square test, or skips it if an expected count is too small. The test is two-sided: counts that are too
   * even are as suspicious as counts that are too uneven.
   */
  chiSquare(family: string, name: string, counts: ArrayLike<number>, expected: (cell: number) => number): void {
    let statistic = 0;
    for (let cell = 0; cell < counts.length; cell++) {
      const expectedCount = expected(cell);
      if (expectedCount < minExpectedCount) {
        this.#leftOut.set(family, (this.#leftOut.get(family) ?? 0) + 1);
        return;
      }
      statistic += (counts[cell]! - expectedCount) ** 2 / expectedCount;
    }
    const freedom = counts.length - 1;
    const upperTail = chiSquareTail(statistic, freedom);
    this.#all.push({ family, name, statistic, freedom, p: 2 * Math.min(upperTail, 1 - upperTail) });
  }

  /** Adds a z-test of a sum with known mean and variance. */
  normal(family: string, name: string, sum: number, mean: number, variance: number): void {
    const statistic = (sum - mean) / Math.sqrt(variance);
    this.#all.push({ family, name, statistic, freedom: null, p: normalTwoSidedTail(statistic) });
  }

  judge(alpha: number): FindingsVerdict {
    const isOff = failedByHolm(
      this.#all.map(({ p }) => p),
      alpha,
    );
    return {
      alpha,
      findings: this.#all,
      leftOut: this.#leftOut,
      off: this.#all.filter((_, index) => isOff[index]),
    };
  }
}
