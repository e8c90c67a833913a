import { type Hello, type Protocol } from './protocol.ts';
import { type Socket, type Environment } from './environment.ts';

/** `outdated` and `closed` are final: another protocol version or a revoked secret; closed by the client. */
export type ConnectionState = 'joining' | 'open' | 'lost' | 'outdated' | 'closed';

type SocketOptions<R extends Protocol> = {
  /** Called at each attempt. */
  readonly address: () => string;
  /** Hello, and messages that follow it at once. */
  readonly firstMessages: () => readonly [Hello<R>, ...R['outgoing'][]];
};

type SocketListener<R extends Protocol> = {
  readonly onMessage: (message: R['incoming']) => void;
  readonly onStateChange: (state: ConnectionState) => void;
};

/**
 * Silence is counted in timer steps: after a standstill of this process, received messages are handled before the next
 * step.
 */
const stepMs = 500;
/** Silent steps until the connection counts as lost; a server sends something every second. */
const maxSilentSteps = 5;
/** Greatest delay of messages: a later connection counts as lost. */
const maxDelayMs = 2_500;
/** Joining takes longer on a slow line. */
const maxJoiningSteps = 20;

/** Backoff with full jitter: doubles from attempt to attempt. */
const firstBackoffMs = 250;
const maxBackoffMs = 4_000;
const triesToMaxBackoff = Math.log2(maxBackoffMs / firstBackoffMs);
/** A connection that was open this long resets the backoff, so that an overloaded server is not hit again at once. */
const stableAfterMs = 10_000;

const openState = 1;
/** WebSocket close code of a server that refuses this client for now. */
const policyViolation = 1008;

/**
 * Reconnecting WebSocket. The connection counts as lost when no message, or only late ones, arrive, whatever the socket
 * reports: a browser delays the close event if the peer is frozen.
 */
export class ReconnectingSocket<R extends Protocol> {
  readonly #environment: Environment;
  readonly #options: SocketOptions<R>;
  readonly #listener: SocketListener<R>;
  #state: ConnectionState = 'joining';
  #socket: Socket | undefined;
  #cancel: (() => void) | undefined;
  #silentSteps = 0;
  #delayMs = 0;
  #tries = 0;
  #openSince = 0;

  constructor(environment: Environment, options: SocketOptions<R>, listener: SocketListener<R>) {
    this.#environment = environment;
    this.#options = options;
    this.#listener = listener;
  }

  /** Opens the connection and keeps it open; if it waits or joins, retries at once. */
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
    // A close event follows.
    socket.addEventListener('error', () => {});
    this.#silentSteps = 0;
    this.#delayMs = 0;
    this.#watch(maxJoiningSteps);
  }

  /** False if not sent; nothing is sent before the welcome. */
  send(message: R['outgoing']): boolean {
    if (this.#state !== 'open' || this.#socket?.readyState !== openState) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Delay of the last message against the fastest one, in milliseconds. */
  reportDelay(time: number): void {
    this.#delayMs = time;
  }

  /** Closes for good because the secret or session is no longer valid. */
  closeAsOutdated(): void {
    this.#end('outdated');
  }

  /** Closes for good. */
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

  /** Later events of the old socket are ignored. */
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
