import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A mutant ends with the first test that fails: the file that noticed the one before is asked first, a slow one last. */
class QuickestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const last = this.ctx.cache.getTestSpecificationResult(file);
      return last?.failed ? -1 : (last?.duration ?? 0);
    };
    return Promise.resolve(files.toSorted((one, other) => rank(one) - rank(other)));
  }
}

/**
 * Tests that run against each mutant of the table: those with examples, without the slow random ones. The test of
 * schemas is left out because it plays all scenarios while it loads: a mutant that is reached at load time counts as
 * static and runs every test, which takes hours.
 */
export default defineConfig({
  test: {
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    include: ['tests/table/**/*.test.ts', 'tests/ledger/**/*.test.ts'],
    exclude: [
      'tests/table/random.test.ts',
      'tests/table/irregularities/pairs.test.ts',
      'tests/table/schema/schemas.test.ts',
    ],
    testTimeout: 600_000,
  },
});
