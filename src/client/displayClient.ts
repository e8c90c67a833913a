import { type ClientMessage, type ServerMessage } from '../wire/messages.ts';
import { protocolVersion } from '../wire/protocolVersion.ts';
import { type PublicTableView } from '../wire/tableView.ts';
import { ReconnectingSocket, type ConnectionState } from './reconnectingSocket.ts';
import { ViewVersionTracker, applyTableDelta } from './viewVersionTracker.ts';
import { type ClientEnvironment } from './environment.ts';

type DisplayProtocol = { readonly outgoing: ClientMessage; readonly incoming: ServerMessage };

export type DisplayClientState = {
  readonly connection: ConnectionState;
  /** Server clock minus local clock, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Public view of the table. Null until the server has sent it, which happens only after the table is open. */
  readonly view: PublicTableView | null;
  /** False if the server refused the table as unknown. */
  readonly isKnown: boolean;
};

/** Client of a display. It shows one table, has no secret, seat or money, and reconnects after a disconnect. */
export class DisplayClient {
  #state: DisplayClientState = { connection: 'joining', clockOffsetMs: 0, view: null, isKnown: true };
  readonly #environment: ClientEnvironment;
  readonly #socket: ReconnectingSocket<DisplayProtocol>;
  readonly #versions = new ViewVersionTracker();
  readonly #onChange: (state: DisplayClientState) => void;

  constructor(
    environment: ClientEnvironment,
    address: () => string,
    table: string,
    onChange: (state: DisplayClientState) => void,
  ) {
    this.#environment = environment;
    this.#onChange = onChange;
    this.#socket = new ReconnectingSocket<DisplayProtocol>(
      environment,
      {
        address,
        firstMessages: () => [
          { type: 'hello', v: protocolVersion },
          { type: 'watch', table },
        ],
      },
      {
        onMessage: (message) => this.#receive(message),
        onStateChange: (connection) => this.#update({ connection: connection }),
      },
    );
  }

  /** Opens the connection; a client that waits to reconnect does so at once. */
  open(): void {
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'welcome') {
      // After a restart the server counts versions from 0 again.
      this.#versions.reset();
      this.#update({ clockOffsetMs: message.at - this.#environment.clock(), isKnown: true });
    } else if (message.type === 'heartbeat') this.#update({ clockOffsetMs: message.at - this.#environment.clock() });
    else if (message.type === 'table') {
      this.#versions.start(message.version);
      this.#update({ view: message.view });
    } else if (message.type === 'change') {
      if (!this.#versions.accepts(message.version, () => this.#socket.send({ type: 'whole', of: 'table' }))) return;
      this.#update({ view: applyTableDelta(this.#state.view!, message) });
    } else if (message.type === 'refused' && message.code === 'unknown-table')
      this.#update({ view: null, isKnown: false });
  }

  #update(changes: Partial<DisplayClientState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#onChange(this.#state);
  }
}
