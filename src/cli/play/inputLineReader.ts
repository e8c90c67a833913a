import { type Interface } from 'node:readline';

/** Reader of the lines that a patron types, one at a time. */
export type InputLineReader = {
  /** The next line; undefined at the end of the input. */
  readonly next: () => Promise<string | undefined>;
  /** Ignores lines that are typed between this call and the next call of `next`. */
  readonly ignore: () => void;
  readonly isOver: () => boolean;
  /** Aborted when the input ends or Ctrl-C is typed. */
  readonly ended: AbortSignal;
};

export function createInputLineReader(reader: Interface): InputLineReader {
  const queue: string[] = [];
  const ended = new AbortController();
  let isListening = true;
  let isClosed = false;
  let pendingNext: ((line: string | undefined) => void) | undefined;
  const deliver = (): void => {
    if (!pendingNext || (queue.length === 0 && !isClosed)) return;
    const resolveNext = pendingNext;
    pendingNext = undefined;
    resolveNext(queue.shift());
  };
  reader.on('line', (line) => {
    if (isListening) queue.push(line);
    deliver();
  });
  reader.on('close', () => {
    isClosed = true;
    ended.abort();
    deliver();
  });
  reader.on('SIGINT', () => {
    queue.length = 0;
    reader.close();
  });
  return {
    next: () =>
      new Promise((resolve) => {
        isListening = true;
        pendingNext = resolve;
        deliver();
      }),
    ignore: () => {
      isListening = false;
    },
    isOver: () => isClosed && queue.length === 0,
    ended: ended.signal,
  };
}
