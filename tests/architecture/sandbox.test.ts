import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Sandbox } from '../../scripts/testing/sandbox.ts';

/** A sandbox that is cleared after the test. */
const sandbox = (): Sandbox => {
  const made = new Sandbox();
  onTestFinished(() => made.clear());
  return made;
};

test('a sandbox has no leftovers when nothing was left', async () => {
  expect(await sandbox().leftovers(0)).toEqual([]);
});

test('a sandbox names a file that is left in its temporary folder', async () => {
  const one = sandbox();
  const file = join(one.folder, 'forgotten');
  writeFileSync(file, '');
  expect(await one.leftovers(0)).toEqual([`temporary file ${file}`]);
});

test('a sandbox names an orphaned process with its port, and ends it when cleared', async ({ skip }) => {
  skip(process.platform !== 'linux', 'processes and ports are read from /proc');
  const one = sandbox();
  // The grandchild outlives its parent, so that it has no parent in this run.
  const server = `
      const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(process.pid, server.address().port));
    `;
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(server)}], { detached: true, stdio: 'inherit' }).unref()`;
  const child = spawn(process.execPath, ['-e', parent], {
    env: { ...process.env, ...one.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  if (child.exitCode === null) await once(child, 'exit');
  const [pid, port] = String(output).trim().split(' ');
  const [line, ...more] = await one.leftovers(0);
  expect(line).toMatch(new RegExp(`^process ${pid} \\(.*\\) that listens on port ${port}$`, 's'));
  expect(more).toEqual([]);
  one.clear();
  expect(await one.leftovers(15_000)).toEqual([]);
});
