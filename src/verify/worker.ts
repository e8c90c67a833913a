import { parentPort, workerData } from 'node:worker_threads';
import { sqliteReader } from '../store/sqlite/readOnlyStore.ts';
import { amendments } from './amendments.ts';
import { type Reply, type Request } from './workerPool.ts';
import { verifyStream } from './verifyStream.ts';
import { outcomeOf } from './verify.ts';

const port = parentPort!;
const store = sqliteReader((workerData as { folder: string }).folder);
const answer = (reply: Reply): void => port.postMessage(reply);

port.on('message', ({ stream, asked }: Request) => {
  const told = (read: number): void => answer({ read });
  outcomeOf(verifyStream(store, stream, { ...asked, amendments, told })).then(
    (outcome) => answer({ outcome }),
    (error: unknown) => answer({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
