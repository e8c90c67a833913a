import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Files share a thread and what it has loaded: a process and a fresh start for each took 53 s of processor time where
    // this takes 31. No test changes a module for others.
    pool: 'threads',
    isolate: false,
    env: { PUNTO_SEED: process.env['PUNTO_SEED'] ?? String(randomInt(2 ** 31)) },
    setupFiles: 'tests/seed.ts',
    // Speed is for the benches: a busy machine fails no test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    coverage: {
      include: [
        'src/rules/**',
        'src/games/**',
        'src/roads/**',
        'src/table/**',
        'src/terminal/**',
        'src/ledger/**',
        'src/history/**',
      ],
      reporter: ['text-summary'],
      thresholds: { 100: true },
    },
    projects: [
      {
        extends: true,
        test: { name: 'house', include: ['src/**/*.test.ts', 'tests/**/*.test.ts'], exclude: ['tests/browser/**'] },
      },
      {
        extends: true,
        test: { name: 'browser', include: ['tests/browser/**/*.test.ts'], globalSetup: 'tests/browser/chromium.ts' },
      },
    ],
  },
});
