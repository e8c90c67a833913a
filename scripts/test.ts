// Runs every check of the project and counts them all: `npm test`; with the word `quick`, `npm run check`. Two lanes run
// side by side, since two processors is what most machines have at least; what a step prints comes out when it ends.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gaps, listedTests, rulebook, strays } from '../tests/rulebook/coverage.ts';
import { stale } from '../tests/rulebook/shown.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);
const quick = process.argv[2] === 'quick';
const folder = mkdtempSync(join(tmpdir(), 'punto-test-'));

/** The script behind a package's command, so that it runs on this Node, on every system. */
function commandOf(name: string): string {
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { bin } = require(manifest) as { bin: string | { [command: string]: string } };
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[name === 'typescript' ? 'tsc' : name]!);
}

type Ran = {
  readonly well: boolean;
  /** The signal that ended it, where it did not end by itself. */
  readonly signal: string | null;
  readonly output: string;
  readonly seconds: number;
};

/** Where tests begin and end many threads, V8 now and then loses track of pages of code that it guards by keys. */
const manyThreads = '--no-memory-protection-keys';

/** What every tool is started with. */
const usual = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter) };

/** What was compiled once is read back: half of a start of the server, of which there are hundreds. Counting does without. */
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** Runs a tool and keeps what it says. */
async function ran(name: string, args: readonly string[], env: NodeJS.ProcessEnv = usual): Promise<Ran> {
  const begun = performance.now();
  const child = spawn(process.execPath, [manyThreads, commandOf(name), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (part: Buffer) => parts.push(part));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...end) => {
      // What it said last may still be on its way; but a process that a failed test has left behind may hold the pipes.
      const patience = setTimeout(() => resolve(end), 2_000);
      child.on('close', () => {
        clearTimeout(patience);
        resolve(end);
      });
    });
  });
  const output = Buffer.concat(parts).toString('utf8');
  return { well: code === 0, signal, output, seconds: (performance.now() - begun) / 1000 };
}

let passed = 0;
let failed = 0;
let skipped = 0;

function check(title: string, well: boolean, said = ''): void {
  console.log(`${said}${well ? 'ok' : 'FAILED'}: ${title}`);
  if (well) passed++;
  else failed++;
}

async function tool(title: string, name: string, args: readonly string[]): Promise<void> {
  const { well, output, seconds } = await ran(name, args);
  check(`${title}, ${seconds.toFixed(1)} s`, well, well ? '' : output);
}

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

/** The names of all tests that ran, and of those that passed. */
const names = { all: [] as string[], passed: [] as string[] };

/** All tests that ran, with their files. */
const ranTests: { readonly file: string; readonly name: string }[] = [];

/** Runs tests by the runner's own words, adds their counts to ours, and tells the seconds of each file. */
async function tests(title: string, args: readonly string[], workers = 1): Promise<void> {
  const file = join(folder, `${title.replaceAll(' ', '-')}.json`);
  const words = ['run', `--maxWorkers=${workers}`, ...args, '--reporter=default', '--reporter=json'];
  const env = args.includes('--coverage') ? usual : { ...usual, ...compiled };
  const run = (): Promise<Ran> => ran('vitest', [...words, `--outputFile.json=${file}`], env);
  let { well, signal, output, seconds } = await run();
  // The engine itself now and then aborts where many threads begin and end, and with it the tests of a process: that is
  // no answer.
  if (!well && (signal !== null || output.includes('# Fatal error in'))) {
    console.log(`${output}\n${title}: the engine ended (${signal}), and they are run once more`);
    rmSync(file, { force: true });
    ({ well, signal, output, seconds } = await run());
  }
  if (!existsSync(file)) {
    check(title, false, `${output}\nended by ${signal ?? 'itself'}\n`);
    return;
  }
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const suites = testResults.map(({ name, startTime, endTime, assertionResults }) => {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const { fullName, status } of assertionResults) {
      names.all.push(fullName);
      ranTests.push({ file: relative(root, name).replaceAll('\\', '/'), name: fullName });
      if (status === 'passed') names.passed.push(fullName);
      count[status === 'passed' || status === 'failed' ? status : 'skipped']++;
    }
    return { ...count, seconds: (endTime - startTime) / 1000, path: relative(root, name) };
  });
  const sum = (of: 'passed' | 'failed' | 'skipped'): number => suites.reduce((all, suite) => all + suite[of], 0);
  passed += sum('passed');
  failed += sum('failed');
  skipped += sum('skipped');
  const rows = suites
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((suite) => `${suite.seconds.toFixed(1).padStart(8)} s  ${suite.path} (${suite.passed + suite.failed})`);
  console.log(
    `${well ? '' : output}${[`${title}: ${sum('passed') + sum('failed')} tests, ${seconds.toFixed(1)} s`, ...rows].join('\n')}`,
  );
  // A file that does not load, an error outside any test or a gap in coverage has no test to be counted by.
  if (!well && sum('failed') === 0) check(title, false);
}

