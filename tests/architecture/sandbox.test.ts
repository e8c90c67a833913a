import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
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

test('a sandbox within another has its own leftovers, which the outer one has too, and clears no others', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'processes and ports are read from /proc');
  const outer = sandbox();
  const [inner, other] = [new Sandbox(outer), new Sandbox(outer)];
  const processes = [inner, other].map(({ env }) =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    }),
  );
  await Promise.all(processes.map((one) => once(one, 'spawn')));
  const linesOf = async (one: Sandbox): Promise<readonly string[]> =>
    (await one.leftovers(0)).map((line) => line.split(' (')[0]!);
  await expect.poll(() => linesOf(inner)).toEqual([`process ${processes[0]!.pid}`]);
  await expect.poll(() => linesOf(outer)).toHaveLength(4);
  inner.clear();
  expect(await inner.leftovers(15_000)).toEqual([]);
  expect(await linesOf(outer)).toEqual([`temporary file ${other.folder}`, `process ${processes[1]!.pid}`]);
});

test('a sandbox is cleared when a signal ends its process', async () => {
  const program = `
    import { Sandbox } from ${JSON.stringify(new URL('../../scripts/testing/sandbox.ts', import.meta.url).href)};
    const one = new Sandbox();
    one.clearOnSignals();
    console.log(one.folder);
    setInterval(() => {}, 1000);
  `;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    const folder = String(output).trim();
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    expect((await once(child, 'exit'))[0]).toBe(code);
    expect(existsSync(folder)).toBe(false);
  }
});
