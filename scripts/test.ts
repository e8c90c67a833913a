// `npm test`: every check and every test file of the project. With the word `check`, `npm run check`: types, lint, format
// and the quick tests. The output of a step is printed when the step ends.
import { join } from 'node:path';
import { gaps, listedTests, rulebook, strays } from '../tests/rulebook/coverage.ts';
import { stale } from '../tests/rulebook/testsByRow.ts';
import {
  binVariable,
  hasPostgres,
  noPostgresText,
  oldestPostgresBin,
  postgresVersion,
  testsOnOldestPostgres,
} from '../tests/store/postgres/binaries.ts';
import { changesIn, changesSince } from './testing/checkout.ts';
import { filesNotRun, testFiles } from './testing/files.ts';
import { runAndRepeat } from './testing/repeat.ts';
import { Results } from './testing/results.ts';
import { Sandbox } from './testing/sandbox.ts';
import { runStaticChecks } from './testing/staticChecks.ts';
import { type TestFile, root, runTool, runVitest } from './testing/vitest.ts';

const isCheck = process.argv[2] === 'check';
const results = new Results();
const sandbox = new Sandbox();

/** Compiled modules are kept: half of the time of a server's start, of which there are hundreds. Coverage cannot use them. */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };

/** Counts a check and prints its line, after the lines that say what is wrong. */
function check(title: string, wrong: readonly string[], remedy: string): void {
  console.log([...wrong, results.check(title, wrong.length === 0, remedy)].join('\n'));
}

const statics = (): Promise<void> =>
  runStaticChecks(results, (tool, args) => runTool(tool, args, { env: sandbox.env }), console.log);

/** Quotes an argument for a shell where it has characters with a meaning there. */
const quoteArgument = (argument: string): string => (/[^\w./=:-]/.test(argument) ? `'${argument}'` : argument);

const countOf = ({ tests }: TestFile): number => tests.filter(({ status }) => status !== 'skipped').length;

const leftovers: string[] = [];

/** Runs test files in parallel and prints the seconds of each. A run that the engine aborted is repeated once. */
async function runTests(
  title: string,
  args: readonly string[],
  workers: number,
  variables: { readonly [name: string]: string } = {},
): Promise<void> {
  const env = { ...variables, ...(!args.includes('--coverage') && compileCache) };
  const command = [...Object.entries(variables).map(([name, value]) => `${name}=${value}`), 'npm run vitest -- run'];
  const { run, aborted, ...left } = await runAndRepeat(
    sandbox,
    (part) => runVitest([`--maxWorkers=${workers}`, ...args], part, { env }),
    ({ output, signal }) => {
      results.retries++;
      console.log(`${output}\n${title}: the engine aborted (${signal ?? 'in a worker'}); running them again`);
    },
  );
  leftovers.push(...left.leftovers);
  const { isOk, output, files = [], seconds } = run;
  const rows = files
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((file) => `${file.seconds.toFixed(1).padStart(8)} s  ${file.path} (${countOf(file)})`);
  const count = files.reduce((sum, file) => sum + countOf(file), 0);
  const lines = [
    ...(isOk ? [] : [output]),
    `${title}: ${count} tests, ${seconds.toFixed(1)} s`,
    ...rows,
    ...(aborted ? results.addAborted(aborted, run) : []),
    ...results.addRun(title, run, [...command, ...args.map(quoteArgument)].join(' '), command.join(' ')),
  ];
  console.log(lines.join('\n'));
}

/** The quick tests that reach every line of the rules. Coverage doubles the time of all others and shows nothing more. */
const folders = [
  ...[
    'base',
    'access',
    'rules',
    'games',
    'roads',
    'table',
    'terminal',
    'staff',
    'floor',
    'ledger',
    'deciders',
    'history',
  ].map((name) => `src/${name}`),
  ...['terminal', 'staff', 'history', 'ledger'].map((name) => `tests/${name}`),
];
const single = [
  'floor/changedSettings',
  'floor/floorStream',
  'staff/staffAccounts',
  'tables/attendedTable',
  'nodes/money',
  'money/terminals',
  'money/terminalSecrets',
]
  .map((name) => `tests/runtime/${name}.test.ts`)
  .concat('tests/server/patron/recall.test.ts');

/** Of tests/table, those that reach nothing that the rest does not. */
const uncounted = ['effects', 'schemas', 'settlements'];

const exclude = (patterns: readonly string[]): readonly string[] => patterns.map((pattern) => `--exclude=${pattern}`);

const coverage = (): Promise<void> =>
  runTests(
    'quick tests with coverage of the rules',
    [
      '--project=quick',
      '--coverage',
      ...folders,
      ...single,
      'tests/table',
      ...exclude(uncounted.map((name) => `tests/table/**/${name}.test.ts`)),
    ],
    1,
  );

const otherQuick = (): Promise<void> =>
  runTests(
    'other quick tests',
    [
      '--project=quick',
      ...exclude([
        ...folders.map((folder) => `${folder}/**`),
        ...single,
        `tests/table/**/!(${uncounted.join('|')}).test.ts`,
      ]),
    ],
    1,
  );

/** Runs after the long tests, of which these files are a part, so that the number of skipped tests is known. */
async function oldestPostgres(): Promise<void> {
  const folder = process.env[binVariable] ?? oldestPostgresBin;
  if (hasPostgres(folder)) {
    return runTests(`tests on ${postgresVersion(folder)}`, ['--project=long', ...testsOnOldestPostgres], 2, {
      [binVariable]: folder,
    });
  }
  const count = results.files
    .filter(({ path }) => testsOnOldestPostgres.includes(path))
    .reduce((sum, file) => sum + countOf(file), 0);
  results.addSkipped(count, noPostgresText(folder));
}

const inOrder = async (steps: readonly (() => Promise<void>)[]): Promise<void> => {
  for (const step of steps) await step();
};

sandbox.clearOnSignals();

const start = performance.now();
const changesBefore = changesIn(root);
try {
  // Two lanes for two processors. Tests in a browser and of several processes wait much, so more of them run at a time.
  const lanes = isCheck
    ? [statics(), runTests('quick tests', ['--project=quick'], 3)]
    : [
        inOrder([
          () => runTests('tests in a browser', ['--project=browser'], 2),
          () => runTests('long tests', ['--project=long'], 4),
          oldestPostgres,
        ]),
        inOrder([statics, coverage, otherQuick, () => runTests('full tests', ['--project=full'], 1)]),
      ];
  await Promise.all(lanes);
  leftovers.push(...(await sandbox.leftovers(15_000)), ...changesSince(changesBefore, root));
  check('tests leave no files, processes or ports behind', leftovers, 'see the lines above this check');
} finally {
  sandbox.clear();
}

if (!isCheck) {
  const missing = filesNotRun(testFiles(), results.files);
  check('every test file ran', missing, 'add the file to a project of vitest.config.ts');
}
const book = rulebook();
const names = results.tests.map(({ name }) => name);
const passed = results.tests.filter(({ status }) => status === 'passed').map(({ name }) => name);
check(
  isCheck ? 'no test cites a row that does not exist' : 'every row of the rulebook is shown by a test that passed',
  [...strays(book, names), ...(isCheck ? [] : gaps(book, passed))],
  'cite the row in the test that shows it',
);
check('rulebook/tests.json lists the tests that show each row', stale(listedTests(), results.tests), 'npm run rows');
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s in all`);
process.exitCode = results.conclude(console.log);
