import { type Worker } from 'node:worker_threads';

const defaultTimeoutMs = 10_000;

/** Waits for a worker to end by itself; after the timeout it is terminated, which is a defect. */
export async function awaitWorkerExit(worker: Worker, timeoutMs = defaultTimeoutMs): Promise<void> {
  // -1: the worker has ended already.
  if (worker.threadId === -1) return;
  const hasTimedOut = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(true), timeoutMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
  if (!hasTimedOut) return;
  await worker.terminate();
  throw new Error(
    `A thread did not end by itself within ${timeoutMs / 1_000} s and was stopped; what it has acknowledged stands.`,
  );
}
