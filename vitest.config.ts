import { randomInt } from 'node:crypto';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const all = ['src/**/*.test.ts', 'tests/**/*.test.ts'];
/** Tests that start processes, wait for another program or take long: `npm run check` leaves them out. */
const long = [
  'tests/architecture/{docs,examples,setup,soak}.test.ts',
  'tests/{cli,chaos,labpack,cluster,settle}/**/*.test.ts',
  'tests/bench/short.test.ts',
  'tests/server/failures/{crash,diskFaults,messages,malformed}.test.ts',
  'tests/store/**/*.test.ts',
  'tests/runtime/tables/shoes.test.ts',
  'tests/table/{random,irregularities/pairs}.test.ts',
  'tests/history/rebuild.test.ts',
  'tests/checkpoint/fullDisk.test.ts',
  'tests/verify/verify.test.ts',
];
const full = ['tests/full/**/*.test.ts'];
const browser = ['tests/browser/**/*.test.ts'];

/** The slowest files run first, so that no run waits for one of them at its end. */
const slowest = [
  'cluster/takeover',
  'cli/eventLog/backup',
  'cli/floor/databaseFailures',
  'cli/floor/database',
  'chaos/chaos',
  'cluster/members',
  'browser/layout/layouts',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = slowest.findIndex((name) => moduleId.endsWith(`tests/${name}.test.ts`));
      return at === -1 ? slowest.length : at;
    };
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

const project = (name: string, test: object) => ({ extends: true as const, test: { name, ...test } });

export default defineConfig({
  test: {
    // Files share a thread and what it has loaded: a process and a fresh start for each took 53 s of processor time where
    // this takes 31. No test changes a module for others.
    pool: 'threads',
    isolate: false,
    env: { PUNTO_SEED: process.env['PUNTO_SEED'] ?? String(randomInt(2 ** 31)) },
    setupFiles: 'tests/seed.ts',
    sequence: { sequencer: SlowestFirst },
    // Speed is for the benches: a busy machine fails no test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    coverage: {
      include: [
        'src/base/**',
        'src/access/**',
        'src/rules/**',
        'src/games/**',
        'src/roads/**',
        'src/table/**',
        'src/terminal/**',
        'src/staff/**',
        'src/floor/**',
        'src/ledger/**',
        'src/deciders/**',
        'src/history/**',
      ],
      reporter: ['text-summary'],
      thresholds: { 100: true },
    },
    projects: [
      project('quick', { include: [...all, ...[...long, ...full, ...browser].map((files) => `!${files}`)] }),
      // These begin and end many threads, at which the engine now and then aborts: that ends one process, and the report
      // of the others is written all the same.
      project('long', {
        include: long,
        globalSetup: 'tests/store/postgres/postgres.ts',
        pool: 'forks',
        execArgv: ['--no-memory-protection-keys'],
      }),
      project('full', { include: full }),
      project('browser', {
        include: browser,
        globalSetup: 'tests/browser/support/chromium.ts',
      }),
    ],
  },
});
