import { defineConfig } from 'vitest/config';

/**
 * Tests that run against each mutant of the table: those with examples, without the slow random ones. The test of
 * schemas is left out because it plays all scenarios while it loads: a mutant that is reached at load time counts as
 * static and runs every test, which takes hours.
 */
export default defineConfig({
  test: {
    isolate: false,
    include: ['tests/table/**/*.test.ts', 'tests/ledger/**/*.test.ts'],
    exclude: [
      'tests/table/random.test.ts',
      'tests/table/irregularities/pairs.test.ts',
      'tests/table/schema/schemas.test.ts',
    ],
    testTimeout: 600_000,
  },
});
