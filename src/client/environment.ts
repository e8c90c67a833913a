/** As much of a WebSocket as a client uses: the one of a browser and the one of `ws` both have it. */
export type Socket = {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  /** Ends it without a word to the other side, where that can be done. */
  terminate?(): void;
  addEventListener(type: 'open', heard: () => void): void;
  addEventListener(type: 'error', heard: () => void): void;
  addEventListener(type: 'message', heard: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', heard: (event: { readonly code: number }) => void): void;
};

/** What a client needs of the machine that it runs on. */
export type Environment = {
  readonly socket: (address: string) => Socket;
  readonly clock: () => number;
  /** Calls back after so many milliseconds; gives what stops it. */
  readonly after: (time: number, run: () => void) => () => void;
  /** At least 0 and below 1, for the pauses between two tries. */
  readonly chance: () => number;
  /** An id that nobody else has. */
  readonly id: () => string;
};

/** So many random bytes in hexadecimal digits. Needs no secure context, unlike random UUIDs. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Begins with the time, so that ids of one moment lie together in the record. */
export const freshId = (): string => Date.now().toString(16).padStart(12, '0') + randomHex(10);

/** The machine itself, be it a browser or Node; how a socket is opened differs. */
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
