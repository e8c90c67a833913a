import { type WebSocket } from 'ws';
import { type StaffServerMessage, type StaffClientMessage, staffSays } from '../../wire/staff/messages.ts';
import { staffProtocol } from '../../wire/staff/protocolVersion.ts';
import { SocketConnection, type ConnectionHandler, type ProtocolSpec } from './socketConnection.ts';

const words: ProtocolSpec<StaffClientMessage> = {
  protocol: staffProtocol,
  messages: staffSays,
  helloWith: 'version',
  // What is to be done was meant when it was sent; what is to be looked up was not.
  counts: (said) => 'id' in said && said.type !== 'ask',
};

/** The table that somebody looks at, and how. */
export type Subscription = { readonly table: string; readonly as: 'dealer' | 'supervisor' };

/** A person of the staff at the end of one socket. */
export class StaffConnection extends SocketConnection<StaffClientMessage, StaffServerMessage> {
  /** The session that the socket was opened with, for good. */
  readonly session: string;
  watched: Subscription | undefined;
  /** It is told of the whole floor. */
  looksAround = false;
  /** It was told that its session is locked. */
  isLocked = false;
  /** When something was last asked here. */
  activeAt: number;

  constructor(
    socket: WebSocket,
    address: string,
    session: string,
    desk: ConnectionHandler<StaffConnection, StaffClientMessage>,
  ) {
    super(socket, address, words, desk);
    this.session = session;
    this.activeAt = desk.clock();
  }
}
