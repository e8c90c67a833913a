import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { root } from './sources.ts';

/** Runs `npm run soak` with a temporary folder of its own. */
async function soak(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder('soak');
  const child = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'scripts/soak.ts', ...args], {
    env: { ...process.env, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, output, errors, files: readdirSync(folder) };
}

test('a soak runs a test file with larger counts, prints what its tests tell, and exits 0', async () => {
  const { code, output, files } = await soak(['--times', '2', 'tests/times.test.ts']);
  expect(output).toMatch(/^tests\/times\.test\.ts, 2 times the counts of npm test\n {4}a sample of 6\npassed: /);
  expect(output).toMatch(/\n1 test files, 3 tests, 0 skipped, 0 other checks\n3 passed, 0 failed\n$/);
  expect([code, files]).toEqual([0, []]);
});

test('a soak prints its usage for --help and exits 0, and for a wrong argument and exits 2', async () => {
  const help = await soak(['--help']);
  expect([help.code, help.errors]).toEqual([0, '']);
  expect(help.output).toMatch(/^Usage: npm run soak -- .*tests\/times\.test\.ts\n/s);
  for (const wrong of [['--wrong'], ['--times', '1'], ['--times'], ['--minutes', 'x'], ['src/none']]) {
    expect(await soak(wrong), wrong.join(' ')).toEqual({ code: 2, output: '', errors: help.output, files: [] });
  }
});

/** Fails in the thread that runs the tests, once that listens for what fails outside of them. */
const outside = `data:text/javascript,
  import { isMainThread } from 'node:worker_threads';
  const timer = setInterval(() => {
    if (isMainThread || process.listenerCount('unhandledRejection') === 0) return;
    clearInterval(timer);
    Promise.reject(new Error('outside'));
  }, 1);
  timer.unref();`;

test('a soak exits 1 when something fails outside any test', async () => {
  const env = { NODE_OPTIONS: `--import="${outside.replaceAll('\n', ' ')}"` };
  const { code, output } = await soak(['--times', '2', 'tests/times.test.ts'], env);
  expect(stripVTControlCharacters(output)).toContain('Error: outside');
  expect(output).toMatch(
    /\nfailed: tests\/times\.test\.ts\n.*\n1 test files, 3 tests, 0 skipped, 1 other checks\n3 passed, 1 failed\n$/,
  );
  expect(code).toBe(1);
});
