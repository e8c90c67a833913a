import { defineConfig } from 'vitest/config';

/** Tests that run against each mutant of the table: those with examples, without the slow random ones. */
export default defineConfig({
  test: {
    include: ['tests/table/**/*.test.ts', 'tests/ledger/**/*.test.ts'],
    exclude: ['tests/table/random.test.ts', 'tests/table/irregularities/pairs.test.ts'],
    testTimeout: 600_000,
  },
});
