// `npm run mutants`: changes the table and its postings one small piece at a time and expects a test to notice. What no
// test can notice is named with its reason in tests/mutants/survivors.txt; anything else that survives fails the run.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

type Position = { readonly line: number; readonly column: number };
type Mutant = {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
};
type Report = {
  readonly files: { readonly [path: string]: { readonly source: string; readonly mutants: readonly Mutant[] } };
};

/** The original text of a mutant, on one line. */
function originalOf(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return flat(lines.join('\n'));
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const { status } = process.argv.includes('--report')
  ? { status: 0 }
  : spawnSync(
      process.execPath,
      [pathOf('node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', pathOf('tests/mutants/stryker.config.json')],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
if (status !== 0) process.exit(1);

const report = JSON.parse(readFileSync(pathOf('tests/mutants/report.json'), 'utf8')) as Report;
const counts = new Map<string, number>();
const survivors = new Set<string>();
for (const [path, { source, mutants }] of Object.entries(report.files)) {
  for (const mutant of mutants) {
    counts.set(mutant.status, (counts.get(mutant.status) ?? 0) + 1);
    if (mutant.status !== 'Survived' && mutant.status !== 'NoCoverage') continue;
    survivors.add(`${path} | ${originalOf(source, mutant.location)} | ${flat(mutant.replacement)}`);
  }
}

const listed = readFileSync(pathOf('tests/mutants/survivors.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const listedSet = new Set(listed);
const unlisted = [...survivors].filter((survivor) => !listedSet.has(survivor));
const stale = listed.filter((survivor) => !survivors.has(survivor));
console.log([...counts].map(([state, count]) => `${count} ${state.toLowerCase()}`).join(', '));
for (const survivor of unlisted) console.log(`survived without a reason: ${survivor}`);
for (const survivor of stale) console.log(`named, but noticed by a test now: ${survivor}`);
process.exitCode = unlisted.length + stale.length === 0 ? 0 : 1;
