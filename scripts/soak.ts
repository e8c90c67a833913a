// `npm run soak`: what needs long. The tests that kill servers, storm floors, flood sockets, try any commands and
// enumerate deals run many times as long as in `npm test`; what was done is told after each. Loopback only.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Where tests begin and end many threads, V8 now and then loses track of pages of code that it guards by keys.
const manyThreads = '--no-memory-protection-keys';
const root = fileURLToPath(new URL('../', import.meta.url));
const suites = [
  'tests/floor/clock',
  'tests/floor/shoes',
  'tests/client/slips',
  'tests/store/flips',
  'tests/store/standby',
  'tests/nodes/takeover',
  'tests/nodes/storm',
  'tests/server/malformed',
  'tests/server/faults',
  'tests/server/crash',
  'tests/chaos/day',
  'tests/server/messages',
  'tests/chaos/chaos',
  'tests/table/random',
  'tests/table/pairs',
  'tests/full',
  'tests/cli/database',
  'tests/browser',
];

const usage = `Usage: npm run soak -- [--times N] [--minutes N] [SUITE ...]

  --times N     so many times as long as in npm test, 2 to 1000; 100 unless given: 1,200 kills, a disk bad 500 times, two million messages and one of malformed ones, 12 hours of a floor
  --minutes N   give up after so long, 1 to 1440; 480 unless given
  SUITE         only these of: ${suites.join(' ')}`;

function wholeIn(text: string, least: number, most: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < least || number > most) {
    console.error(usage);
    process.exit(2);
  }
  return number;
}

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '100' }, minutes: { type: 'string', default: '480' } },
  allowPositionals: true,
});
const times = wholeIn(values.times, 2, 1000);
const minutes = wholeIn(values.minutes, 1, 1440);
const chosen = positionals.length > 0 ? positionals : suites;
if (!chosen.every((suite) => suites.includes(suite))) {
  console.error(usage);
  process.exit(2);
}

type Report = {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number;
    }[];
  }[];
};

/** Runs one suite to its end, or until the time is up. */
async function soak(suite: string, left: number): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'punto-soak-'));
  const file = join(folder, 'report.json');
  const said = join(folder, 'said');
  writeFileSync(said, '');
  const words = ['run', suite, '--maxWorkers=1', '--testTimeout=100000000', '--reporter=default', '--reporter=json'];
  const runner = spawn(
    process.execPath,
    [manyThreads, join(root, 'node_modules/vitest/vitest.mjs'), ...words, `--outputFile.json=${file}`],
    {
      cwd: root,
      env: { ...process.env, PUNTO_SOAK: String(times), PUNTO_SAID: said },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const parts: Buffer[] = [];
  for (const pipe of [runner.stdout, runner.stderr]) pipe.on('data', (part: Buffer) => parts.push(part));
  // What is done by now is told at once: a soak takes hours.
  let told = 0;
  const tell = (): void => {
    const text = readFileSync(said, 'utf8');
    for (const line of text.slice(told).split('\n').filter(Boolean)) console.log(`    ${line}`);
    told = text.length;
  };
  const telling = setInterval(tell, 5_000);
  const timer = setTimeout(() => runner.kill('SIGKILL'), left);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    runner.on('exit', (...ended) => setTimeout(() => resolve(ended), 500)),
  );
  clearTimeout(timer);
  clearInterval(telling);
  tell();
  try {
    if (signal === 'SIGKILL') {
      console.log(`FAILED: ${suite} was not done when its time was up; give it more --minutes or fewer --times.`);
      return { passed: 0, failed: 1 };
    }
    if (code !== 0) console.log(Buffer.concat(parts).toString('utf8'));
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { fullName, status, duration = 0 } of tests) {
      console.log(`${status === 'passed' ? 'ok' : 'FAILED'}: ${fullName}, ${(duration / 1000).toFixed(1)} s`);
    }
    const passed = tests.filter(({ status }) => status === 'passed').length;
    return { passed, failed: Math.max(tests.length - passed, code === 0 ? 0 : 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const begun = performance.now();
let passed = 0;
let failed = 0;
for (const suite of chosen) {
  console.log(`${suite}, ${times} times as long as in npm test`);
  const counts = await soak(suite, minutes * 60_000 - (performance.now() - begun));
  passed += counts.passed;
  failed += counts.failed;
}
console.log(`${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
