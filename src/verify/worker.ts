import { parentPort, workerData } from 'node:worker_threads';
import { sqliteReader } from '../store/sqlite/readOnlyStore.ts';
import { amendments } from './amendments.ts';
import { type Reply, type WorkerRequest } from './workerPool.ts';
import { verifyStream } from './verifyStream.ts';
import { verdictOf } from './verify.ts';

const port = parentPort!;
const store = sqliteReader((workerData as { folder: string }).folder);
const answer = (reply: Reply): void => port.postMessage(reply);

port.on('message', ({ stream, asked }: WorkerRequest) => {
  const told = (read: number): void => answer({ read });
  verdictOf(verifyStream(store, stream, { ...asked, amendments, told })).then(
    (outcome) => answer({ outcome }),
    (error: unknown) => answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
