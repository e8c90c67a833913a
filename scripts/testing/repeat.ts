import { Sandbox } from './sandbox.ts';
import { type TestRun, isEngineCrash } from './vitest.ts';

/** How long the processes of a run may take to end after it. */
const endMs = 15_000;

export type RepeatedRun = {
  readonly run: TestRun;
  /** The run before it that the engine aborted, if one was. */
  readonly aborted: TestRun | undefined;
  /** A line for each file and process that the run left behind. */
  readonly leftovers: readonly string[];
};

/**
 * Runs test files in a sandbox of their own, and once more in another one where the engine aborted. The files and
 * processes of an aborted run are cleared before the repeat: tests had no chance to remove them.
 */
export async function runAndRepeat(
  outer: Sandbox,
  run: (sandbox: Sandbox) => Promise<TestRun>,
  printAborted: (aborted: TestRun) => void,
): Promise<RepeatedRun> {
  let aborted: TestRun | undefined;
  for (;;) {
    const sandbox = new Sandbox(outer);
    try {
      const ended = await run(sandbox);
      if (aborted !== undefined || !isEngineCrash(ended)) {
        return { run: ended, aborted, leftovers: await sandbox.leftovers(endMs) };
      }
      aborted = ended;
      printAborted(aborted);
    } finally {
      sandbox.clear();
    }
  }
}
