import { type ClientEnvironment } from './environment.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { type ClientRequest, type HelloMessage, type ClientMessageTypes } from './clientMessageTypes.ts';
import { type ConnectionState, ReconnectingSocket } from './reconnectingSocket.ts';

/**
 * Maximum number of milliseconds by which the clocks of client and server drift apart from one heartbeat to the next.
 */
const driftMs = 1;

type ViewState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
};

/**
 * Callback after each change of the client state. `message` is the server message that caused the change; undefined for
 * any other cause.
 */
type Listener<P extends ClientMessageTypes, State> = (state: State, message: P['incoming'] | undefined) => void;

/**
 * Base class of the clients for patrons and staff: connection, state, listeners, clock offset, and requests without a
 * reply.
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

  /** Gives hello and the messages that follow it on a new connection: they restore the seat and the subscriptions. */
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

  /** Closes the connection and does not reconnect. Each request without a reply resolves to `unanswered`. */
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
   * Computes the clock offset in milliseconds from the server time in welcome. The best offset of the previous
   * connection is forgotten.
   */
  protected firstClockOffset(serverTime: number): number {
    this.#bestOffsetMs = undefined;
    return serverTime - this.environment.clock();
  }

  /**
   * Computes the clock offset in milliseconds from the server time in a heartbeat. The heartbeat with the shortest way
   * gives the best offset. A later heartbeat has a smaller offset, and the difference is its delay. Because the clocks
   * may drift apart, each heartbeat first lowers the best offset by the possible drift.
   */
  protected nextClockOffset(serverTime: number): number {
    const offsetMs = serverTime - this.environment.clock();
    this.#bestOffsetMs = Math.max(offsetMs, (this.#bestOffsetMs ?? offsetMs) - driftMs);
    this.socket.reportDelay(this.#bestOffsetMs - offsetMs);
    return this.#bestOffsetMs;
  }
}
