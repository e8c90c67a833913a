import { type Worker } from 'node:worker_threads';

const defaultTimeoutMs = 10_000;

/**
 * Waits until a worker thread ends by itself. After the timeout, terminates it and throws, because only a defect keeps
 * it running.
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
