import { type Worker } from 'node:worker_threads';

/** So long a thread that has nothing left to do may take to end, in milliseconds. */
const longest = 10_000;

/** Waits for a thread that was asked to end. It does so by itself; one that does not is stopped, and that is a defect. */
export async function untilEnded(thread: Worker, patience = longest): Promise<void> {
  // A thread that is gone has no number.
  if (thread.threadId === -1) return;
  const isLate = await new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(true), patience);
    thread.once('exit', () => {
      clearTimeout(late);
      resolve(false);
    });
  });
  if (!isLate) return;
  await thread.terminate();
  throw new Error(
    `A thread did not end by itself within ${patience / 1_000} s and was stopped; what it has acknowledged stands.`,
  );
}
