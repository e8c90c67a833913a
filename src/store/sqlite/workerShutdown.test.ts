import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { awaitWorkerExit } from './workerShutdown.ts';

/** Code of a worker thread that ends at its first message, and of a worker thread that ignores messages. */
const ending =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => parentPort.close())";
const staying = "require('node:worker_threads').parentPort.on('message', () => {})";

test('awaitWorkerExit waits for a worker that ends and returns for one that has ended', async () => {
  const thread = new Worker(ending, { eval: true });
  const exited = once(thread, 'exit');
  thread.postMessage('end');
  await awaitWorkerExit(thread);
  expect(await exited).toEqual([0]);
  await awaitWorkerExit(thread);
});

test('awaitWorkerExit terminates a worker that does not end and throws', async () => {
  const thread = new Worker(staying, { eval: true });
  await once(thread, 'online');
  thread.postMessage('end');
  await expect(awaitWorkerExit(thread, 20)).rejects.toThrow('did not end within 0.02 s and was terminated');
  expect(thread.threadId).toBe(-1);
});
