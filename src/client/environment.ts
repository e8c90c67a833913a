/** The part of a WebSocket that clients use; browsers and `ws` both have it. */
export type Socket = {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  /** Closes without the closing handshake, where available. */
  terminate?(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
};

/** Platform functions of a client. */
export type Environment = {
  readonly socket: (address: string) => Socket;
  readonly clock: () => number;
  /** Runs a callback after `time` milliseconds; returns a function that cancels it. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Random number in [0, 1), for backoff jitter. */
  readonly chance: () => number;
  /** Unique id. */
  readonly id: () => string;
};

/** Random bytes as hexadecimal digits. Unlike `randomUUID` it needs no secure context. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Starts with the time, so that ids of one moment are neighbours in the index. */
export const freshId = (): string => Date.now().toString(16).padStart(12, '0') + randomHex(10);

/** Environment of a browser or of Node; only `socket` differs. */
export const systemEnvironment = (socket: Environment['socket']): Environment => ({
  socket,
  clock: () => Date.now(),
  after: (time, run) => {
    const timer = setTimeout(run, time);
    return () => clearTimeout(timer);
  },
  chance: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32,
  id: freshId,
});
