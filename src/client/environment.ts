/** The part of a WebSocket that clients use. Browsers and the package `ws` have WebSockets of this type. */
export type Socket = {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  /** Closes at once, without the closing handshake. Only `ws` has this method. */
  terminate?(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
};

/** Functions of the platform that a client needs: WebSocket, clock, timer, randomness and ids. */
export type ClientEnvironment = {
  readonly socket: (address: string) => Socket;
  readonly clock: () => number;
  /** Runs a callback after a delay of `time` milliseconds; returns a function that cancels the callback. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Random number from 0 (included) to 1 (excluded), for the jitter of the backoff. */
  readonly chance: () => number;
  readonly id: () => string;
};

/** Gives random bytes as hexadecimal digits. `crypto.randomUUID` would fail on pages without HTTPS. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Makes a unique id. It begins with the time, so that ids made at about the same time are neighbours in the index of
 * the store.
 */
export const newUniqueId = (): string => Date.now().toString(16).padStart(12, '0') + randomHex(10);

/**
 * Makes an environment for a browser or for Node. Only the function that opens a WebSocket differs between them, so the
 * caller gives it.
 */
export const createClientEnvironment = (socket: ClientEnvironment['socket']): ClientEnvironment => ({
  socket,
  clock: () => Date.now(),
  after: (time, run) => {
    const timer = setTimeout(run, time);
    return () => clearTimeout(timer);
  },
  chance: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32,
  id: newUniqueId,
});
