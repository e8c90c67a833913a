import { type WebSocket } from 'ws';
import { type ClientMessage, type ServerMessage, clientMessages } from '../../wire/messages.ts';
import { protocol } from '../../wire/protocolVersion.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { SocketConnection, type ConnectionHandler, type ProtocolSpec } from './socketConnection.ts';

const words: ProtocolSpec<ClientMessage> = {
  protocol,
  messages: clientMessages,
  helloWith: 'version and secret',
  // A slip was meant when it was sent, and a card has left the shoe.
  counts: ({ type }) => type === 'slip' || type === 'scan',
};

/** A patron, a device or a screen at the end of one socket. */
export class Connection extends SocketConnection<ClientMessage, ServerMessage> {
  /** The hash of the secret that it said hello with; none where it only watches. */
  secretHash: string | undefined;
  /** The terminal behind it, once it has sat down. */
  terminal: string | undefined;
  /** What was enrolled with its secret; a terminal unless it is a device of one. */
  role: DeviceKind = 'terminal';
  /** The table that it gives cards to, where it is a reader of cards. */
  serves: string | undefined;
  /** The table that it sits at or watches; the lobby if none. */
  table: string | undefined;
  /** It is told of all tables, wherever it sits. */
  looksAround = false;
  /** What it was last told of itself, so that nothing is told twice, and how often that has changed. */
  lastOwn = '';
  ownVersion = 0;
  /** The same of its money. */
  lastPurse = '';
  purseVersion = 0;

  constructor(socket: WebSocket, address: string, desk: ConnectionHandler<Connection, ClientMessage>) {
    super(socket, address, words, desk);
  }

  /** Tells it of itself at a table, unless it was told just that; gives how many bytes that took. */
  tellOwn(table: string, view: object, again: boolean): number | undefined {
    const text = JSON.stringify(view);
    if (text === this.lastOwn && !again) return undefined;
    this.lastOwn = text;
    this.ownVersion += 1;
    return sendAll([this], `{"type":"own","table":"${table}","version":${this.ownVersion},"view":${text}}`);
  }
}

/** One message for many, made into bytes once; gives how many that are. */
export function sendAll(connections: Iterable<Connection>, message: string): number {
  const bytes = Buffer.from(message, 'utf8');
  for (const connection of connections) connection.send(bytes);
  return bytes.length;
}

/** The table that one of some connections is at. */
export const seatOf = (connections: Iterable<Connection> = []): string | null =>
  [...connections].find(({ table }) => table !== undefined)?.table ?? null;