// What runs in a browser knows a document; nothing else does.
async function statics(): Promise<void> {
  for (const part of ['.', 'src/web', 'tests/browser']) {
    await tool(`types of ${part}`, 'typescript', ['--noEmit', '-p', part]);
  }
  await tool('lint', 'oxlint', ['--type-aware', '--deny-warnings']);
  await tool('format', 'oxfmt', ['--check']);
  await tool('nothing unused', 'knip', []);
}

/** What a soak looks at: it would take minutes, and shows no row of a book that other tests do not show. */
const seldom =
  'away care display frozen help idle kit link lobby notices outage pace plug prepared sizes steady tiles undo staff/broken staff/pairs staff/device staff/felt staff/irregular staff/past staff/pit staff/ruled collect'
    .split(' ')
    .map((name) => `tests/browser/${name}.test.ts`);

/** The quick tests that reach every line of the rules. Counting what runs makes all others twice as long, and shows nothing more. */
const rooms = [
  ...['rules', 'games', 'roads', 'table', 'terminal', 'people', 'ledger', 'history'].map((room) => `src/${room}`),
  ...['terminal', 'people', 'history', 'ledger'].map((room) => `tests/${room}`),
];
const files = ['differences', 'people', 'service', 'severalMoney', 'terminals']
  .map((name) => `tests/floor/${name}.test.ts`)
  .concat('tests/server/recall.test.ts');
const counted = [...rooms, ...files, 'tests/table'];

/** Of tests/table, those that reach nothing that the rest does not. */
const uncounted = ['effects', 'schemas', 'settlements'];
const alreadyRun = [...rooms, ...files, `tests/table/!(${uncounted.join('|')}).test.ts`];

/** Long tests that a soak runs: days of a floor, whose storms stay. */
const patient = ['tests/chaos/day.test.ts', 'tests/floor/shoes.test.ts'];

const without = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => `--exclude=${part.endsWith('.ts') ? part : `${part}/**`}`);

const begun = performance.now();
try {
  const lanes = quick
    ? [statics(), tests('quick tests', ['--project=quick'], 2)]
    : [
        // Much of what these do is waiting, for a page, a lease or another program: several at a time keep a processor busy.
        tests('tests in a browser', ['--project=browser', ...without(seldom)], 2).then(() =>
          tests('long tests', ['--project=long', ...without(patient)], 4),
        ),
        statics()
          .then(() =>
            tests('quick tests that count what they reach of the rules', [
              '--project=quick',
              '--coverage',
              ...counted,
              ...without(uncounted.map((name) => `tests/table/${name}.test.ts`)),
            ]),
          )
          .then(() => tests('other quick tests', ['--project=quick', ...without(alreadyRun)]))
          .then(() => tests('full tests', ['--project=full'])),
      ];
  await Promise.all(lanes);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const book = rulebook();
const wrong = [...strays(book, names.all), ...(quick ? [] : gaps(book, names.passed))];
check(
  quick ? 'no test cites what does not exist' : 'every row of the rulebook is shown by a test that passed, or waits',
  wrong.length === 0,
  wrong.map((line) => `${line}\n`).join(''),
);
const due = stale(listedTests(), ranTests);
check(
  'rulebook/tests.json lists the tests that show each row; `npm run rows` writes it',
  due.length === 0,
  due.map((line) => `${line}\n`).join(''),
);
console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s in all`);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
