import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    // Speed is for the benches: a busy machine fails no test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    coverage: {
      include: ['src/rules/**', 'src/games/**', 'src/roads/**', 'src/table/**', 'src/terminal/**', 'src/ledger/**'],
      reporter: ['text-summary'],
      thresholds: { 100: true },
    },
  },
});
