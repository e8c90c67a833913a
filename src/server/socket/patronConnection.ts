import { type WebSocket } from 'ws';
import { type ClientMessage, type ServerMessage, clientMessageSchemas } from '../../wire/messages.ts';
import { protocolVersion } from '../../wire/protocolVersion.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { SocketConnection, type ConnectionHandler, type ProtocolSpec } from './socketConnection.ts';

const patronProtocol: ProtocolSpec<ClientMessage> = {
  protocol: protocolVersion,
  messages: clientMessageSchemas,
  helloFields: 'version and secret',
  // A slip is a decision of the patron, and a scanned card has left the shoe.
  survivesClose: ({ type }) => type === 'slip' || type === 'scan',
};

/** Connection of a patron, a device or a display. */
export class PatronConnection extends SocketConnection<ClientMessage, ServerMessage> {
  /** Hash of the secret in hello; undefined for a display. */
  secretHash: string | undefined;
  /** Undefined before the first seat. */
  terminal: string | undefined;
  deviceKind: DeviceKind = 'terminal';
  /** Table of a card reader. */
  readerTable: string | undefined;
  /** Undefined in the lobby. */
  table: string | undefined;
  /** Receives lobby tiles while at a table. */
  subscribesToLobby = false;
  /** Last terminal view that was sent, and its version. */
  lastTerminalView = '';
  terminalViewVersion = 0;
  /** Last balance that was sent, and its version. */
  lastBalance = '';
  balanceVersion = 0;

  constructor(socket: WebSocket, address: string, handler: ConnectionHandler<PatronConnection, ClientMessage>) {
    super(socket, address, patronProtocol, handler);
  }

  /** Sends the view if it changed or `force` is set; returns the size in bytes. */
  sendTerminalView(table: string, view: object, force: boolean): number | undefined {
    const text = JSON.stringify(view);
    if (text === this.lastTerminalView && !force) return undefined;
    this.lastTerminalView = text;
    this.terminalViewVersion += 1;
    return sendAll([this], `{"type":"own","table":"${table}","version":${this.terminalViewVersion},"view":${text}}`);
  }
}

/** Encodes a message once for all connections; returns its size in bytes. */
export function sendAll(connections: Iterable<PatronConnection>, message: string): number {
  const bytes = Buffer.from(message, 'utf8');
  for (const connection of connections) connection.sendText(bytes);
  return bytes.length;
}

/** First table at which one of the connections sits. */
export const seatedTable = (connections: Iterable<PatronConnection> = []): string | null =>
  [...connections].find(({ table }) => table !== undefined)?.table ?? null;
