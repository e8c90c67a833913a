import { type WebSocket } from 'ws';
import { type ClientMessage, type ServerMessage, clientMessageSchemas } from '../../wire/messages.ts';
import { protocolVersion } from '../../wire/protocolVersion.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { SocketConnection, type ConnectionHandler, type SocketProtocol } from './socketConnection.ts';

const patronProtocol: SocketProtocol<ClientMessage> = {
  protocol: protocolVersion,
  messages: clientMessageSchemas,
  helloFields: 'version and secret',
  // A slip is a decision of the patron, and a scanned card has left the shoe. So these two messages are handled even if
  // the socket closes first.
  survivesClose: ({ type }) => type === 'slip' || type === 'scan',
};

/** Connection of a terminal, display, bill acceptor, ticket printer or card reader; staff have a `StaffConnection`. */
export class DeviceConnection extends SocketConnection<ClientMessage, ServerMessage> {
  /** Hash of the secret; undefined for a display. */
  secretHash: string | undefined;
  /**
   * Id of the terminal; undefined for displays and card readers. A patron with a new secret gets a terminal with the
   * first seat, and until then the id is undefined.
   */
  terminal: string | undefined;
  deviceKind: DeviceKind = 'terminal';
  /** Id of the table of a card reader; undefined for all other connections. */
  readerTable: string | undefined;
  /** Id of the table at which the terminal sits or which the display shows; undefined in the lobby. */
  table: string | undefined;
  /** True if the connection receives lobby tiles also while it is at a table. */
  subscribesToLobby = false;
  lastTerminalView = '';
  terminalViewVersion = 0;
  lastBalance = '';
  balanceVersion = 0;

  constructor(socket: WebSocket, address: string, handler: ConnectionHandler<DeviceConnection, ClientMessage>) {
    super(socket, address, patronProtocol, handler);
  }

  /**
   * Sends the terminal view to this connection if the view has changed, or if `force` is true. Returns the number of
   * bytes; undefined if nothing was sent.
   */
  sendTerminalView(table: string, view: object, force: boolean): number | undefined {
    const text = JSON.stringify(view);
    if (text === this.lastTerminalView && !force) return undefined;
    this.lastTerminalView = text;
    this.terminalViewVersion += 1;
    return sendToDeviceConnections(
      [this],
      `{"type":"own","table":"${table}","version":${this.terminalViewVersion},"view":${text}}`,
    );
  }
}

/** Sends a message to all these connections. The message is encoded only once. Returns its size in bytes. */
export function sendToDeviceConnections(connections: Iterable<DeviceConnection>, message: string): number {
  const bytes = Buffer.from(message, 'utf8');
  for (const connection of connections) connection.sendText(bytes);
  return bytes.length;
}

/**
 * Gives the table at which a terminal sits: the table of any of its connections. Null if no connection is at a table.
 */
export const seatedTableOf = (connections: Iterable<DeviceConnection> = []): string | null =>
  [...connections].find(({ table }) => table !== undefined)?.table ?? null;
