import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    coverage: { include: ['src/rules/**', 'src/games/**'], thresholds: { branches: 100 } },
  },
});
