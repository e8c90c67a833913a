import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAndRepeat } from '../../scripts/testing/repeat.ts';
import { Sandbox } from '../../scripts/testing/sandbox.ts';
import { type TestRun } from '../../scripts/testing/vitest.ts';

const passed: TestRun = { isOk: true, signal: null, output: '', seconds: 1, files: [] };
const crashed: TestRun = { ...passed, isOk: false, signal: 'SIGTRAP' };

/** Runs that end so one after another; each writes a file into its temporary folder. */
async function runs(...ends: readonly TestRun[]) {
  const outer = new Sandbox();
  onTestFinished(() => outer.clear());
  const [left, aborted] = [[...ends], [] as TestRun[]];
  const result = await runAndRepeat(
    outer,
    async ({ folder }) => {
      expect(readdirSync(outer.folder)).toHaveLength(1);
      writeFileSync(join(folder, `file-${left.length}`), '');
      return left.shift()!;
    },
    (run) => void aborted.push(run),
  );
  expect(readdirSync(outer.folder)).toEqual([]);
  return { ...result, aborts: aborted.length, unused: left.length };
}

test('a run that the engine aborted is cleared and repeated once, and only the repeat has leftovers', async () => {
  const { run, aborted, leftovers, aborts } = await runs(crashed, passed);
  expect([run, aborted, aborts]).toEqual([passed, crashed, 1]);
  expect(leftovers).toEqual([expect.stringMatching(/^temporary file .*file-1$/)]);
});

test('a run that the engine aborted twice is not repeated again', async () => {
  expect(await runs(crashed, crashed, passed)).toMatchObject({ run: crashed, aborted: crashed, unused: 1 });
});

test('a run that failed by itself or was killed is not repeated', async () => {
  for (const failed of [
    { ...passed, isOk: false },
    { ...passed, isOk: false, signal: 'SIGKILL' },
  ]) {
    expect(await runs(failed, passed)).toMatchObject({ run: failed, aborted: undefined, unused: 1 });
  }
});
