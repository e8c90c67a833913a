import {
  type ClientMessage,
  type ClientMessageOf,
  type ServerMessage,
  type ServerMessageOf,
} from '../wire/messages.ts';
import { protocolVersion } from '../wire/protocolVersion.ts';
import { type ClientReply, PendingRequests } from './pendingRequests.ts';
import { ReconnectingSocket, type ConnectionState } from './reconnectingSocket.ts';
import { type ClientEnvironment } from './environment.ts';

type CardReaderProtocol = { readonly outgoing: ClientMessage; readonly incoming: ServerMessage };

type CardReaderListener = {
  /** Called with the slot to which the next card is dealt, and with the shoe. */
  readonly due?: (due: ServerMessageOf<'due'>) => void;
  /**
   * Called if the key belongs to no card reader. The server then treats the client as a patron, whose secret is the
   * key.
   */
  readonly stranger?: () => void;
  readonly changed?: (connection: ConnectionState) => void;
};

/** Milliseconds after which a scan is sent again whose result the server did not know. */
const resendAfterMs = 1_000;

/** Client of a card reader: it reconnects, and sends unanswered scans again with the same id. */
export class CardReaderClient {
  readonly #environment: ClientEnvironment;
  readonly #table: string;
  readonly #listener: CardReaderListener;
  readonly #socket: ReconnectingSocket<CardReaderProtocol>;
  readonly #requests = new PendingRequests<CardReaderProtocol>();

  constructor(
    environment: ClientEnvironment,
    address: () => string,
    table: string,
    key: string,
    listener: CardReaderListener = {},
  ) {
    this.#environment = environment;
    this.#table = table;
    this.#listener = listener;
    this.#socket = new ReconnectingSocket<CardReaderProtocol>(
      environment,
      { address, firstMessages: () => [{ type: 'hello', v: protocolVersion, secret: key }] },
      { onMessage: (message) => this.#receive(message), onStateChange: (state) => this.#onStateChange(state) },
    );
  }

  open(): void {
    this.#socket.open();
  }

  /** Closes the connection and does not reconnect. Each scan without a reply resolves to `unanswered`. */
  close(): void {
    this.#socket.close();
  }

  /** Sends one scan, and sends it again after each reconnect until there is a reply. */
  scan(text: string, id = this.#environment.id()): Promise<ClientReply<CardReaderProtocol>> {
    const request: ClientMessageOf<'scan'> = { type: 'scan', id, table: this.#table, text };
    const reply = this.#requests.add(request);
    this.#socket.send(request);
    return reply;
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'welcome') this.#resend();
    else if (message.type === 'lobby') this.#listener.stranger?.();
    else if (message.type === 'due') this.#listener.due?.(message);
    else if (message.type === 'refused' && message.code === 'result-unknown')
      this.#environment.after(resendAfterMs, () => this.#resend());
    else if (message.type === 'refused' && message.code === 'secret-revoked') this.#socket.closeAsOutdated();
    else if (message.type === 'scanned' || message.type === 'refused') this.#requests.resolve(message);
  }

  #resend(): void {
    for (const request of this.#requests.unanswered) this.#socket.send(request);
  }

  #onStateChange(state: ConnectionState): void {
    this.#listener.changed?.(state);
    if (state === 'closed' || state === 'outdated')
      for (const { id } of this.#requests.unanswered) this.#requests.giveUp(id);
  }
}
