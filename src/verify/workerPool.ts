import { Worker } from 'node:worker_threads';
import { type VerifyTask, type Checkers, type StreamVerdict } from './verify.ts';

/** What a thread is asked, and what it answers: how far it is, and the outcome. */
export type WorkerRequest = { readonly stream: string; readonly asked: VerifyTask };
export type Reply = { readonly read: number } | { readonly outcome: StreamVerdict } | { readonly failed: string };

/** Threads that check the streams of a record in a folder, each with a connection of its own. */
export function threads(folder: string, count: number): Checkers & { readonly close: () => Promise<void> } {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./worker.ts', import.meta.url), { workerData: { folder } }),
  );
  const free = [...workers];
  return {
    count,
    check: async (stream, asked, told) => {
      const worker = free.pop()!;
      const { promise, resolve, reject } = Promise.withResolvers<StreamVerdict>();
      const hear = (reply: Reply): void => {
        if ('read' in reply) told(reply.read);
        else if ('outcome' in reply) resolve(reply.outcome);
        else reject(new Error(reply.failed));
      };
      worker.on('message', hear);
      worker.once('error', reject);
      worker.postMessage({ stream, asked } satisfies WorkerRequest);
      try {
        return await promise;
      } finally {
        worker.off('message', hear);
        worker.off('error', reject);
        free.push(worker);
      }
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
