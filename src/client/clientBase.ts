import { type ClientEnvironment } from './environment.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { type ClientRequest, type HelloMessage, type ClientMessageTypes } from './clientMessageTypes.ts';
import { type ConnectionState, ReconnectingSocket } from './reconnectingSocket.ts';

/** Milliseconds by which the clocks of client and server may drift apart between two heartbeats. */
const driftMs = 1;

type ViewState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
};

/**
 * Callback after each change of the state. `message` is the server message that caused the change; undefined if no
 * message caused it.
 */
type Listener<P extends ClientMessageTypes, State> = (state: State, message: P['incoming'] | undefined) => void;

/**
 * Base class of the clients of patrons and staff: connection, state, listeners, clock offset and unanswered requests.
 */
export abstract class ClientBase<P extends ClientMessageTypes, State extends ViewState> {
  protected readonly environment: ClientEnvironment;
  protected socket: ReconnectingSocket<P>;
  protected readonly requests = new PendingRequests<P>();
  readonly #address: () => string;
  readonly #listeners = new Set<Listener<P, State>>();
  #state: State;
  #bestOffsetMs: number | undefined;

  constructor(environment: ClientEnvironment, address: () => string, state: State) {
    this.environment = environment;
    this.#address = address;
    this.#state = state;
    this.socket = this.newSocket();
  }

  /** The hello message, and the messages after it that restore the seat and the subscriptions. */
  protected abstract firstMessages(): readonly [HelloMessage<P>, ...P['outgoing'][]];

  protected abstract receive(message: P['incoming']): void;

  get state(): State {
    return this.#state;
  }

  watch(listener: Listener<P, State>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens the connection; a client that waits to reconnect does so at once. */
  open(): void {
    this.socket.open();
  }

  /** Closes the connection for good; each request without a reply resolves to `unanswered`. */
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

  /**
   * Computes the clock offset in milliseconds from the server time of a welcome. Forgets the best offset of the last
   * connection.
   */
  protected firstClockOffset(serverTime: number): number {
    this.#bestOffsetMs = undefined;
    return serverTime - this.environment.clock();
  }

  /**
   * Computes the clock offset in milliseconds from the server time of a heartbeat. The fastest heartbeat gives the best
   * offset; the delay of other heartbeats is measured against this offset. Each heartbeat first lowers the best offset
   * by the possible clock drift, so that an old value cannot last when the clocks drift apart.
   */
  protected nextClockOffset(serverTime: number): number {
    const offsetMs = serverTime - this.environment.clock();
    this.#bestOffsetMs = Math.max(offsetMs, (this.#bestOffsetMs ?? offsetMs) - driftMs);
    this.socket.reportDelay(this.#bestOffsetMs - offsetMs);
    return this.#bestOffsetMs;
  }
}
