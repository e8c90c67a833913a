import { type Results } from './results.ts';
import { type Exit } from './vitest.ts';

/** A tool that reads the sources without running them, and the command that shows or fixes what it finds. */
type StaticCheck = {
  readonly title: string;
  readonly tool: string;
  readonly args: readonly string[];
  readonly remedy: string;
};

const staticChecks: readonly StaticCheck[] = [
  { title: 'types', tool: 'typescript', args: ['--noEmit'], remedy: 'npx tsc --noEmit' },
  {
    title: 'lint',
    tool: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    remedy: 'npx oxlint --type-aware --fix',
  },
  { title: 'format', tool: 'oxfmt', args: ['--check'], remedy: 'npm run format' },
  { title: 'nothing is unused', tool: 'knip', args: [], remedy: 'npx knip' },
];

/** Runs all static checks side by side: some of them use one processor alone. Each is counted and printed at its end. */
export async function runStaticChecks(
  results: Results,
  run: (tool: string, args: readonly string[]) => Promise<Exit>,
  print: (text: string) => void,
): Promise<void> {
  await Promise.all(
    staticChecks.map(async ({ title, tool, args, remedy }) => {
      const { isOk, output, seconds } = await run(tool, args);
      const line = results.check(`${title}, ${seconds.toFixed(1)} s`, isOk, remedy);
      print([...(isOk ? [] : [output]), line].join('\n'));
    }),
  );
}
