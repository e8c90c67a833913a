import { type HelloMessage, type ClientMessageTypes } from './clientMessageTypes.ts';
import { type Socket, type ClientEnvironment } from './environment.ts';

/**
 * State of a connection. Two states are final. `closed`: after `close()`. `outdated`: the server refused the protocol
 * version or the secret, or the session has ended.
 */
export type ConnectionState = 'joining' | 'open' | 'lost' | 'outdated' | 'closed';

type SocketOptions<R extends ClientMessageTypes> = {
  /** Gives the WebSocket URL; called at each attempt to connect. */
  readonly address: () => string;
  readonly firstMessages: () => readonly [HelloMessage<R>, ...R['outgoing'][]];
};

type SocketListener<R extends ClientMessageTypes> = {
  readonly onMessage: (message: R['incoming']) => void;
  readonly onStateChange: (state: ConnectionState) => void;
};

/**
 * Length of a timer step in milliseconds. Silence is counted in steps and not by the clock. While this process is
 * suspended no step passes, and afterwards the messages that have arrived are handled before the next step. So the
 * connection does not count as lost.
 */
const stepMs = 500;
/**
 * Number of timer steps without a message after which the connection counts as lost. A server sends a message at least
 * every second.
 */
const maxSilentSteps = 5;
/** Delay of a heartbeat, in milliseconds, above which the connection counts as lost. */
const maxDelayMs = 2_500;
/**
 * Number of timer steps without a message after which a connection counts as lost that has no welcome yet. The number
 * is higher, because joining takes longer on a slow line.
 */
const maxJoiningSteps = 20;

/**
 * Backoff with full jitter: the delay before a reconnect is random, up to a limit. The limit begins with this number of
 * milliseconds and doubles with each attempt.
 */
const firstBackoffMs = 250;
const maxBackoffMs = 4_000;
const triesToMaxBackoff = Math.log2(maxBackoffMs / firstBackoffMs);
/**
 * The backoff begins anew only after a connection that was open for this many milliseconds. Otherwise clients would
 * reconnect too often to an overloaded server.
 */
const stableAfterMs = 10_000;

const openState = 1;
/** WebSocket close code after a refusal. The delay before the next attempt then has the limit `maxBackoffMs`. */
const policyViolation = 1008;

/**
 * WebSocket that reconnects. The connection counts as lost when messages stop or arrive late, even if the socket
 * reports nothing: while a server hangs, a browser delays the close event.
 */
export class ReconnectingSocket<R extends ClientMessageTypes> {
  readonly #environment: ClientEnvironment;
  readonly #options: SocketOptions<R>;
  readonly #listener: SocketListener<R>;
  #state: ConnectionState = 'joining';
  #socket: Socket | undefined;
  #cancel: (() => void) | undefined;
  #silentSteps = 0;
  #delayMs = 0;
  #tries = 0;
  #openSince = 0;

  constructor(environment: ClientEnvironment, options: SocketOptions<R>, listener: SocketListener<R>) {
    this.#environment = environment;
    this.#options = options;
    this.#listener = listener;
  }

  /**
   * Opens the connection, and opens it again when it is lost. A call while the socket joins or waits to reconnect
   * starts a new attempt at once.
   */
  open(): void {
    if (this.#state !== 'joining' && this.#state !== 'lost') return;
    this.#drop();
    const socket = this.#environment.socket(this.#options.address());
    this.#socket = socket;
    const ifCurrent =
      <Event>(handle: (event: Event) => void) =>
      (event: Event): void => {
        if (this.#socket === socket) handle(event);
      };
    socket.addEventListener(
      'open',
      ifCurrent<void>(() => {
        for (const message of this.#options.firstMessages()) socket.send(JSON.stringify(message));
      }),
    );
    socket.addEventListener(
      'message',
      ifCurrent(({ data }) => this.#receive(JSON.parse(String(data)) as R['incoming'])),
    );
    socket.addEventListener(
      'close',
      ifCurrent(({ code }) => this.#onLost(code)),
    );
    // Nothing to do: after an error a close event follows.
    socket.addEventListener('error', () => {});
    this.#silentSteps = 0;
    this.#delayMs = 0;
    this.#watch(maxJoiningSteps);
  }

  /**
   * Sends a message if the connection is open, that is, after the welcome; returns false if the message was not sent.
   */
  send(message: R['outgoing']): boolean {
    if (this.#state !== 'open' || this.#socket?.readyState !== openState) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Takes the delay of the last heartbeat, compared with the fastest heartbeat, in milliseconds. */
  reportDelay(time: number): void {
    this.#delayMs = time;
  }

  /** Closes the connection and does not reconnect, because the secret or the session is no longer valid. */
  closeAsOutdated(): void {
    this.#end('outdated');
  }

  close(): void {
    this.#end('closed');
  }

  #receive(message: R['incoming']): void {
    this.#silentSteps = 0;
    if (message.type === 'welcome') {
      this.#cancel?.();
      this.#watch(maxSilentSteps);
      this.#openSince = this.#environment.clock();
      this.#setState('open');
    }
    if (message.type === 'refused' && 'code' in message && message.code === 'wrong-protocol') this.#end('outdated');
    this.#listener.onMessage(message);
  }

  #watch(maxSteps: number): void {
    this.#cancel = this.#environment.after(stepMs, () => {
      this.#silentSteps += 1;
      if (this.#silentSteps >= maxSteps || this.#delayMs > maxDelayMs) this.#onLost();
      else this.#watch(maxSteps);
    });
  }

  #onLost(code?: number): void {
    this.#drop();
    if (this.#state === 'open' && this.#environment.clock() - this.#openSince >= stableAfterMs) this.#tries = 0;
    if (code === policyViolation) this.#tries = triesToMaxBackoff;
    const backoffMs = this.#environment.chance() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.#tries);
    this.#tries += 1;
    this.#cancel = this.#environment.after(backoffMs, () => this.open());
    this.#setState('lost');
  }

  #end(state: 'outdated' | 'closed'): void {
    this.#drop();
    this.#setState(state);
  }

  /** Closes the current socket and cancels its timer; later events of the socket are ignored. */
  #drop(): void {
    this.#cancel?.();
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket?.terminate) socket.terminate();
    else socket?.close();
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#listener.onStateChange(state);
  }
}
