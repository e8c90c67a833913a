import { parentPort, workerData } from 'node:worker_threads';
import { openReaderOfLockedFolder } from '../store/sqlite/readOnlyStore.ts';
import { deciderAmendments } from './amendments.ts';
import { type VerifyWorkerReply, type VerifyWorkerRequest } from './workerPool.ts';
import { verifyStream } from './verifyStream.ts';
import { streamVerdictOf } from './verify.ts';

const port = parentPort!;
const store = openReaderOfLockedFolder((workerData as { folder: string }).folder);
const send = (reply: VerifyWorkerReply): void => port.postMessage(reply);

port.on('message', ({ stream, task }: VerifyWorkerRequest) => {
  const onProgress = (read: number): void => send({ read });
  streamVerdictOf(verifyStream(store, stream, { ...task, amendments: deciderAmendments, onProgress })).then(
    (verdict) => send({ verdict }),
    (error: unknown) => send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
