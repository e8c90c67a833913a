import { parentPort, workerData } from 'node:worker_threads';
import { sqliteReader } from '../store/sqlite/readOnlyStore.ts';
import { amendments } from './amendments.ts';
import { type WorkerReply, type WorkerRequest } from './workerPool.ts';
import { verifyStream } from './verifyStream.ts';
import { verdictOf } from './verify.ts';

const port = parentPort!;
const store = sqliteReader((workerData as { folder: string }).folder);
const send = (reply: WorkerReply): void => port.postMessage(reply);

port.on('message', ({ stream, task }: WorkerRequest) => {
  const onProgress = (read: number): void => send({ read });
  verdictOf(verifyStream(store, stream, { ...task, amendments, onProgress })).then(
    (verdict) => send({ verdict }),
    (error: unknown) => send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
