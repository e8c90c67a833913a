import { Worker } from 'node:worker_threads';
import { type StreamVerifyInputs, type StreamCheckers, type StreamVerdict } from './verify.ts';

export type VerifyWorkerRequest = { readonly stream: string; readonly task: StreamVerifyInputs };
/**
 * Reply of a worker thread. Progress replies have the number of entries read since the last reply (`read`). The final
 * reply has the verdict or an error.
 */
export type VerifyWorkerReply =
  | { readonly read: number }
  | { readonly verdict: StreamVerdict }
  | { readonly error: string };

/** Worker threads that verify the streams of a data folder in parallel. Each thread opens the store for itself. */
export function startVerifyWorkerPool(
  folder: string,
  count: number,
): StreamCheckers & { readonly close: () => Promise<void> } {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./worker.ts', import.meta.url), { workerData: { folder } }),
  );
  const idle = [...workers];
  return {
    count,
    check: async (stream, task, onProgress) => {
      const worker = idle.pop()!;
      const { promise, resolve, reject } = Promise.withResolvers<StreamVerdict>();
      const onReply = (reply: VerifyWorkerReply): void => {
        if ('read' in reply) onProgress(reply.read);
        else if ('verdict' in reply) resolve(reply.verdict);
        else reject(new Error(reply.error));
      };
      worker.on('message', onReply);
      worker.once('error', reject);
      worker.postMessage({ stream, task } satisfies VerifyWorkerRequest);
      try {
        return await promise;
      } finally {
        worker.off('message', onReply);
        worker.off('error', reject);
        idle.push(worker);
      }
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
