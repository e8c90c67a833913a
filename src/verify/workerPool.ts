import { Worker } from 'node:worker_threads';
import { type Asked, type Checkers, type Outcome } from './verify.ts';

/** What a thread is asked, and what it answers: how far it is, and the outcome. */
export type Request = { readonly stream: string; readonly asked: Asked };
export type Reply = { readonly read: number } | { readonly outcome: Outcome } | { readonly failed: string };

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
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const hear = (reply: Reply): void => {
        if ('read' in reply) told(reply.read);
        else if ('outcome' in reply) resolve(reply.outcome);
        else reject(new Error(reply.failed));
      };
      worker.on('message', hear);
      worker.once('error', reject);
      worker.postMessage({ stream, asked } satisfies Request);
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
