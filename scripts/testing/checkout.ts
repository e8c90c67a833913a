import { spawnSync } from 'node:child_process';

/** Ignored folders that tools and an installation write: all others are written by a test by mistake. */
const expectedFolders: ReadonlySet<string> = new Set(
  ['node_modules/', 'scripts/runtime/node_modules/', '.setup/', 'dist/', 'coverage/'].map((path) => `!! ${path}`),
);

/** Changed, new and ignored files of a checkout, so that a test that writes into it is noticed. Empty without git. */
export const changesIn = (folder: string): readonly string[] =>
  (spawnSync('git', ['status', '--porcelain', '--ignored'], { cwd: folder, encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter((line) => line !== '' && !expectedFolders.has(line));

/** A line for each change that was made since, or undone. */
export function changesSince(before: readonly string[], folder: string): readonly string[] {
  const after = changesIn(folder);
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `changed in the checkout: ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `undone in the checkout: ${line}`),
  ];
}
