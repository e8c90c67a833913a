import { type Environment } from './environment.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { type ClientRequest, type Hello, type Protocol } from './protocol.ts';
import { type ConnectionState, ReconnectingSocket } from './reconnectingSocket.ts';

/** Drift of two clocks between two heartbeats. */
const driftMs = 1;

type ViewState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
};

/** Called after each change, with the message that caused it, if any. */
type Listener<P extends Protocol, State> = (state: State, message: P['incoming'] | undefined) => void;

/** Base of clients with views and requests: connection, state and listeners, clock offset, unanswered requests. */
export abstract class ViewClient<P extends Protocol, State extends ViewState> {
  protected readonly environment: Environment;
  protected socket: ReconnectingSocket<P>;
  protected readonly requests = new PendingRequests<P>();
  readonly #address: () => string;
  readonly #listeners = new Set<Listener<P, State>>();
  #state: State;
  #bestOffsetMs: number | undefined;

  constructor(environment: Environment, address: () => string, state: State) {
    this.environment = environment;
    this.#address = address;
    this.#state = state;
    this.socket = this.newSocket();
  }

  /** Hello, and messages that restore seat and subscriptions. */
  protected abstract firstMessages(): readonly [Hello<P>, ...P['outgoing'][]];

  protected abstract receive(message: P['incoming']): void;

  get state(): State {
    return this.#state;
  }

  /** Returns a function that removes the listener. */
  watch(listener: Listener<P, State>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens the connection, or retries at once. */
  open(): void {
    this.socket.open();
  }

  /** Unanswered requests resolve to `unanswered`. */
  close(): void {
    this.socket.close();
    this.giveUpAll();
  }

  protected newSocket(): ReconnectingSocket<P> {
    return new ReconnectingSocket<P>(
      this.environment,
      { address: this.#address, firstMessages: () => this.firstMessages() },
      {
        onMessage: (message) => this.receive(message),
        onStateChange: (connection) => this.update({ connection: connection } as Partial<State>),
      },
    );
  }

  protected request(request: ClientRequest<P>): Promise<ClientReply<P>> {
    const reply = this.requests.add(request);
    this.socket.send(request);
    return reply;
  }

  protected giveUpAll(): void {
    for (const { id } of this.requests.unanswered) this.requests.giveUp(id);
  }

  protected update(changes: Partial<State>, message?: P['incoming']): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener(this.#state, message);
  }

  /** Clock offset from a welcome. */
  protected firstClockOffset(serverTime: number): number {
    this.#bestOffsetMs = undefined;
    return serverTime - this.environment.clock();
  }

  /**
   * Clock offset from a heartbeat. The fastest one gives the best offset; the delay of the others is measured against it.
   * It decays by the clock drift.
   */
  protected nextClockOffset(serverTime: number): number {
    const offsetMs = serverTime - this.environment.clock();
    this.#bestOffsetMs = Math.max(offsetMs, (this.#bestOffsetMs ?? offsetMs) - driftMs);
    this.socket.reportDelay(this.#bestOffsetMs - offsetMs);
    return this.#bestOffsetMs;
  }
}
