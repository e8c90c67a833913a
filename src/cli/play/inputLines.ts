import { type Interface } from 'node:readline';

/** The lines of a patron, one at a time. */
export type InputLines = {
  /** The next line; undefined when the patron has left. */
  readonly next: () => Promise<string | undefined>;
  /** From now on lines are thrown away, until the next one is asked for. */
  readonly ignore: () => void;
  /** Whether no line can come any more. */
  readonly over: () => boolean;
  /** Tells when the patron leaves. */
  readonly left: AbortSignal;
};

export function readInputLines(reader: Interface): InputLines {
  const waiting: string[] = [];
  const gone = new AbortController();
  let listening = true;
  let closed = false;
  let give: ((line: string | undefined) => void) | undefined;
  const hand = (): void => {
    if (!give || (waiting.length === 0 && !closed)) return;
    const to = give;
    give = undefined;
    to(waiting.shift());
  };
  reader.on('line', (line) => {
    if (listening) waiting.push(line);
    hand();
  });
  reader.on('close', () => {
    closed = true;
    gone.abort();
    hand();
  });
  reader.on('SIGINT', () => {
    waiting.length = 0;
    reader.close();
  });
  return {
    next: () =>
      new Promise((resolve) => {
        listening = true;
        give = resolve;
        hand();
      }),
    ignore: () => {
      listening = false;
    },
    over: () => closed && waiting.length === 0,
    left: gone.signal,
  };
}
