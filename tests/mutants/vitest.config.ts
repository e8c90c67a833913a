import { defineConfig } from 'vitest/config';

/** The tests that each mutant of the table is shown: those with examples, without the random ones, which take long. */
export default defineConfig({
  test: {
    include: ['tests/table/**/*.test.ts', 'tests/ledger/**/*.test.ts'],
    exclude: ['tests/table/random.test.ts', 'tests/table/pairs.test.ts'],
    testTimeout: 600_000,
  },
});
