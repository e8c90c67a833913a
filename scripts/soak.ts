// `npm run soak`: the test files of `npm test` that take counts, with larger counts: more kills, faults, messages, rounds,
// screens. Loopback only.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { testFilesThatImport } from './testing/files.ts';
import { Results } from './testing/results.ts';
import { Sandbox } from './testing/sandbox.ts';
import { runVitest } from './testing/vitest.ts';

const counted = testFilesThatImport('tests/times.ts');

const usage = `Usage: npm run soak -- [--times N] [--minutes N] [PATH ...]

  --times N     counts N times those of npm test, 2 to 1000; 100 by default: 400 kills of a server, a disk that fails
                500 times, two million messages, a million malformed ones, five hours of a floor
  --minutes N   stop after N minutes, 1 to 1440; 480 by default
  PATH          only test files whose path begins with this; all that take counts:
                ${counted.join('\n                ')}`;

function numberIn(text: string, min: number, max: number): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number < min || number > max) fail();
  return number;
}

function fail(): never {
  console.error(usage);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        times: { type: 'string', default: '100' },
        minutes: { type: 'string', default: '480' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch {
    return fail();
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(usage);
  process.exit();
}
const times = numberIn(values.times, 2, 1000);
const minutes = numberIn(values.minutes, 1, 1440);
if (!positionals.every((path) => counted.some((file) => file.startsWith(path)))) fail();
const files = counted.filter((file) => positionals.length === 0 || positionals.some((path) => file.startsWith(path)));

const results = new Results();
const sandbox = new Sandbox();
const start = performance.now();

/** Runs one file to its end or until the time is up. Its tests report progress through a file, since a soak takes hours. */
async function soak(path: string, limitMs: number): Promise<void> {
  const progress = join(sandbox.folder, 'progress');
  writeFileSync(progress, '');
  let printed = 0;
  const print = (): void => {
    const text = readFileSync(progress, 'utf8');
    for (const line of text.slice(printed).split('\n').filter(Boolean)) console.log(`    ${line}`);
    printed = text.length;
  };
  const printing = setInterval(print, 5_000);
  const part = new Sandbox(sandbox);
  try {
    const run = await runVitest([path, '--maxWorkers=1', '--testTimeout=100000000'], part, {
      env: { PUNTO_SOAK: String(times), PUNTO_SOAK_PROGRESS: progress },
      limitMs,
    });
    print();
    const isCutOff = run.signal === 'SIGKILL';
    const remedy = isCutOff ? 'give it more --minutes or fewer --times' : `npm run vitest -- run ${path}`;
    const lines = [
      ...(run.isOk ? [] : [run.output]),
      ...(run.files ?? [])
        .flatMap(({ tests }) => tests)
        .map(({ name, status, seconds }) => `${status}: ${name}, ${seconds.toFixed(1)} s`),
      ...results.addRun(isCutOff ? `${path} did not end in time` : path, run, remedy),
    ];
    console.log(lines.join('\n'));
    // What is cut off cannot clean up.
    const leftovers = isCutOff ? [] : await part.leftovers(15_000);
    if (leftovers.length > 0) {
      console.log([...leftovers, results.check(`${path} leaves nothing behind`, false, remedy)].join('\n'));
    }
  } finally {
    clearInterval(printing);
    part.clear();
    rmSync(progress);
  }
}

sandbox.clearOnSignals();
try {
  for (const path of files) {
    console.log(`${path}, ${times} times the counts of npm test`);
    await soak(path, Math.max(1, minutes * 60_000 - (performance.now() - start)));
  }
} finally {
  sandbox.clear();
}
console.log(`${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
process.exitCode = results.conclude(console.log);
