import { type Worker } from 'node:worker_threads';

const defaultTimeoutMs = 10_000;

/**
 * Waits until a worker thread ends by itself. If the thread still runs after the timeout, there is a defect: the
 * function terminates the thread and throws.
 */
export async function awaitWorkerExit(worker: Worker, timeoutMs = defaultTimeoutMs): Promise<void> {
  // The thread id -1 means that the worker has ended already.
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
    `A worker thread did not end within ${timeoutMs / 1_000} s and was terminated; confirmed writes are stored.`,
  );
}
